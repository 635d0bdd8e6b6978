/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* options.h - the command line as data. The tables of table.h give parsing, --help and the man
 * page. */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <cgtopdown/profile_sink.h>
#include <cgtopdown/report.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum ctd_command {
	CTD_COMMAND_STAT,
	CTD_COMMAND_TOP,
	CTD_COMMAND_RECORD,
	CTD_COMMAND_REPORT,
	CTD_COMMAND_PROFILE,
	CTD_COMMAND_NEIGHBOURS,
	CTD_COMMAND_SERVE,
	CTD_COMMAND_DOCTOR,
	CTD_COMMAND_LIST,
	CTD_COMMAND_HELP,
	CTD_COMMAND_VERSION,
};

/* What an option that may be given several times was given, in order. */
#define CTD_TEXTS_MAX 32
struct ctd_texts {
	const char *text[CTD_TEXTS_MAX + 1]; /* ended by NULL */
	size_t count;
};

/* Of `serve` alone. NULL: not given. */
struct ctd_serve_options {
	const char *listen; /* --listen: "127.0.0.1:9753", "[::]:9753"; "off": no server */
	struct ctd_texts allow_hosts; /* --allow-host: names */
	const char *socket_mode, *socket_group; /* --socket-mode, --socket-group */
	const char *tls_cert, *tls_key; /* --tls-cert, --tls-key: files */
	const char *bearer_token_file, *basic_auth_file;
	uint64_t accounts_max; /* --accounts-max */
	uint64_t linger_ns; /* --linger */
	bool neighbours; /* --neighbours */
	const char *state_dir; /* --state-dir */
	bool no_created; /* --no-created */
	bool wait_histogram; /* --wait-histogram */
	uint64_t pairs_max; /* --pairs-max */
	uint32_t profile_frequency_hz,
		profile_window_us; /* --profile-frequency, --profile-window */
	uint64_t profile_top; /* --profile-top */
	const char *otlp; /* --otlp: URL */
	uint64_t otlp_interval_ns; /* --otlp-interval */
	struct ctd_texts otlp_headers; /* --otlp-header: "NAME=VALUE" */
	const char *otlp_header_file, *otlp_ca; /* --otlp-header-file, --otlp-ca: files */
	const char *cluster_name, *node_name; /* --cluster-name, --node-name */
	const char *kubelet; /* --kubelet: URL */
	const char *kubelet_ca, *kubelet_token_file; /* --kubelet-ca, --kubelet-token-file */
	bool kubelet_insecure; /* --kubelet-insecure */
	struct ctd_texts pod_labels; /* --pod-label: names or globs */
	bool kubernetes_events; /* --kubernetes-events */
	const char *kubernetes_api; /* --kubernetes-api: URL */
	/* --kubernetes-ca, --kubernetes-token-file */
	const char *kubernetes_ca, *kubernetes_token_file;
	const char *history; /* --history: directory */
	uint64_t history_mb; /* --history-size */
	const char *config; /* --config: file */
	bool check_config; /* --check-config */
};

/* Of `profile` alone. NULL: not given. */
struct ctd_profile_options {
	uint64_t duration_ns; /* --duration; 0: 10 s, or with `-- COMMAND` its whole run */
	uint32_t frequency_hz, window_us; /* --frequency, --window; 0: the defaults */
	const char *event, *node; /* --event, --node */
	uint64_t period; /* --period: of so many events a sample is one; 0: not given */
	struct ctd_profile_wanted wanted; /* --container, --pod, --namespace */
	const char *base; /* --diff: a recording */
	bool lines; /* --lines, also of record */
};

/* Of `top`, and the URL of `neighbours`. NULL: not given. */
struct ctd_top_options {
	struct ctd_texts urls; /* --url: of a serve each */
	const char *url_command; /* --url-command */
	const char *filter; /* --filter */
	const char *url_ca, *url_token_file; /* --url-ca, --url-token-file: files */
	bool url_insecure; /* --url-insecure */
};

/* Of `report` alone. Since 1970; 0: not given. */
struct ctd_report_command {
	uint64_t since_ns, until_ns, at_ns; /* --since, --until, --at */
	const char *base; /* --diff: a recording, or a time; NULL: not given */
};

/* Of `neighbours` alone. NULL: not given. */
struct ctd_neighbours_command {
	const char *explain; /* --explain: key or name of a victim */
};

/* Of stat, record and serve without --interval. */
#define CTD_INTERVAL_DEFAULT_NS 1000000000ull
/* The fallback of --max-slice in the table of options. */
#define CTD_MAX_SLICE_DEFAULT_NS 100000000ull
/* Where serve is found by programs on its machine. */
#define CTD_LOCAL_SOCKET "/run/cgtopdown/socket"
/* Where the unit of systemd has it keep its history. */
#define CTD_HISTORY_DIRECTORY "/var/lib/cgtopdown/history"

struct ctd_config;

/* All strings are borrowed from argv, or from the configuration. */
struct ctd_options {
	enum ctd_command command;
	enum ctd_command help_of; /* CTD_COMMAND_HELP: of which command; CTD_COMMAND_HELP: of all */
	uint64_t interval_ns; /* -i; 0: 1 s, or with `-- COMMAND` its whole run */
	uint64_t count; /* -n; 0: until interrupted */
	uint32_t repeat; /* -r: runs of a COMMAND; 0: one, and not asked for */
	const char *source; /* --source: "auto", "sim", "none", "gp_slots", "software:5" */
	const char *profile_file; /* of --source sim:FILE; NULL: the built-in profiles */
	bool ipc; /* --general */
	bool waits; /* --waits */
	bool no_waits; /* --no-waits, of serve */
	int level; /* --level; 0: 1 for a table, all that there is for csv and jsonl */
	enum ctd_group_by by;
	bool by_given; /* rather than left to us */
	const char *cgroup_glob; /* --cgroup */
	const char *pids; /* --pid: as ctd_pids_parse() takes it; NULL: not given */
	const char *sort; /* --sort; NULL: not given */
	int top; /* --top; 0: all */
	bool tree; /* --tree */
	const char *format; /* --format: name of a sink */
	const char *output; /* --output: file; NULL: not given */
	bool with_profile; /* --profile, of serve and record */
	bool read_each; /* --read each */
	bool no_pin; /* --no-pin */
	const char *cpus; /* --cpus: CPUs that may be flushed and interrupted; the others are
			     fenced. NULL: all but isolated */
	const char *root; /* --root: a recorded machine */
	const char *host_root; /* --host-root: for names only; NULL: as root */
	const char *hierarchy; /* --hierarchy auto|v2|CONTROLLER */
	uint64_t max_slice_ns; /* --max-slice, 100 ms by default; 0: off */
	uint32_t rows_max; /* --rows; 0: default */
	uint64_t budget_ppm; /* --budget: of all CPU time of the machine; 0: without limit */
	uint64_t budget_window_ns; /* --budget-window, for tests; 0: default */
	int32_t shown_by; /* a process of ours that shows what this one counts; 0: none */
	const char *colour; /* --color auto|always|never */
	const char *local_socket; /* --local-socket: path, "none"; NULL: CTD_LOCAL_SOCKET, if it can
				     be had */
	bool standalone; /* --standalone */
	bool no_sandbox; /* --no-sandbox */
	int verbose; /* -v */
	const char *file; /* record FILE, report FILE; "-": see ctd_options_is_stream() */
	const char *input; /* --input: what to show instead of measuring; "-": standard input */
	const char *what; /* list WHAT; NULL: everything */
	const char *explain; /* --explain: name of a metric */
	bool json; /* --json, of list and doctor */
	const char *metrics_dir; /* --metrics-dir: vendors' files; NULL: not given */
	const char *cpuid, *core; /* --cpuid, --core: of which processor they are to be */
	const char *metrics; /* --metrics: names of metrics and groups of theirs; NULL: not given */
	bool drill; /* --drill */
	bool plan; /* --plan: in which groups they are counted */
	char **program; /* after "--"; NULL: none */
	bool manual; /* help --man: the whole manual page, in roff */
	const char *completion; /* help --completion: name of a shell */
	bool scroll; /* --scroll */
	struct ctd_top_options screen;
	struct ctd_profile_options profile;
	struct ctd_neighbours_command neighbours;
	struct ctd_report_command report;
	uint64_t sample_period_ns; /* --sample-period, of neighbours and serve */
	struct ctd_serve_options serve;
	struct ctd_config *config; /* owned; what came from --config FILE */
	char **arguments; /* what was parsed, to see what a changed FILE would make of it */
};

/*
 * Parses argv, and before that the file of --config. On a usage error one clear line goes to stderr
 * (what is wrong with which option, and where to read on); on errors in the file one for each.
 * @return 0, or -EINVAL for a usage error or an unusable file.
 */
int ctd_options_parse(int argc, char **argv, struct ctd_options *ret_options);
void ctd_options_free(struct ctd_options *options);
/* Are figures of several machines wanted: of several --url, or of --url-command? */
bool ctd_options_are_of_nodes(const struct ctd_options *options);
/* Is a token that is shown there read by nobody on the way: by HTTPS, or on this machine? */
bool ctd_options_is_safe_url(const char *url);
/* FILE is "-": standard input or output. */
bool ctd_options_is_stream(const struct ctd_options *options);

/* --help, of one command or of all: grouped, with examples, 80 columns. */
void ctd_options_help(FILE *out, enum ctd_command command);
/* The manual page, in roff. */
void ctd_options_man(FILE *out);

/* Each command's main: @return the exit status, 0, 1 or another that its help states. */
int ctd_stat_main(const struct ctd_options *options);
int ctd_top_main(const struct ctd_options *options);
int ctd_record_main(const struct ctd_options *given);
int ctd_profile_main(const struct ctd_options *given);
int ctd_report_main(const struct ctd_options *options);
int ctd_neighbours_main(const struct ctd_options *options);
int ctd_serve_main(const struct ctd_options *options);
int ctd_doctor_main(const struct ctd_options *options);
int ctd_list_main(const struct ctd_options *options);

#endif
