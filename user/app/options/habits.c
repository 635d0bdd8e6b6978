/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* habits.c - options of perf, top and others: those that work, and what to use for the rest. */
#include "app/options/habits.h"

#include <stddef.h>
#include <string.h>

#define ON(command) (1u << CTD_COMMAND_##command)
#define MEASURES (ON(STAT) | ON(TOP) | ON(RECORD))

#define PROFILE_FORMATS(format)               \
	"a profile is not written as " format \
	": -o FILE writes it, as FILE ends with .svg, .pb.gz, .folded or .speedscope.json"
#define NOT_OF_CPUS(option)                                                                   \
	"rows are not of CPUs, so there is no " option ": see --by for what they can be of; " \
	"all CPUs that one ran on are added up"

static const struct ctd_habit habits[] = {
	/* perf stat */
	{.name = "json",
	 .letter = 'j',
	 .commands = ON(TOP),
	 .instead = "a screen is no JSON: 'cgtopdown stat --json' prints an object per interval"},
	{.name = "csv",
	 .commands = ON(TOP),
	 .instead = "a screen is no CSV: 'cgtopdown stat --csv' prints lines for each interval"},
	{.name = "json", .letter = 'j', .commands = ON(PROFILE), .instead = PROFILE_FORMATS("JSON")},
	{.name = "csv", .commands = ON(PROFILE), .instead = PROFILE_FORMATS("CSV")},
	/* That is what stat shows. */
	{.name = "topdown", .commands = ON(STAT)},
	{.name = "per-core", .commands = ON(STAT), .instead = NOT_OF_CPUS("--per-core")},
	{.name = "no-aggr", .letter = 'A', .commands = ON(STAT), .instead = NOT_OF_CPUS("-A")},
	{.name = "detailed",
	 .letter = 'd',
	 .commands = ON(STAT),
	 .instead = "there is no -d here: --level 2 --general shows more, as perf's does, and -i "
		    "SECONDS is how long an interval is, as top's"},
	/* perf record, report, top */
	{.name = "output",
	 .letter = 'o',
	 .commands = ON(RECORD),
	 .takes_value = true,
	 .instead = "FILE is an argument, so there is no -o: 'cgtopdown record FILE'"},
	{.name = "input",
	 .letter = 'i',
	 .commands = ON(REPORT),
	 .takes_value = true,
	 .instead = "FILE is an argument, so there is no -i: 'cgtopdown report FILE'"},
	{.letter = 'g',
	 .commands = ON(RECORD),
	 .instead = "there is no -g here: --profile records stacks, too"},
	/* Stacks are what a profile is made of. */
	{.letter = 'g', .commands = ON(PROFILE)},
	{.letter = 'F',
	 .commands = ON(RECORD) | ON(PROFILE),
	 .takes_value = true,
	 .option = "frequency",
	 .unit = ""},
	{.letter = 'u',
	 .commands = ON(TOP),
	 .takes_value = true,
	 .instead = "rows are not of users, so there is no -u: --filter TEXT, or the key /, shows "
		    "those with TEXT in their name or namespace"},
	{.name = "interval-print",
	 .letter = 'I',
	 .commands = MEASURES,
	 .takes_value = true,
	 .option = "interval",
	 .unit = "ms"},
	/* All cgroups of all CPUs are what there is. */
	{.name = "all-cpus", .letter = 'a', .commands = MEASURES | ON(PROFILE)},
	{.name = "json",
	 .letter = 'j',
	 .commands = ~(ON(LIST) | ON(DOCTOR)),
	 .option = "format",
	 .value = "jsonl"},
	{.name = "csv", .commands = ~0u, .option = "format", .value = "csv"},
	{.name = "field-separator",
	 .letter = 'x',
	 .commands = ON(STAT) | ON(REPORT),
	 .takes_value = true,
	 .instead = "no other separator is to be had: --format csv has commas, --format jsonl an "
		    "object per interval"},
	{.letter = 'C',
	 .commands = MEASURES | ON(PROFILE),
	 .takes_value = true,
	 .instead = "all CPUs are counted, so there is no -C: --cpus LIST tells which may be "
		    "interrupted for it"},
	{.letter = 'p',
	 .commands = (MEASURES & ~ON(STAT)) | ON(REPORT),
	 .takes_value = true,
	 .instead =
		 "there is no -p here: 'cgtopdown stat --by process' has a row for each process, "
		 "'cgtopdown profile -p PID' the functions of one"},
	{.name = "event",
	 .letter = 'e',
	 .commands = ON(STAT) | ON(TOP),
	 .takes_value = true,
	 .instead = "events are those that the tree is made from, so there is no -e: see --level, "
		    "--general and 'cgtopdown list events'; 'cgtopdown profile --event NAME' "
		    "samples one"},
	{.name = "event",
	 .letter = 'e',
	 .commands = ON(SERVE),
	 .takes_value = true,
	 .instead = "serve samples CPU time and slots only: 'cgtopdown profile --event NAME' "
		    "samples an event, also beside it"},
	{.letter = 'G',
	 .commands = MEASURES | ON(REPORT),
	 .takes_value = true,
	 .instead = "all cgroups are counted, so there is no -G: --cgroup GLOB shows some of them"},
	/* top, htop, vmstat */
	{.name = "delay",
	 .commands = ON(STAT),
	 .takes_value = true,
	 .instead = "there is no --delay here: -i SECONDS is how long an interval is"},
	{.name = "delay",
	 .letter = 'd',
	 .commands = ON(TOP) | ON(RECORD),
	 .takes_value = true,
	 .instead = "there is no -d here: -i SECONDS is how long an interval is"},
	{.letter = 'b',
	 .commands = ON(TOP),
	 .instead = "there is no -b here: 'cgtopdown stat' prints one table after the other"},
	/* journalctl, systemctl, ls */
	{.name = "no-color", .commands = ~0u, .option = "color", .value = "never"},
	{.name = "no-colour", .commands = ~0u, .option = "color", .value = "never"},
};
#define HABITS_COUNT (sizeof(habits) / sizeof(*habits))

const struct ctd_habit *ctd_habit_of_letter(enum ctd_command command, char letter)
{
	for (size_t i = 0; i < HABITS_COUNT; i++)
		if (habits[i].letter == letter && (habits[i].commands & (1u << command)))
			return &habits[i];
	return NULL;
}

const struct ctd_habit *ctd_habit_of_name(enum ctd_command command, const char *name)
{
	for (size_t i = 0; i < HABITS_COUNT; i++)
		if (habits[i].name && strcmp(habits[i].name, name) == 0 &&
		    (habits[i].commands & (1u << command)))
			return &habits[i];
	return NULL;
}
