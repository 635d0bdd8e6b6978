/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table_measure.c - options of what is measured. */
#include <cgtopdown/kern.h>

#include "app/options/rows.h"

/* The digits of a constant. */
#define DIGITS_OF(number) #number
#define DIGITS(constant) DIGITS_OF(constant)
#define ROWS_DEFAULT DIGITS(CTD_ROWS_PER_CPU) " per CPU, " DIGITS(CTD_ROWS_LEAST) " at least"

#define EVENT_HELP                                                                                        \
	"Sample stacks where this event comes, instead of by the clock: one of the vendor's files "       \
	"below --metrics-dir, such as MEM_LOAD_RETIRED.L3_MISS, with modifiers as these have them; or, "  \
	"without files, of the kernel: cycles, branch-misses, page-faults, context-switches, and what "   \
	"/sys/bus/event_source/devices/cpu/events has. Each is as precise as the hardware has it. Slots " \
	"are then counted only if a --source is named, so that the event has a counter. See "             \
	"docs/profile.md."

static const char *const levels[] = {"1", "2", NULL};
static const char *const ways_to_read[] = {"leader", "each", NULL};

/* What commands have alike, some with another help. */
#define INTERVAL(its_commands)                                                                     \
	.name = "interval", .letter = 'i', .metavar = "SECONDS",                                   \
	.section = CTD_OPTIONS_COLLECTING, .commands = (its_commands),                             \
	.store = ctd_store_duration, INTO(interval_ns), .wants = "seconds between 0.01 and 86400", \
	.min = 10 * NS_PER_MS, .max = 86400 * NS_PER_S
#define ROTATION_INTERVAL \
	"Where groups of counters rotate, an interval shorter than 20 ms for each of them is of one group only."

#define LEVEL(its_commands)                                                                    \
	.name = "level", .metavar = "LEVEL", .section = CTD_OPTIONS_COLLECTING,                \
	.commands = (its_commands), .store = ctd_store_number, INTO(level), .choices = levels, \
	.min = 1, .max = 2
#define ROTATION_LEVEL "With 2, what does not fit at once is counted in rotation."

#define BUDGET(its_commands)                                                         \
	.name = "budget", .metavar = "PERCENT", .section = CTD_OPTIONS_COLLECTING,   \
	.commands = (its_commands), .store = ctd_store_percentage, INTO(budget_ppm), \
	.wants = "a percentage between 0.0001% and 100%, such as 0.5%", .min = 1, .max = 1000000
#define BUDGET_HELP \
	"What all this may take of the machine's CPU time, which is that of all its CPUs: the programs in the kernel, as they time themselves, and all threads of the process. Above it parts are given up, one after the other: waits for a CPU; three of four samples of stacks; four of five turns of groups that rotate; --general; level 2; four of five intervals. Those that an option asks for are the last. What is missing is said in every output, and comes back, the last first, when there has been room for long. "
#define BUDGET_NONE "If not given, there is no limit. See docs/cost.md."

const struct ctd_option ctd_options_measure[] = {
	{INTERVAL(ON(STAT)),
	 .help = "How long an interval is: 1 s if not given. With a COMMAND, its whole run is one then. " ROTATION_INTERVAL},
	{INTERVAL(MEASURES_INTERVALS & ~ON(STAT)),
	 .help = "How long an interval is: 1 s if not given. " ROTATION_INTERVAL},
	{NUMBER("count", "COUNT", CTD_OPTIONS_COLLECTING,
		ON(STAT) | ON(RECORD) | ON(REPORT) | ON(PROFILE) | ON(NEIGHBOURS), 1, 1000000000),
	 INTO(count), .letter = 'n',
	 .help = "End after so many intervals; if not given, when interrupted or at the end of COMMAND or FILE. Of a profile: the first intervals of its recording."},
	{NUMBER("repeat", "COUNT", CTD_OPTIONS_COLLECTING, ON(STAT), 1, 1000), INTO(repeat),
	 .letter = 'r',
	 .help = "Run the COMMAND so many times, and show the mean of each figure with its standard error. Ends with the first run that fails."},
	{
		.name = "duration",
		.letter = 'd',
		.metavar = "SECONDS",
		.section = CTD_OPTIONS_COLLECTING,
		.commands = ON(PROFILE),
		.store = ctd_store_duration,
		INTO(profile.duration_ns),
		.wants = "seconds between 0.1 and 86400",
		.min = 100 * NS_PER_MS,
		.max = 86400 * NS_PER_S,
		.help = "How long to sample: 10 s if not given, with a COMMAND its whole run.",
	},
	{FLAG("profile", CTD_OPTIONS_COLLECTING, ON(SERVE) | ON(RECORD)), INTO(with_profile),
	 .help = "Sample the stacks of all containers, too. Of a recording, 'cgtopdown profile' then shows which functions lose the slots; serve has flame graphs in the page and /debug/pprof/profile, which profilers fetch. As names of functions tell much of a program, of serve only those get them who show a token or password, or may use a Unix socket."},
	{NUMBER("frequency", "HERTZ", CTD_OPTIONS_COLLECTING, ON(PROFILE) | ON(RECORD), 1, 1000),
	 INTO(profile.frequency_hz), .help = "Samples per second of a busy CPU; 49 if not given."},
	{NUMBER("window", "MICROSECONDS", CTD_OPTIONS_COLLECTING, ON(PROFILE) | ON(RECORD), 10,
		10000),
	 INTO(profile.window_us),
	 .help = "How long the counters are watched at a sample; 50 if not given. In shorter windows fewer functions end, but the reading itself weighs more."},
	{TEXT("event", "NAME", CTD_OPTIONS_COLLECTING, ON(PROFILE)), INTO(profile.event),
	 .letter = 'e', .wants = "the name of an event", .help = EVENT_HELP},
	{TEXT("event", "NAME", CTD_OPTIONS_COLLECTING, ON(RECORD)), INTO(profile.event),
	 .letter = 'e', .wants = "the name of an event", .help = "With --profile: " EVENT_HELP},
	{TEXT("node", "NODE", CTD_OPTIONS_COLLECTING, ON(PROFILE)), INTO(profile.node),
	 .wants = "a metric of 'cgtopdown list metrics'",
	 .help = "Sample the event that the vendor's files below --metrics-dir name for this metric of their tree (sample with), such as memory_bound or tma_l3_bound. Where there is none, or the kernel refuses it, says why and samples by the clock, sorted by the metric."},
	{NUMBER("period", "COUNT", CTD_OPTIONS_COLLECTING, ON(PROFILE) | ON(RECORD), 1,
		1000000000000),
	 INTO(profile.period),
	 .help = "Of an event that is sampled: one of so many events is sampled. If not given: as the vendor's files have it, or such that there are some 200 samples a second. Where a CPU would have more than 1000 a second, one of more events is sampled, and stands for as many."},
	{TEXT("core", "PMU", CTD_OPTIONS_COLLECTING, ON(PROFILE) | ON(RECORD)), INTO(core),
	 .wants = "a PMU, such as cpu_core, cpu_atom or cpu_lowpower",
	 .help = "Of an event that is sampled: on a hybrid processor the cores with this PMU. If not given: all that have the event."},
	{FLAG("lines", CTD_OPTIONS_COLLECTING, ON(PROFILE) | ON(RECORD)), INTO(profile.lines),
	 .help = "Show source files and lines, and functions that were inlined as frames of their own, of files that have debugging information (gcc -g, packages -dbg and -dbgsym). It is read when sampling is over, for a minute at most. Of a recording, given when it is made, and again when it is shown, which then needs no files."},
	{
		.name = "source",
		.metavar = "SOURCE",
		.section = CTD_OPTIONS_COLLECTING,
		.commands = MEASURES,
		.store = ctd_store_source,
		INTO(source),
		.fallback = "auto",
		.wants =
			"auto, perf_metrics, gp_slots, core_events, atom, zen_dispatch, arm_slots, arm_cycles, none, sim or sim:FILE",
		.help = "Where counts come from. auto takes perf_metrics where the kernel offers it, else the one that knows this CPU's events (cgtopdown list cpus), else none; and the next best where counters turn out not to count. gp_slots is for the CPUs of perf_metrics, too: exact, and in virtual machines, but it takes nearly all counters. none has CPU time only. sim makes slots up, from CPU time and a table of shares by command name: its own, or that in FILE.",
	},
	{LEVEL(ON(TOP)), .help = "How deep the tree goes; 1 if not given. " ROTATION_LEVEL},
	{LEVEL(ON(PROFILE) | ON(NEIGHBOURS) | ON(REPORT)),
	 .help = "How deep the tree goes. If not given: 1 in a table, elsewhere all that fits into the counters at once. " ROTATION_LEVEL},
	{VENDOR_LEVEL(CTD_OPTIONS_COLLECTING, ON(STAT) | ON(RECORD)),
	 .help = "How deep the tree goes. If not given: 1 in a table, elsewhere all that fits into the counters at once. With 2, what does not fit at once is counted in rotation. 3 to 6 are of the vendor's own tree: see --metrics-dir."},
	{VENDOR_LEVEL(CTD_OPTIONS_COLLECTING, ON(SERVE)),
	 .help = "How deep the tree goes. If not given: all that fits into the counters at once. With 2, what does not fit at once is counted in rotation. With --metrics-dir it is of the vendor's own tree, down to 6, and of ours all that fits at once is counted."},
	{FLAG("general", CTD_OPTIONS_COLLECTING, MEASURES_INTERVALS), INTO(ipc),
	 .help = "Measure also what is beside the tree: instructions per cycle, the clock, branch and cache misses per thousand instructions. Rotates with the tree."},
	{FLAG("waits", CTD_OPTIONS_COLLECTING, ON(STAT) | ON(RECORD) | ON(REPORT)), INTO(waits),
	 .help = "Measure also how long tasks that could run waited for a CPU, and what ran on it meanwhile: WAIT% is all that they waited, OTHER% while other cgroups ran; and in jsonl what their limits of CPU time did to cgroups. serve does so without being asked."},
	{FLAG("no-waits", CTD_OPTIONS_COLLECTING, ON(SERVE)), INTO(no_waits),
	 .help = "Do not measure how long tasks wait for a CPU."},
	{
		.name = "read",
		.metavar = "HOW",
		.section = CTD_OPTIONS_COLLECTING,
		.commands = MEASURES,
		.store = ctd_store_choice,
		INTO(read_each),
		.fallback = "leader",
		.choices = ways_to_read,
		.help = "How a group of counters is read: its leader, which brings the others up to date at once, or each counter, which takes longer. Only those of perf_metrics have such a leader; others are always read each.",
	},
	{FLAG("no-pin", CTD_OPTIONS_COLLECTING, MEASURES), INTO(no_pin),
	 .help = "Let the kernel multiplex the counters with those of other programs; figures are then scaled up (~). If not given, the counters are ours all the time, or there is no data."},
	{
		.name = "cpus",
		.metavar = "LIST",
		.section = CTD_OPTIONS_COLLECTING,
		.commands = MEASURES,
		.store = ctd_store_cpus,
		INTO(cpus),
		.wants = "CPU numbers such as 0-3,8",
		.help = "The CPUs that may be interrupted for a snapshot. The others are measured, but left alone, so that their last slice comes late. If not given: all but isolated and nohz_full ones.",
	},
	{TEXT("hierarchy", "NAME", CTD_OPTIONS_COLLECTING, MEASURES | ON(DOCTOR)), INTO(hierarchy),
	 .fallback = "auto", .wants = "auto, v2 or a v1 controller such as cpu",
	 .help = "By which cgroup hierarchy. auto takes v2 where it has cgroups, else the first v1 hierarchy that has."},
	{FLAG("standalone", CTD_OPTIONS_COLLECTING,
	      ON(STAT) | ON(PROFILE) | ON(TOP) | ON(NEIGHBOURS)),
	 INTO(standalone),
	 .help = "Count here, also beside a running serve, whose figures are shown otherwise. Where a processor has one counter of slots, and serve has it, there is no data."},
	{
		.name = "url",
		.metavar = "URL",
		.section = CTD_OPTIONS_COLLECTING,
		.commands = ON(TOP) | ON(NEIGHBOURS),
		.store = ctd_store_urls,
		INTO(screen.urls),
		.wants = "a URL such as https://node:9753, 32 at most",
		.help = "Show what the serve at URL counts, of this machine or another. top may be given several: it adds the rows of all nodes up, and says which do not answer.",
	},
	{TEXT("url-command", "COMMAND", CTD_OPTIONS_COLLECTING, ON(TOP)), INTO(screen.url_command),
	 .wants = "a command",
	 .help = "As several --url, which a shell's COMMAND tells: for each node a line with its name, a tab and the URL, and where that is asked through a Unix socket another tab and the socket's path; or in the place of the URL '-', a tab, and why it has none. An empty line ends the list. COMMAND runs as long as the screen is there, and may tell another list at any time. 'kubectl cgtopdown top' asks so."},
	{TEXT("url-ca", "FILE", CTD_OPTIONS_COLLECTING, ON(TOP) | ON(NEIGHBOURS)),
	 INTO(screen.url_ca), .wants = "a file",
	 .help = "Trust the certificates in FILE (PEM) at --url, instead of those of the system."},
	{TEXT("url-token-file", "FILE", CTD_OPTIONS_COLLECTING, ON(TOP) | ON(NEIGHBOURS)),
	 INTO(screen.url_token_file), .wants = "a file",
	 .help = "Show the serve at --url the token in FILE (its --bearer-token-file). Read again when it changes."},
	{FLAG("url-insecure", CTD_OPTIONS_COLLECTING, ON(TOP) | ON(NEIGHBOURS)),
	 INTO(screen.url_insecure),
	 .help = "Accept any certificate at --url. An impostor would get the token."},
	{TEXT("host-root", "DIR", CTD_OPTIONS_COLLECTING, MEASURES), INTO(host_root),
	 .wants = "a directory",
	 .help = "Where the host's / is seen, from inside a container: names of containers are read from the files of its container runtimes and of the kubelet."},
	{
		.name = "max-slice",
		.metavar = "DURATION",
		.section = CTD_OPTIONS_COLLECTING,
		.commands = MEASURES,
		.store = ctd_store_max_slice,
		INTO(max_slice_ns),
		.fallback = "100ms",
		.wants = "0 or a duration between 1ms and 60s",
		.min = NS_PER_MS,
		.max = 60 * NS_PER_S,
		.help = "Close a slice that has lasted so long without a switch; 0: leave it open.",
	},
	{NUMBER("rows", "COUNT", CTD_OPTIONS_COLLECTING, MEASURES, 1, 1 << 24), INTO(rows_max),
	 .help = "Room for so many rows in the kernel; a cgroup takes one per CPU it runs on. What finds none is summed up in \"(other)\". Each takes some 350 bytes; with waits 512 more, and up to 640 beyond that where a core has two hardware threads. If not given: " ROWS_DEFAULT
		 "."},
	{BUDGET(ON(STAT) | ON(TOP)),
	 .help = BUDGET_HELP
	 "Beside a serve nothing is counted here, and the budget is serve's. " BUDGET_NONE},
	{BUDGET(ON(RECORD) | ON(SERVE)), .help = BUDGET_HELP BUDGET_NONE},
	{
		/* For tests, which cannot wait as long as it is right to wait. */
		.name = "budget-window",
		.metavar = "SECONDS",
		.section = CTD_OPTIONS_HIDDEN,
		.commands = MEASURES_INTERVALS,
		.store = ctd_store_duration,
		INTO(budget_window_ns),
		.wants = "seconds between 0.05 and 3600",
		.min = 50 * NS_PER_MS,
		.max = 3600 * NS_PER_S,
		.help = "By windows of how long what was spent is judged.",
	},
	{TEXT("metrics-dir", "DIR", CTD_OPTIONS_COLLECTING, ON(STAT) | ON(RECORD)),
	 INTO(metrics_dir), .wants = "a directory",
	 .help = "Count the metrics that this machine's vendor publishes, from its own files anywhere below DIR, instead of those of our own: of its tree down to --level (2 if not given), and those of --metrics. Their events are counted in groups that rotate. See docs/vendor-metrics.md."},
	{TEXT("metrics-dir", "DIR", CTD_OPTIONS_COLLECTING, ON(PROFILE)), INTO(metrics_dir),
	 .wants = "a directory",
	 .help = "Where the vendor's files are that have the event of --event, or the metric of --node: anywhere below DIR. See docs/vendor-metrics.md."},
	{TEXT("metrics-dir", "DIR", CTD_OPTIONS_COLLECTING, ON(SERVE)), INTO(metrics_dir),
	 .wants = "a directory",
	 .help = "Count also the metrics that this machine's vendor publishes, from its own files anywhere below DIR: of its tree down to --level (2 if not given), and those of --metrics. Their events are counted in groups that rotate with those of our own tree, which is then counted for less of the time. Each metric and event is a series more of each row. DIR is read once, at the start. See docs/vendor-metrics.md."},
	{TEXT("metrics", "NAMES", CTD_OPTIONS_COLLECTING, ON(STAT) | ON(RECORD) | ON(SERVE)),
	 INTO(metrics), .wants = "names of metrics or groups, with commas between them",
	 .help = "With --metrics-dir: these metrics, and those of these groups, such as tma_l3_bound,TopdownL2."},
	{FLAG("drill", CTD_OPTIONS_COLLECTING, ON(STAT)), INTO(drill),
	 .help = "With --metrics-dir: go down the vendor's tree for each row, to --level (6 if not given). What is below a metric above its threshold is counted next; groups of counters that no row needs do not count. Shows the path with its evidence, and what to sample."},
	{.further = ctd_options_show},
};
