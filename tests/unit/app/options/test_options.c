/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_options.c - command lines, good and bad, and what is made of them. */
#include "app/options/options.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "unit/app/options/command_line.h"
#include "unit/pmu/capture.h"

static void add_number(struct ctd_strbuf *text, const char *name, uint64_t number, uint64_t usual)
{
	if (number != usual)
		ctd_strbuf_addf(text, " %s=%" PRIu64, name, number);
}

static void add_text(struct ctd_strbuf *text, const char *name, const char *value,
		     const char *usual)
{
	if (value && (!usual || strcmp(value, usual) != 0))
		ctd_strbuf_addf(text, " %s=%s", name, value);
	if (!value && usual)
		ctd_strbuf_addf(text, " %s=NULL", name);
}

static void add_texts(struct ctd_strbuf *text, const char *name, const struct ctd_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		ctd_strbuf_addf(text, " %s[%zu]=%s", name, i, texts->text[i]);
}

static void describe_profile(const struct ctd_profile_options *profile, struct ctd_strbuf *text)
{
	add_number(text, "duration_ns", profile->duration_ns, 0);
	add_number(text, "frequency_hz", profile->frequency_hz, 0);
	add_number(text, "window_us", profile->window_us, 0);
	add_text(text, "event", profile->event, NULL);
	add_text(text, "node", profile->node, NULL);
	add_number(text, "period", profile->period, 0);
	add_text(text, "container", profile->wanted.container, NULL);
	add_text(text, "pod", profile->wanted.pod, NULL);
	add_text(text, "namespace", profile->wanted.namespace_name, NULL);
}

static void describe_serve(const struct ctd_serve_options *serve, struct ctd_strbuf *text)
{
	add_text(text, "listen", serve->listen, "127.0.0.1:9753");
	add_text(text, "tls_cert", serve->tls_cert, NULL);
	add_text(text, "tls_key", serve->tls_key, NULL);
	add_text(text, "bearer_token_file", serve->bearer_token_file, NULL);
	add_text(text, "basic_auth_file", serve->basic_auth_file, NULL);
	add_number(text, "accounts_max", serve->accounts_max, 2000);
	add_number(text, "linger_ns", serve->linger_ns, 300000000000);
	add_number(text, "neighbours", serve->neighbours, false);
	add_number(text, "no_created", serve->no_created, false);
	add_number(text, "wait_histogram", serve->wait_histogram, false);
	add_number(text, "pairs_max", serve->pairs_max, 0);
	add_number(text, "profile_top", serve->profile_top, 0);
	add_text(text, "otlp", serve->otlp, NULL);
	add_number(text, "otlp_interval_ns", serve->otlp_interval_ns, 10000000000);
	add_texts(text, "otlp_headers", &serve->otlp_headers);
	add_text(text, "otlp_header_file", serve->otlp_header_file, NULL);
	add_text(text, "otlp_ca", serve->otlp_ca, NULL);
	add_text(text, "cluster_name", serve->cluster_name, NULL);
	add_text(text, "node_name", serve->node_name, NULL);
	add_number(text, "kubernetes_events", serve->kubernetes_events, false);
	add_text(text, "kubernetes_api", serve->kubernetes_api, NULL);
	add_text(text, "kubernetes_ca", serve->kubernetes_ca, NULL);
	add_text(text, "kubernetes_token_file", serve->kubernetes_token_file, NULL);
	add_text(text, "kubelet", serve->kubelet, NULL);
	add_text(text, "kubelet_ca", serve->kubelet_ca, NULL);
	add_text(text, "kubelet_token_file", serve->kubelet_token_file, NULL);
	add_number(text, "kubelet_insecure", serve->kubelet_insecure, false);
	add_texts(text, "pod_labels", &serve->pod_labels);
	add_text(text, "config", serve->config, NULL);
	add_number(text, "check_config", serve->check_config, false);
}

/* All fields that are not as without options. */
static void describe(const struct ctd_options *options, struct ctd_strbuf *text)
{
	static const char *const commands[] = {"stat",	  "top",	"record", "report",
					       "profile", "neighbours", "serve",  "doctor",
					       "list",	  "help",	"version"};

	ctd_strbuf_add(text, commands[options->command]);
	if (options->command == CTD_COMMAND_HELP)
		ctd_strbuf_addf(text, " of %s", commands[options->help_of]);
	add_number(text, "interval_ns", options->interval_ns, 0);
	add_number(text, "count", options->count, 0);
	add_text(text, "source", options->source, "auto");
	add_text(text, "host_root", options->host_root, NULL);
	add_text(text, "profile_file", options->profile_file, NULL);
	add_number(text, "level", (uint64_t)options->level, 0);
	add_number(text, "by", options->by, CTD_GROUP_CGROUP);
	add_text(text, "cgroup_glob", options->cgroup_glob, NULL);
	add_text(text, "sort", options->sort, NULL);
	add_number(text, "top", (uint64_t)options->top, 0);
	add_number(text, "tree", options->tree, false);
	add_text(text, "format", options->format, "table");
	add_number(text, "read_each", options->read_each, false);
	add_number(text, "no_pin", options->no_pin, false);
	add_text(text, "cpus", options->cpus, NULL);
	add_text(text, "root", options->root, NULL);
	add_text(text, "hierarchy", options->hierarchy, "auto");
	add_number(text, "max_slice_ns", options->max_slice_ns, 100000000);
	add_number(text, "sample_period_ns", options->sample_period_ns, 10000000000);
	add_number(text, "rows_max", options->rows_max, 0);
	add_number(text, "budget_ppm", options->budget_ppm, 0);
	add_text(text, "colour", options->colour, "auto");
	add_number(text, "verbose", (uint64_t)options->verbose, 0);
	add_text(text, "file", options->file, NULL);
	add_text(text, "what", options->what, NULL);
	add_text(text, "explain", options->explain, NULL);
	add_text(text, "metrics_dir", options->metrics_dir, NULL);
	add_text(text, "cpuid", options->cpuid, NULL);
	add_text(text, "core", options->core, NULL);
	add_number(text, "manual", options->manual, false);
	add_text(text, "completion", options->completion, NULL);
	describe_profile(&options->profile, text);
	add_text(text, "output", options->output, NULL);
	add_number(text, "repeat", options->repeat, 0);
	describe_serve(&options->serve, text);
	for (char **word = options->program; word && *word; word++)
		ctd_strbuf_addf(text, "%s%s", word == options->program ? " program=" : ",", *word);
}

static void good_command_lines_become_options(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, "stat", "stat"},
		{__LINE__, "stat -i 0.5 -n 3 --source sim:FILE --by container -- COMMAND ARG -i x",
		 "stat interval_ns=500000000 count=3 source=sim profile_file=FILE by=1 "
		 "program=COMMAND,ARG,-i,x"},
		{__LINE__, "stat --interval=0.01 --count=1", "stat interval_ns=10000000 count=1"},
		{__LINE__, "stat -i500ms -n1000000000",
		 "stat interval_ns=500000000 count=1000000000"},
		{__LINE__, "stat --interval 86400s", "stat interval_ns=86400000000000"},
		{__LINE__, "serve -i 100", "serve interval_ns=100000000000"},
		{__LINE__, "stat -i 99", "stat interval_ns=99000000000"},
		{__LINE__, "stat -r 5 -o FILE -- ls", "stat output=FILE repeat=5 program=ls"},
		{__LINE__, "stat -oFILE", "stat output=FILE"},
		/* As perf and others have it. */
		{__LINE__, "stat -I 500 -a", "stat interval_ns=500000000"},
		{__LINE__, "stat -aI1000 -n 3", "stat interval_ns=1000000000 count=3"},
		{__LINE__, "stat --interval-print=20 --all-cpus", "stat interval_ns=20000000"},
		{__LINE__, "stat --json", "stat format=jsonl"},
		{__LINE__, "report -j FILE", "report format=jsonl file=FILE"},
		{__LINE__, "stat --topdown", "stat"},
		{__LINE__, "profile -g -F 99", "profile frequency_hz=99"},
		{__LINE__, "profile -gF99", "profile frequency_hz=99"},
		{__LINE__, "record --profile -F 99 FILE", "record file=FILE frequency_hz=99"},
		{__LINE__, "top -I 500", "top interval_ns=500000000"},
		{__LINE__, "stat --csv --no-color", "stat format=csv colour=never"},
		{__LINE__, "doctor --no-color", "doctor colour=never"},
		{__LINE__, "-V", "version"},
		{__LINE__, "stat -V", "version"},
		{__LINE__, "stat -- ls -V", "stat program=ls,-V"},
		{__LINE__, "stat --source sim", "stat source=sim"},
		{__LINE__, "stat --source sim:F --source none", "stat source=none"},
		{__LINE__, "stat --source software:5:leader", "stat source=software:5:leader"},
		{__LINE__, "stat --level 2", "stat level=2"},
		{__LINE__, "stat --by cgroup", "stat"},
		{__LINE__, "stat --by pod", "stat by=2"},
		{__LINE__, "stat --by namespace", "stat by=3"},
		{__LINE__, "stat --by owner", "stat by=4"},
		{__LINE__, "stat --by process", "stat by=5"},
		{__LINE__, "stat --by task", "stat by=6"},
		{__LINE__, "stat --cgroup /a*", "stat cgroup_glob=/a*"},
		{__LINE__, "stat --cgroup=a=b", "stat cgroup_glob=a=b"},
		{__LINE__, "stat --sort name", "stat sort=name"},
		{__LINE__, "stat --sort memory_bound", "stat sort=memory_bound"},
		{__LINE__, "report --sort tma_l3_bound f", "report sort=tma_l3_bound file=f"},
		{__LINE__, "stat --metrics-dir /d --sort tma_l3_bound",
		 "stat sort=tma_l3_bound metrics_dir=/d"},
		{__LINE__, "profile -d 2.5 --frequency 99 --window 20 --sort cpu",
		 "profile sort=cpu duration_ns=2500000000 frequency_hz=99 window_us=20"},
		{__LINE__, "profile -e page-faults --period 1 --core cpu_atom",
		 "profile core=cpu_atom event=page-faults period=1"},
		{__LINE__, "profile --metrics-dir d --node l3_bound --source none",
		 "profile source=none metrics_dir=d node=l3_bound"},
		{__LINE__, "record --profile --event cycles --metrics-dir d --source sim f",
		 "record source=sim file=f metrics_dir=d event=cycles"},
		{__LINE__, "profile --container c* --pod p --namespace n -o a.svg",
		 "profile container=c* pod=p namespace=n output=a.svg"},
		{__LINE__, "stat --top 5 --tree", "stat top=5 tree=1"},
		{__LINE__, "stat --top 5 --top 0", "stat"},
		{__LINE__, "stat --format jsonl", "stat format=jsonl"},
		{__LINE__, "stat --read each", "stat read_each=1"},
		{__LINE__, "stat --read each --read leader", "stat"},
		{__LINE__, "stat --no-pin", "stat no_pin=1"},
		{__LINE__, "stat --cpus 0-3,8", "stat cpus=0-3,8"},
		{__LINE__, "stat --root / --hierarchy cpu", "stat root=/ hierarchy=cpu"},
		{__LINE__, "stat --max-slice 0", "stat max_slice_ns=0"},
		{__LINE__, "stat --max-slice 1ms", "stat max_slice_ns=1000000"},
		{__LINE__, "stat --rows 16777216", "stat rows_max=16777216"},
		{__LINE__, "stat --color never", "stat colour=never"},
		{__LINE__, "stat -v", "stat verbose=1"},
		{__LINE__, "stat -vvn3", "stat count=3 verbose=2"},
		{__LINE__, "record FILE", "record file=FILE"},
		{__LINE__, "record -i 2 FILE --by task -- ls",
		 "record interval_ns=2000000000 by=6 file=FILE program=ls"},
		{__LINE__, "report --tree FILE -n 2", "report count=2 tree=1 file=FILE"},
		{__LINE__, "report -", "report file=-"},
		{__LINE__, "neighbours --input FILE --format jsonl", "neighbours format=jsonl"},
		{__LINE__, "serve", "serve"},
		{__LINE__, "serve --listen [::1]:0 -i 0.1 --level 2 --source none",
		 "serve interval_ns=100000000 source=none level=2 listen=[::1]:0"},
		{__LINE__, "serve --listen off --otlp http://[::1]:4318/v1/metrics",
		 "serve listen=off otlp=http://[::1]:4318/v1/metrics"},
		{__LINE__, "serve --tls-cert C --tls-key K --bearer-token-file T",
		 "serve tls_cert=C tls_key=K bearer_token_file=T"},
		{__LINE__, "serve --neighbours --sample-period 0.1 --budget 0.5%",
		 "serve sample_period_ns=100000000 budget_ppm=5000 neighbours=1"},
		{__LINE__,
		 "serve --basic-auth-file B --accounts-max 1 --linger 1 --no-created --wait-histogram --pairs-max 9",
		 "serve basic_auth_file=B accounts_max=1 linger_ns=1000000000 no_created=1 wait_histogram=1 pairs_max=9"},
		{__LINE__,
		 "serve --otlp-interval 2 --otlp-header A=b=c --otlp-header D= --otlp-ca F "
		 "--otlp-header-file G",
		 "serve otlp_interval_ns=2000000000 otlp_headers[0]=A=b=c otlp_headers[1]=D= "
		 "otlp_header_file=G otlp_ca=F"},
		{__LINE__, "serve --profile --profile-top 5 --bearer-token-file T",
		 "serve bearer_token_file=T profile_top=5"},
		{__LINE__, "serve --profile --profile-top 20 --basic-auth-file B",
		 "serve basic_auth_file=B profile_top=20"},
		{__LINE__, "serve --profile --profile-top 1 --listen unix:/run/x",
		 "serve listen=unix:/run/x profile_top=1"},
		{__LINE__,
		 "serve --profile --profile-top 1 --listen off --otlp http://[::1]:4318/v1/metrics",
		 "serve listen=off profile_top=1 otlp=http://[::1]:4318/v1/metrics"},
		{__LINE__, "serve --cluster-name C --node-name N --host-root /host",
		 "serve host_root=/host cluster_name=C node_name=N"},
		{__LINE__,
		 "serve --kubelet https://k:10250 --kubelet-ca C --kubelet-token-file T --kubelet-insecure",
		 "serve kubelet=https://k:10250 kubelet_ca=C kubelet_token_file=T "
		 "kubelet_insecure=1"},
		{__LINE__,
		 "serve --neighbours --kubernetes-events --kubernetes-api https://k:6443 "
		 "--kubernetes-ca C --kubernetes-token-file T",
		 "serve neighbours=1 kubernetes_events=1 kubernetes_api=https://k:6443 "
		 "kubernetes_ca=C kubernetes_token_file=T"},
		{__LINE__, "serve --pod-label app --pod-label app.kubernetes.io/*",
		 "serve pod_labels[0]=app pod_labels[1]=app.kubernetes.io/*"},
		{__LINE__, "doctor --root DIR", "doctor root=DIR"},
		{__LINE__, "list", "list"},
		{__LINE__, "list metrics", "list what=metrics"},
		{__LINE__, "list metrics --explain retiring", "list what=metrics explain=retiring"},
		{__LINE__, "list --explain=MemBound", "list explain=memory_bound"},
		{__LINE__, "--explain retiring", "list explain=retiring"},
		{__LINE__, "stat --metrics-dir /d --level 6 --source software",
		 "stat source=software level=6 metrics_dir=/d"},
		{__LINE__, "record --metrics-dir /d --level 3 f",
		 "record level=3 file=f metrics_dir=/d"},
		{__LINE__, "serve --metrics-dir /d --metrics a,b --level 4 --general",
		 "serve level=4 metrics_dir=/d"},
		{__LINE__, "--explain tma_dsb --metrics-dir /d",
		 "list explain=tma_dsb metrics_dir=/d"},
		{__LINE__,
		 "list metrics --metrics-dir=/d --cpuid GenuineIntel-6-97 --core cpu_atom",
		 "list what=metrics metrics_dir=/d cpuid=GenuineIntel-6-97 core=cpu_atom"},
		{__LINE__, "--explain=retiring --color never",
		 "list colour=never explain=retiring"},
		{__LINE__, "--explain retiring --help", "help of list"},
		{__LINE__, "help", "help of help"},
		{__LINE__, "help stat", "help of stat"},
		{__LINE__, "help --man", "help of help manual=1"},
		{__LINE__, "help --completion zsh", "help of help completion=zsh"},
		{__LINE__, "--help", "help of help"},
		{__LINE__, "-h", "help of help"},
		{__LINE__, "-v --help", "help of help"},
		{__LINE__, "stat -h", "help of stat"},
		{__LINE__, "stat -i x --nonsense --help", "help of stat"},
		{__LINE__, "stat -- ls --help", "stat program=ls,--help"},
		{__LINE__, "--version", "version"},
		{__LINE__, "version", "version"},
		{__LINE__, "doctor --version", "version"},
		{__LINE__, "doctor --version --help", "help of doctor"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		struct command_line line;
		struct ctd_options options;

		if (parse(cases[i].text, &line, &options))
			fail_msg("line %d: '%s' is refused", cases[i].line, cases[i].text);
		describe(&options, &text);
		if (strcmp(text.text, cases[i].wanted) != 0)
			fail_msg("line %d: '%s' gives\n%s, not\n%s", cases[i].line, cases[i].text,
				 text.text, cases[i].wanted);
	}
}

static void bad_command_lines_are_refused_in_one_clear_line(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, "stat --interval 5x",
		 "cgtopdown stat: --interval wants seconds between 0.01 and 86400, not '5x'; see "
		 "'cgtopdown stat --help'\n"},
		{__LINE__, "stat -i 0",
		 "cgtopdown stat: --interval wants seconds between 0.01 and 86400, not '0'; see "
		 "'cgtopdown stat --help'\n"},
		{__LINE__, "stat -i 86401", "not '86401'"},
		{__LINE__, "stat -i -1", "not '-1'"},
		{__LINE__, "stat -i", "--interval wants seconds between 0.01 and 86400; see"},
		{__LINE__, "stat -i -- ls", "--interval wants seconds between 0.01 and 86400; see"},
		{__LINE__, "stat --interval=", "not ''"},
		{__LINE__, "stat -n 0", "--count wants a number between 1 and 1000000000, not '0'"},
		{__LINE__, "stat -n 1e3", "not '1e3'"},
		{__LINE__, "report --level 3 f", "--level wants 1 or 2, not '3'"},
		{__LINE__, "stat --source simulated",
		 "--source wants auto, perf_metrics, gp_slots, core_events, atom, zen_dispatch, arm_slots, arm_cycles, none, sim or sim:FILE, not 'simulated'"},
		{__LINE__, "stat --source sim:", "not 'sim:'"},
		{__LINE__, "stat --source software:0", "not 'software:0'"},
		{__LINE__, "stat --source software:17:leader", "not 'software:17:leader'"},
		{__LINE__, "stat --source software5", "not 'software5'"},
		{__LINE__, "stat --tree --by pod",
		 "cgtopdown stat: --tree is of cgroups: it goes with --by cgroup only; see 'cgtopdown stat --help'"},
		{__LINE__, "report --diff old --at 14:30 new",
		 "--diff goes with --since: one step"},
		{__LINE__, "report --diff old new --tree",
		 "--diff has no --tree, --waits or --count"},
		{__LINE__, "report --diff old new --by process",
		 "--diff is of what has a name: processes"},
		{__LINE__, "report --diff old", "a FILE is missing"},
		{__LINE__, "stat --by pods",
		 "--by does not know 'pods', perhaps 'pod' is meant; see"},
		{__LINE__, "stat --by host",
		 "--by wants cgroup, container, pod, namespace, owner, process, task or region, not 'host'"},
		{__LINE__, "stat --by cont",
		 "--by does not know 'cont', perhaps 'container' is meant"},
		{__LINE__, "stat --sort mem", "'memory_bound' is meant"},
		{__LINE__, "stat --sort slot", "'slots' is meant"},
		{__LINE__, "profile --sort name", "metric of 'cgtopdown list metrics', not"},
		{__LINE__, "stat --format json", "'jsonl' is meant"},
		{__LINE__, "stat --source perf", "'perf_metrics' is meant"},
		{__LINE__, "stat --color alway", "'always' is meant"},
		{__LINE__, "stat --cgroup ''", "--cgroup wants a pattern of cgroup paths, not ''"},
		{__LINE__, "top --sort tma_l3_bound",
		 "or a metric of 'cgtopdown list metrics', not"},
		{__LINE__, "report --diff old --sort tma_l3_bound new",
		 "or a metric of 'cgtopdown list metrics', not"},
		{__LINE__, "stat --sort color", "or a metric of 'cgtopdown list metrics', not"},
		{__LINE__, "stat --top -1", "--top wants a number between 0 and 1000000, not '-1'"},
		{__LINE__, "stat --tree=yes", "--tree takes no value, not even 'yes'"},
		{__LINE__, "stat --format xml", "--format wants csv, jsonl or table, not 'xml'"},
		{__LINE__, "stat --read both", "--read wants leader or each, not 'both'"},
		{__LINE__, "stat --cpus 3-1", "--cpus wants CPU numbers such as 0-3,8, not '3-1'"},
		{__LINE__, "stat --cpus ''", "not ''"},
		{__LINE__, "stat --max-slice 10us", "wants 0 or a duration between 1ms and 60s"},
		{__LINE__, "stat --rows 16777217", "not '16777217'"},
		{__LINE__, "stat --color sometimes", "--color wants auto, always or never, not"},
		{__LINE__, "stat --intervall 5",
		 "cgtopdown stat: unknown option '--intervall', perhaps '--interval' is meant; see"},
		{__LINE__, "stat --int 5", "'--interval' is meant"},
		{__LINE__, "stat --colour auto", "'--color' is meant"},
		{__LINE__, "stat --frobnicate", "unknown option '--frobnicate'; see"},
		{__LINE__, "stat -y", "unknown option '-y'; see"},
		{__LINE__, "stat -vy", "unknown option '-y'; see"},
		{__LINE__, "stat -i 1000",
		 "cgtopdown stat: --interval 1000 is so many seconds; are milliseconds meant? Write 1000ms, or 1000s for seconds; see"},
		{__LINE__, "record --interval=1000 FILE", "Write 1000ms, or 1000s for seconds"},
		{__LINE__, "stat -I", "a value is missing: it is as --interval; see"},
		{__LINE__, "stat -I 1",
		 "--interval wants seconds between 0.01 and 86400, not '1ms'"},
		{__LINE__, "stat -x ,", "--format csv has commas"},
		{__LINE__, "stat -vx,", "--format csv has commas"},
		{__LINE__, "stat -C 0-3", "--cpus LIST tells which may be interrupted"},
		{__LINE__, "stat -p 1", "'cgtopdown stat --by process' has a row for each"},
		{__LINE__, "stat -e cycles", "see --level, --general and 'cgtopdown list events'"},
		{__LINE__, "stat -G /a", "--cgroup GLOB shows some of them"},
		{__LINE__, "top -d 2", "-i SECONDS is how long an interval is"},
		{__LINE__, "top -b", "prints one table after the other"},
		{__LINE__, "serve -I 100", "unknown option '-I'; see"},
		{__LINE__, "profile --lines --diff old", "--diff compares functions"},
		{__LINE__, "record --lines f", "--lines are of stacks"},
		{__LINE__, "serve --lines", "--lines"},
		{__LINE__, "stat -r 3", "--repeat is of a COMMAND, which comes after '--'"},
		{__LINE__, "stat -r 0 -- ls", "--repeat wants a number between 1 and 1000"},
		{__LINE__, "stat -r 3 -i 1 -- ls", "with --repeat each run is one interval"},
		{__LINE__, "stat -r 3 --json -- ls", "--repeat shows means"},
		{__LINE__, "stat -vh", "--help stands alone"},
		{__LINE__, "stat --help=all", "--help stands alone"},
		{__LINE__, "stat --man", "--man is an option of help only"},
		{__LINE__, "help --completion fish", "--completion wants bash or zsh, not 'fish'"},
		{__LINE__, "report --interval 5 FILE",
		 "--interval is an option of stat, top, record, serve only"},
		{__LINE__, "serve -n 5",
		 "--count is an option of stat, record, report, profile, neighbours only"},
		{__LINE__, "report FILE -o x.svg",
		 "--output is an option of stat, profile only: 'cgtopdown profile --input FILE' shows"},
		{__LINE__, "profile -n 3", "--count is of recordings"},
		{__LINE__, "profile --period 3", "they go with --event or --node"},
		{__LINE__, "profile --metrics-dir d", "they go with --event or --node"},
		{__LINE__, "record --core cpu_atom f", "they go with --event and --profile"},
		{__LINE__, "profile --event a --node b", "either --event, or the one of a --node"},
		{__LINE__, "profile --event a --frequency 9", "--event has no --frequency"},
		{__LINE__, "profile --node a --window 20", "--node has no --frequency"},
		{__LINE__, "profile --event a --sort cpu", "--event has no --sort"},
		{__LINE__, "profile --event a --diff b", "--event has no --diff"},
		{__LINE__, "profile --event a --input f", "--event is for what is sampled now"},
		{__LINE__, "record --event a f", "--event is of stacks: it goes with --profile"},
		{__LINE__, "record --event a --profile --metrics b f", "--event has no --metrics"},
		{__LINE__, "profile --event a --period 0",
		 "--period wants a number between 1 and 1000000000000"},
		{__LINE__, "serve --event a", "'cgtopdown profile --event NAME' samples an event"},
		{__LINE__, "stat -e a", "'cgtopdown profile --event NAME' samples one"},
		{__LINE__, "profile --input FILE -d 3", "--input shows what was recorded"},
		{__LINE__, "profile --input FILE -- ls", "--input shows what was recorded"},
		{__LINE__, "serve --by pod", "--by is an option of stat, top, record, report only"},
		{__LINE__, "stat --listen off", "--listen is an option of serve only"},
		{__LINE__, "serve --listen 9753",
		 "--listen wants an address and a port, such as 127.0.0.1:9753, [::1]:9753 or :9753 (all addresses), or unix:PATH, or off, not '9753'"},
		{__LINE__, "serve --listen unix:here", "not 'unix:here'"},
		{__LINE__, "serve --listen ::1:9753", "not '::1:9753'"},
		{__LINE__, "serve --listen [127.0.0.1]:9753", "not '[127.0.0.1]:9753'"},
		{__LINE__, "serve --listen 127.0.0.1:65536", "not '127.0.0.1:65536'"},
		{__LINE__, "serve --listen off", "nobody gets any figures"},
		{__LINE__, "neighbours --explain db --format jsonl", "--explain is for people"},
		{__LINE__, "serve --kubernetes-events", "it goes with --neighbours"},
		{__LINE__, "serve --profile-top 5 --bearer-token-file T", "it goes with --profile"},
		{__LINE__, "serve --profile --profile-top 5", "where everybody could read them"},
		{__LINE__, "serve --profile --profile-top 5 --listen :9753 --local-socket /run/x",
		 "it wants --bearer-token-file or --basic-auth-file"},
		{__LINE__, "serve --profile --profile-top 21 --bearer-token-file T",
		 "--profile-top wants a number between 0 and 20"},
		{__LINE__, "serve --kubernetes-api k:6443", "not 'k:6443'"},
		{__LINE__, "serve --tls-cert C", "--tls-cert and --tls-key go together"},
		{__LINE__, "serve --bearer-token-file T --basic-auth-file B", "either --bearer"},
		{__LINE__, "serve --otlp ftp://x", "--otlp wants a URL such as http://"},
		{__LINE__, "serve --otlp http://", "not 'http://'"},
		{__LINE__, "serve --kubelet https:///pods", "not 'https:///pods'"},
		{__LINE__, "serve --otlp-header A", "--otlp-header wants a header as NAME=VALUE"},
		{__LINE__, "serve --otlp-header =b", "not '=b'"},
		{__LINE__, "serve --otlp-header A:x=b", "not 'A:x=b'"},
		{__LINE__, "serve --check-config", "--check-config wants a --config FILE to check"},
		{__LINE__, "serve now", "unexpected 'now'"},
		{__LINE__, "doctor --tree", "--tree is an option of stat, top, report only"},
		{__LINE__, "stat ls", "unexpected 'ls': a COMMAND comes after '--'"},
		{__LINE__, "stat --", "after '--' comes the COMMAND to run"},
		{__LINE__, "report FILE -- ls", "there is no COMMAND to run, so no '--'"},
		{__LINE__, "report", "cgtopdown report: a FILE is missing; see"},
		{__LINE__, "record -- ls", "a FILE is missing"},
		{__LINE__, "report A B", "unexpected 'B'"},
		{__LINE__, "report ''", "unexpected ''"},
		{__LINE__, "--explain",
		 "list: --explain wants a metric of 'cgtopdown list metrics'"},
		{__LINE__, "--explain memroy_bound",
		 "'memroy_bound', perhaps 'memory_bound' is meant"},
		{__LINE__, "--explain no_such", "or its column, not 'no_such'"},
		{__LINE__, "--explained retiring", "first comes a command, not '--explained'"},
		{__LINE__, "list cpus --explain retiring", "--explain is of metrics, not of cpus"},
		{__LINE__, "list sinks --metrics-dir /d",
		 "--metrics-dir is of metrics, not of sinks"},
		{__LINE__, "list --core cpu_atom",
		 "--cpuid, --core and --plan go with --metrics-dir"},
		{__LINE__, "list --plan", "--cpuid, --core and --plan go with --metrics-dir"},
		{__LINE__, "list --metrics-dir /d --level 3",
		 "--metrics and --level go with --plan"},
		{__LINE__, "list --metrics-dir /d --plan --level 7",
		 "--level wants 1, 2, 3, 4, 5 or 6"},
		{__LINE__, "list --metrics-dir /d --plan --explain x", "one at a time"},
		{__LINE__, "stat --level 3", "levels 3 to 6 go with --metrics-dir"},
		{__LINE__, "stat --level 7 --metrics-dir /d", "--level"},
		{__LINE__, "serve --level 3", "levels 3 to 6 go with --metrics-dir"},
		{__LINE__, "serve --metrics-dir /d --profile", "--metrics-dir has no --profile"},
		{__LINE__, "stat --metrics x", "levels 3 to 6 go with --metrics-dir"},
		{__LINE__, "stat --drill",
		 "--drill goes with --metrics-dir: --level 2 counts all of the built-in tree"},
		{__LINE__, "record --metrics-dir /d --drill f",
		 "--drill is an option of stat only"},
		{__LINE__, "stat --metrics-dir /d --source sim",
		 "--source sim has no events of --metrics-dir"},
		{__LINE__, "stat --metrics-dir /d --general", "--metrics-dir has no --general"},
		{__LINE__, "stat --metrics-dir /d -r 2 -- ls", "--metrics-dir has no --general"},
		{__LINE__, "record --metrics-dir /d --profile f", "--metrics-dir has no --general"},
		{__LINE__, "record --level 3 f", "levels 3 to 6 go with --metrics-dir"},
		{__LINE__, "report --metrics-dir /d f",
		 "--metrics-dir is an option of stat, record, profile, serve, list only"},
		{__LINE__, "list --metrics-dir", "--metrics-dir wants a directory"},
		{__LINE__, "top --input FILE --url https://node:9753", "either --input or --url"},
		{__LINE__, "top --url-insecure", "go with --url"},
		{__LINE__, "top --format csv",
		 "--format is an option of stat, report, neighbours only"},
		{__LINE__, "top --url http://localhost.example --url-token-file F",
		 "wants an https URL"},
		{__LINE__, "stat --explain retiring",
		 "--explain is an option of neighbours, list only"},
		{__LINE__, "stat --sort memory_bond", "perhaps 'memory_bound' is meant"},
		{__LINE__, "list metric", "unknown list 'metric', perhaps 'metrics' is meant"},
		{__LINE__, "list cpus events", "unexpected 'events'"},
		{__LINE__, "help stats", "unknown command 'stats', perhaps 'stat' is meant"},
		{__LINE__, "help stat record", "unexpected 'record'"},
		{__LINE__, "recrod",
		 "cgtopdown: unknown command 'recrod', perhaps 'record' is meant; "
		 "see 'cgtopdown --help'\n"},
		{__LINE__, "frobnicate", "unknown command 'frobnicate'; see"},
		{__LINE__, "''", "unknown command ''; see"},
		{__LINE__, "-i 5 stat", "first comes a command, not '-i'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_options options = {.source = "untouched"};
		struct command_line line;
		struct capture capture;
		const char *message;
		int error;

		split(cases[i].text, &line);
		capture_begin(&capture);
		error = ctd_options_parse(line.argc, line.argv, &options);
		message = capture_end(&capture);
		if (error != -EINVAL || strcmp(options.source, "untouched") != 0)
			fail_msg("line %d: '%s' gives %d", cases[i].line, cases[i].text, error);
		if (!strstr(message, cases[i].wanted) ||
		    strchr(message, '\n') != message + strlen(message) - 1)
			fail_msg("line %d: '%s' says\n%snot\n%s", cases[i].line, cases[i].text,
				 message, cases[i].wanted);
	}
}

static void without_a_command_help_goes_to_stderr(void **state)
{
	struct ctd_options options;
	struct command_line line;
	struct capture capture;
	int error;

	(void)state;
	split("", &line);
	capture_begin(&capture);
	error = ctd_options_parse(line.argc, line.argv, &options);
	assert_non_null(strstr(capture_end(&capture), "Usage: cgtopdown COMMAND"));
	assert_int_equal(error, -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_command_lines_become_options),
		cmocka_unit_test(bad_command_lines_are_refused_in_one_clear_line),
		cmocka_unit_test(without_a_command_help_goes_to_stderr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
