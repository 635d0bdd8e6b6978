/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* command_texts.c - what each command is for, in words. */
#include "app/options/table.h"

static const struct ctd_example stat_examples[] = {
	{"cgtopdown stat", "every second, all cgroups"},
	{"cgtopdown stat -i 5 --by container --top 10", "the ten busiest containers"},
	{"cgtopdown stat --level 2 --sort memory_bound", "who waits for memory"},
	{"cgtopdown stat --cgroup '/kubepods*' --tree", "pods and what is in them"},
	{"cgtopdown stat -- make -j8", "one command in its own cgroup"},
	{"cgtopdown stat -r 5 -o runs.txt -- ./benchmark", "the mean of five runs"},
	{"cgtopdown stat -n 60 --format jsonl >run.jsonl", "a minute, for programs"},
	{"cgtopdown stat --source sim", "a look, where there is no PMU"},
	{"cgtopdown stat --by region -p 4711", "regions of a program"},
	{"cgtopdown stat --standalone", "counted here, also beside serve"},
	{0},
};

static const struct ctd_example top_examples[] = {
	{"cgtopdown top", "this machine"},
	{"cgtopdown top --level 2 --sort memory_bound", "who waits for memory"},
	{"cgtopdown top --input run.ctd", "a recording, with its time line"},
	{"cgtopdown top --url https://node:9753", "what the serve there counts"},
	{"cgtopdown top --url http://a:9753 --url http://b:9753", "two nodes as one"},
	{"ssh HOST cgtopdown record - | cgtopdown top --input -", "another machine"},
	{0},
};

static const struct ctd_example record_examples[] = {
	{"cgtopdown record -i 0.5 -n 120 run.ctd", "a minute, twice a second"},
	{"cgtopdown record run.ctd -- ./benchmark", "while a command runs"},
	{"cgtopdown record --profile run.ctd", "stacks, too"},
	{"cgtopdown record - | ssh HOST 'cat >run.ctd'", "without a file here"},
	{0},
};

static const struct ctd_example report_examples[] = {
	{"cgtopdown report run.ctd", "as stat would have shown it"},
	{"cgtopdown report --level 2 --format csv run.ctd", "for a spreadsheet"},
	{"ssh HOST cgtopdown record - | cgtopdown report -", "of another machine"},
	{"cgtopdown report --since '2 hours ago' --by namespace", "what serve kept in its history"},
	{"cgtopdown report /var/lib/cgtopdown/history --at 14:30", "one moment of it"},
	{"cgtopdown report --diff 14:00 --since 14:30 --by owner",
	 "half an hour before, and after"},
	{"cgtopdown report --diff old.ctd new.ctd", "of two recordings"},
	{0},
};

static const struct ctd_example profile_examples[] = {
	{"cgtopdown profile", "ten seconds of all containers"},
	{"cgtopdown profile -d 30 -o flame.svg", "a flame graph, for a browser"},
	{"cgtopdown profile --sort memory_bound", "who waits for memory, and where"},
	{"cgtopdown profile --pod 'web-*' -o web.pb.gz", "for go tool pprof"},
	{"cgtopdown profile -- ./benchmark", "one command"},
	{"cgtopdown profile --lines -- ./benchmark", "its source lines, too"},
	{"cgtopdown profile --event page-faults", "where an event comes, rather than time"},
	{"cgtopdown profile --metrics-dir DIR --node l3_bound", "the one that the vendor advises"},
	{"cgtopdown profile --input run.ctd", "of a recording, anywhere"},
	{"cgtopdown profile --input new.ctd --diff old.ctd", "what changed"},
	{0},
};

static const struct ctd_example neighbours_examples[] = {
	{"cgtopdown neighbours", "which containers are slowed down now"},
	{"cgtopdown neighbours --url https://node:9753 -n 1", "on another node"},
	{"cgtopdown neighbours --input run.rec", "which containers are slowed down at its end"},
	{"cgtopdown neighbours --input run.rec --explain web-7f9c", "why that is said of one"},
	{NULL, NULL},
};
static const struct ctd_example serve_examples[] = {
	{"cgtopdown serve", "at http://127.0.0.1:9753"},
	{"cgtopdown serve --listen [::]:9753", "for everybody"},
	{"cgtopdown serve --listen off --otlp URL", "sent, not fetched"},
	{"cgtopdown serve --config FILE --check-config", "before a restart"},
	{0},
};

static const struct ctd_example doctor_examples[] = {
	{"cgtopdown doctor", "this machine"},
	{"cgtopdown doctor --root DIR", "a machine recorded in DIR"},
	{0},
};

static const struct ctd_example list_examples[] = {
	{"cgtopdown list metrics", "what the columns mean, and their formulas"},
	{"cgtopdown --explain memory_bound", "one of them, and what to look at next"},
	{"cgtopdown list --metrics-dir DIR", "metrics of the vendor's own files"},
	{"cgtopdown list", "everything"},
	{0},
};

static const struct ctd_example all_examples[] = {
	{"cgtopdown doctor", "what works on this machine"},
	{"cgtopdown stat", "every second, all cgroups"},
	{"cgtopdown stat --by container --level 2 --top 10", "the busiest containers"},
	{"cgtopdown stat -- make -j8", "one command"},
	{"cgtopdown record run.ctd", "now; and later, anywhere:"},
	{"cgtopdown report run.ctd", ""},
	{"cgtopdown serve", "for Prometheus to fetch"},
	{"cgtopdown --explain memory_bound", "what a figure means"},
	{0},
};

const struct ctd_command_text ctd_command_texts[CTD_COMMANDS] = {
	[CTD_COMMAND_STAT] =
		{
			.name = "stat",
			.arguments = "[OPTION]... [-- COMMAND [ARGUMENT]...]",
			.summary = "a table per interval, or of a command's run",
			.about =
				"Shows for each interval where the pipeline slots of each cgroup went.\n"
				"With a COMMAND, runs it in a cgroup of its own and shows only that, on "
				"standard error, with the time it took and what to look at. The "
				"cgroup, cgtopdown-PID, goes with the run, also after SIGKILL. It stays, "
				"empty, if its watching process ctd-janitor is killed as well, as when a "
				"whole container is: rmdir removes it.\n"
				"Beside a running serve, shows what that one counts, where a row is a "
				"container or a unit; the first line says so. What serve does not tell "
				"is counted here.\n"
				"Not attributed are the slots and the time from a switch of tasks that "
				"the kernel did not report up to the next one, as nobody can tell whose "
				"they were: some kernels leave out a few. No other figure is touched by it.\n"
				"With --by region, shows what programs that measure parts of themselves "
				"by cgtopdown/regions.h offer, of all, of --pid or --cgroup, or of a "
				"COMMAND, and counts nothing.\n"
				"What perf has as -I MS, -a and -j works here, too.",
			.takes_program = true,
			.examples = stat_examples,
			.exit_status =
				"0, or 1 if it failed, or 2 for a wrong command line; with a "
				"COMMAND its own, 128 more than the signal that ended it.",
		},
	[CTD_COMMAND_TOP] =
		{
			.name = "top",
			.arguments = "[OPTION]...",
			.summary = "one screen of all containers, that refreshes in place",
			.about =
				"Shows in which way the slots of each container go, as a bar in four "
				"colours, what holds it back, and its last minute. Sorting, grouping, "
				"filtering and looking back take effect at once. Counting goes on by "
				"itself, or is that of a running serve, of a URL or of a recording. "
				"If that serve keeps a history, the last minute is there from the "
				"first screen on.\n"
				"With several --url, rows are of all nodes, and --by node, owner or "
				"namespace adds them up. A node that does not answer, or answers "
				"what is no view, is named above the rows, and its figures are left "
				"out; nobody waits for it.",
			.examples = top_examples,
			.exit_status = "0, or 1 if it failed, or 2 for a wrong command line.",
		},
	[CTD_COMMAND_RECORD] =
		{
			.name = "record",
			.arguments = "[OPTION]... FILE [-- COMMAND [ARGUMENT]...]",
			.summary = "snapshots to a file, shown later by report",
			.about =
				"Writes what stat would have shown to FILE, in raw counts: report can "
				"show it in any way, on any machine, without privileges. With - for "
				"FILE it goes to standard output, and what a COMMAND prints there to "
				"standard error.\n"
				"Counts by itself, also beside a running serve, which has no raw counts "
				"to hand out: where counters are short there may be no data.",
			.takes = CTD_TAKES_FILE,
			.takes_program = true,
			.examples = record_examples,
			.exit_status = "As of stat.",
		},
	[CTD_COMMAND_REPORT] =
		{
			.name = "report",
			.arguments = "[OPTION]... FILE|DIR",
			.summary = "shows a recording, or a time of a history",
			.about =
				"Shows the intervals of a FILE that record wrote; of standard "
				"input if it is -. It may be a pipe, and is shown as it comes.\n"
				"Of a DIR in which serve keeps a history of what it counts, shows one "
				"sum: of all of it, or from --since to --until, or the step that --at "
				"is in. With one of these DIR may be left out: " CTD_HISTORY_DIRECTORY
				" is taken, where the service has it. What was counted in another way, "
				"or before a reboot, has a sum of its own.\n"
				"With --diff, shows what changed of each row: its CPU time, and the "
				"shares of its slots, those that changed most first. Each side is cut "
				"into 20 segments. A change that their spread makes likely enough "
				"(Student's t at 5 %) is marked with ~ as noise, and one of which nothing "
				"is known, as of a single segment, with a question mark. Containers that "
				"were made anew are the same if they have the same name: --by owner puts "
				"the pods of a deployment together.",
			.takes = CTD_TAKES_FILE,
			.examples = report_examples,
			.exit_status = "0, or 1 if it failed, or 2 for a wrong command line.",
		},
	[CTD_COMMAND_PROFILE] =
		{
			.name = "profile",
			.arguments = "[OPTION]... [-- COMMAND [ARGUMENT]...]",
			.summary = "which functions of which container lose the slots",
			.about =
				"Samples stacks beside the accounting, and divides the slots of each "
				"container among its functions. The sums are those that stat shows of "
				"the container. Beside a running serve that samples stacks, shows what "
				"that one samples; the first line says so. Without --output, shows the functions that lose most.",
			.takes_program = true,
			.examples = profile_examples,
			.exit_status = "As of stat.",
		},
	[CTD_COMMAND_NEIGHBOURS] =
		{
			.name = "neighbours",
			.arguments = "[OPTION]...",
			.summary = "which containers others slow down, and by what",
			.about =
				"Tags containers that others slow down: in the run queue, on the same core, in "
				"memory. Says which ones do it, how much is lost, and by what numbers it is known; and "
				"tells what a container does to itself apart. Shows the tags of a running serve that judges "
				"neighbours, else counts here, and shows those of each sample until it is stopped; "
				"or goes through a recording or trace, and shows those at its end.",
			.examples = neighbours_examples,
			.exit_status =
				"0, also if there is no tag; 1 if nothing could be counted or read, or no tag at the end of --input is of the victim to explain; 2 for a wrong command line.",
		},
	[CTD_COMMAND_SERVE] =
		{
			.name = "serve",
			.arguments = "[OPTION]...",
			.summary = "metrics of all containers, fetched or sent",
			.about =
				"Adds up the slots of each container and cgroup for as long as it runs, for "
				"Prometheus to fetch or for an OpenTelemetry receiver; totals, no "
				"percentages. Runs until SIGTERM; SIGHUP reads changed certificates "
				"and secrets at once.",
			.examples = serve_examples,
			.exit_status =
				"0, or 1 if it failed, or 2 for a wrong command line or configuration.",
		},
	[CTD_COMMAND_DOCTOR] =
		{
			.name = "doctor",
			.arguments = "[OPTION]...",
			.summary = "what works here, what does not, and what to do",
			.about =
				"Asks the kernel for all that is needed, opens the counters for a "
				"tenth of a second, and explains what it finds. With --root it looks "
				"at what is recorded there, and does not ask the kernel.",
			.examples = doctor_examples,
			.exit_status =
				"0 if slots can be counted here, 3 if only CPU time can, 1 if "
				"nothing can or it failed, 2 for a wrong command line.",
		},
	[CTD_COMMAND_LIST] =
		{
			.name = "list",
			.arguments = "[OPTION]... [cpus|events|metrics|series|sinks|runtimes]",
			.summary =
				"what is known of CPUs, events, metrics, series, sinks, runtimes",
			.about = "Explains what is built in; without an argument, everything.",
			.takes = CTD_TAKES_LIST,
			.examples = list_examples,
			.exit_status = "0, or 1 if it failed, or 2 for a wrong command line.",
		},
	[CTD_COMMAND_HELP] =
		{
			.name = "help",
			.arguments = "[COMMAND]",
			.summary = "this, or the help of a command",
			.about =
				"The slots of a pipeline are its chances to begin work: so many per "
				"cycle. Each is used by work that counts (retiring) or by work thrown "
				"away (bad speculation), or is lost because no work arrived (front-end "
				"bound) or none could be taken (back-end bound). cgtopdown counts them "
				"once per CPU and charges them, at every switch, to the cgroup that "
				"ran: for all containers of a node at once.\n"
				"On a terminal help goes through $PAGER, or less.",
			.takes = CTD_TAKES_COMMAND,
			.examples = all_examples,
			.exit_status = "0.",
		},
	[CTD_COMMAND_VERSION] =
		{
			.name = "version",
			.arguments = "",
			.summary = "the version",
			.about = "Prints the version.",
			.exit_status = "0.",
		},
};
