/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* check.c - which options go together, and which do not. */
#include "app/options/check.h"

#include <curl/curl.h>
#include <errno.h>
#include <string.h>

#include "app/explain/explain.h"
#include "app/options/refuse.h"
#include "app/regions/rows.h"
#include "top/state.h"

/* Names of functions tell much of a program. */
static int check_profile_top(const struct ctd_command_text *command,
			     const struct ctd_options *options)
{
	const struct ctd_serve_options *serve = &options->serve;

	if (!serve->profile_top)
		return 0;
	if (!options->with_profile)
		return ctd_usage_refuse(
			command, "--profile-top is of what is sampled: it goes with --profile");
	if (!serve->bearer_token_file && !serve->basic_auth_file &&
	    strcmp(serve->listen, "off") != 0 &&
	    strncmp(serve->listen, "unix:", strlen("unix:")) != 0)
		return ctd_usage_refuse(
			command,
			"--profile-top puts names of functions into /metrics, where everybody could read them: it wants --bearer-token-file or --basic-auth-file, or a --listen that is unix:PATH or off");
	return 0;
}

static int check_serve(const struct ctd_command_text *command, const struct ctd_options *options)
{
	const struct ctd_serve_options *serve = &options->serve;
	bool local = options->local_socket && strcmp(options->local_socket, "none") != 0;

	if (!serve->tls_cert != !serve->tls_key)
		return ctd_usage_refuse(command, "--tls-cert and --tls-key go together");
	if (serve->bearer_token_file && serve->basic_auth_file)
		return ctd_usage_refuse(
			command,
			"either --bearer-token-file or --basic-auth-file: a request has one Authorization");
	if (options->with_profile && !serve->bearer_token_file && !serve->basic_auth_file &&
	    options->local_socket && !local &&
	    strncmp(serve->listen, "unix:", strlen("unix:")) != 0)
		return ctd_usage_refuse(
			command,
			"--profile hands names of functions out to those with a token or password, or at a Unix socket: it wants --bearer-token-file, --basic-auth-file or a --local-socket");
	if (serve->kubernetes_events && !serve->neighbours)
		return ctd_usage_refuse(
			command, "--kubernetes-events is of tags: it goes with --neighbours");
	if (serve->check_config && !serve->config)
		return ctd_usage_refuse(command, "--check-config wants a --config FILE to check");
	if (strcmp(serve->listen, "off") == 0 && !serve->otlp && !local)
		return ctd_usage_refuse(
			command,
			"with --listen off, and neither an --otlp URL nor a --local-socket, nobody gets any figures");
	return check_profile_top(command, options);
}

static int check_neighbours(const struct ctd_command_text *command,
			    const struct ctd_options *options)
{
	if (options->screen.urls.count > 1)
		return ctd_usage_refuse(command, "--url is given once: tags are of one serve");
	if (options->input && (options->screen.urls.count || options->count))
		return ctd_usage_refuse(
			command,
			"--input FILE goes without --url and --count: it is of another time, and shown at its end");
	if (strcmp(options->format, "csv") == 0)
		return ctd_usage_refuse(command, "--format csv: tags are a table or jsonl");
	if (options->neighbours.explain && strcmp(options->format, "jsonl") == 0)
		return ctd_usage_refuse(
			command,
			"--explain is for people: lines of --format jsonl have all tags with their evidence");
	return 0;
}

/* Of profile and record: an event, or a node's, that is sampled instead of CPU time. */
static int check_event(const struct ctd_command_text *command, const struct ctd_options *options)
{
	const struct ctd_profile_options *profile = &options->profile;
	const char *what = profile->node ? "--node" : "--event";

	if (!profile->event && !profile->node)
		return profile->period || options->core ||
				       (options->command == CTD_COMMAND_PROFILE &&
					options->metrics_dir)
			       ? ctd_usage_refuse(command,
						  "--period, --core%s are of an event that is "
						  "sampled: they go with --event%s",
						  options->command == CTD_COMMAND_PROFILE
							  ? " and --metrics-dir"
							  : "",
						  options->command == CTD_COMMAND_PROFILE
							  ? " or --node"
							  : " and --profile")
			       : 0;
	if (profile->event && profile->node)
		return ctd_usage_refuse(command, "either --event, or the one of a --node");
	if (options->command == CTD_COMMAND_RECORD && !options->with_profile)
		return ctd_usage_refuse(command, "--event is of stacks: it goes with --profile");
	if (options->input)
		return ctd_usage_refuse(
			command, "--input shows what was recorded: %s is for what is sampled now",
			what);
	if (profile->frequency_hz || profile->window_us)
		return ctd_usage_refuse(
			command,
			"%s has no --frequency and no --window: of so many events one is a sample, see --period",
			what);
	if (profile->base || options->sort)
		return ctd_usage_refuse(command,
					"%s has no %s: a profile of an event has that figure alone",
					what, profile->base ? "--diff" : "--sort");
	if (options->metrics || options->level > 2)
		return ctd_usage_refuse(
			command,
			"%s has no --metrics and no levels 3 to 6: these are counted, not sampled",
			what);
	return 0;
}

static int check_profile(const struct ctd_command_text *command, const struct ctd_options *options)
{
	if (!options->input && options->count)
		return ctd_usage_refuse(command,
					"--count is of recordings: it goes with --input only");
	if (options->profile.lines && options->profile.base)
		return ctd_usage_refuse(
			command,
			"--diff compares functions: it has no --lines, which change with each build");
	if (options->input && (options->program || options->profile.duration_ns))
		return ctd_usage_refuse(
			command,
			"--input shows what was recorded, so there is nothing to run or to wait for: -n takes its first intervals");
	return 0;
}

bool ctd_options_are_of_nodes(const struct ctd_options *options)
{
	return options->screen.urls.count > 1 || options->screen.url_command;
}

bool ctd_options_is_safe_url(const char *url)
{
	static const char *const hosts[] = {"localhost", "127.0.0.1", "[::1]"};
	/* In the eyes of who connects: http://localhost:x@node/ is a user's name and password. */
	CURLU *parts = curl_url();
	char *scheme = NULL, *host = NULL;
	bool is_safe = false;

	if (!curl_url_set(parts, CURLUPART_URL, url, 0) &&
	    !curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) &&
	    !curl_url_get(parts, CURLUPART_HOST, &host, 0)) {
		is_safe = strcasecmp(scheme, "https") == 0;
		for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
			is_safe |= strcasecmp(host, hosts[i]) == 0;
	}
	curl_free(scheme);
	curl_free(host);
	curl_url_cleanup(parts);
	return is_safe;
}

static int refuse_value_of(const struct ctd_command_text *command, ctd_option_store_fn *store,
			   const char *value)
{
	const struct ctd_option *option = ctd_option_next(NULL);

	while (option->store != store)
		option = ctd_option_next(option);
	return ctd_usage_refuse_value(command, option, value);
}

/* A recording may have a vendor's metrics, too: of which it is there it is seen later. */
static int check_sort(const struct ctd_command_text *command, const struct ctd_options *options)
{
	bool of_vendor = options->metrics_dir ||
			 (options->command == CTD_COMMAND_REPORT && !options->report.base);

	if (!options->sort || of_vendor)
		return 0;
	if (options->command == CTD_COMMAND_PROFILE && strcmp(options->sort, "name") == 0)
		return ctd_usage_refuse(
			command,
			"--sort takes samples, cpu, slots, or a metric of 'cgtopdown list metrics', not name");
	return ctd_sort_is_ours(options->sort)
		       ? 0
		       : refuse_value_of(command, ctd_store_sort, options->sort);
}

static int check_list(const struct ctd_command_text *command, const struct ctd_options *options)
{
	if (options->explain && options->what && strcmp(options->what, "metrics") != 0)
		return ctd_usage_refuse(command, "--explain is of metrics, not of %s",
					options->what);
	if (options->metrics_dir && options->what && strcmp(options->what, "metrics") != 0)
		return ctd_usage_refuse(command, "--metrics-dir is of metrics, not of %s",
					options->what);
	if ((options->cpuid || options->core || options->plan) && !options->metrics_dir)
		return ctd_usage_refuse(command,
					"--cpuid, --core and --plan go with --metrics-dir");
	if ((options->metrics || options->level) && !options->plan)
		return ctd_usage_refuse(command,
					"with 'list', --metrics and --level go with --plan");
	if (options->plan && options->explain)
		return ctd_usage_refuse(command,
					"--plan and --explain are asked for one at a time");
	if (!options->explain || options->metrics_dir || ctd_explain_find(options->explain))
		return 0;
	return refuse_value_of(command, ctd_store_metric, options->explain);
}

/* Options that a comparison does not have. */
static int check_diff(const struct ctd_command_text *command, const struct ctd_options *options)
{
	if (options->report.at_ns)
		return ctd_usage_refuse(
			command,
			"--diff goes with --since: one step, as of --at, does not tell what is chance");
	if (options->tree || options->waits || options->count)
		return ctd_usage_refuse(command, "--diff has no --tree, --waits or --count");
	if (options->by == CTD_GROUP_PROCESS || options->by == CTD_GROUP_TASK)
		return ctd_usage_refuse(
			command,
			"--diff is of what has a name: processes have other numbers in another run");
	return 0;
}

/* Of stat and record vendors' metrics are counted without the core's design, and shown as a tree or
 * by name; serve counts both. */
static int check_vendor(const struct ctd_command_text *command, const struct ctd_options *options)
{
	bool is_auto = strcmp(options->source, "auto") == 0;

	if (!options->metrics_dir && (options->metrics || options->level > 2))
		return ctd_usage_refuse(command,
					"--metrics and levels 3 to 6 go with --metrics-dir");
	if (!options->metrics_dir && options->drill)
		return ctd_usage_refuse(
			command,
			"--drill goes with --metrics-dir: --level 2 counts all of the built-in tree");
	if (options->metrics_dir && !is_auto && strcmp(options->source, "software") != 0)
		return ctd_usage_refuse(command,
					"--source %s has no events of --metrics-dir: leave one out",
					options->source);
	if (options->command == CTD_COMMAND_SERVE)
		return options->metrics_dir && options->with_profile
			       ? ctd_usage_refuse(command, "--metrics-dir has no --profile")
			       : 0;
	if (options->metrics_dir && (options->ipc || options->repeat || options->with_profile))
		return ctd_usage_refuse(command,
					"--metrics-dir has no --general, --repeat or --profile");
	return 0;
}

/* Regions are what programs offer: nothing is counted here, and rows are what they are. */
static int check_region(const struct ctd_command_text *command, const struct ctd_options *options)
{
	if (options->by != CTD_GROUP_REGION)
		return options->pids
			       ? ctd_usage_refuse(
					 command,
					 "--pid goes with --by region: 'cgtopdown stat --by process' has a row for each process, 'cgtopdown profile -p PID' the functions of one")
			       : 0;
	if (options->pids && (options->program || options->cgroup_glob))
		return ctd_usage_refuse(
			command,
			"with --by region, either --pid, --cgroup or a COMMAND says which programs");
	if (options->program && options->cgroup_glob)
		return ctd_usage_refuse(
			command, "with --by region, a COMMAND is shown alone: leave out --cgroup");
	if (options->waits || options->ipc || options->repeat || options->root ||
	    options->metrics_dir || strcmp(options->source, "auto") != 0)
		return ctd_usage_refuse(
			command,
			"--by region shows what programs count themselves: it has no --source, --waits, --general, --metrics-dir, --repeat or --root");
	if (options->level > 2)
		return ctd_usage_refuse(command, "--by region has levels 1 and 2");
	if (!ctd_region_can_sort(options->sort))
		return ctd_usage_refuse(
			command,
			"--by region is sorted by cpu, which is the time, slots, name, or a metric of levels 1 and 2, not %s",
			options->sort);
	return 0;
}

static bool is_of_history(const struct ctd_options *options)
{
	return options->report.since_ns || options->report.until_ns || options->report.at_ns;
}

static int check_urls(const struct ctd_command_text *command, const struct ctd_options *options)
{
	const struct ctd_top_options *screen = &options->screen;
	bool has_url = screen->urls.count || screen->url_command;

	if (options->input && has_url)
		return ctd_usage_refuse(command,
					"either --input or --url: the screen shows one source");
	if (screen->urls.count && screen->url_command)
		return ctd_usage_refuse(command,
					"either --url or --url-command, which tells all URLs");
	for (size_t i = 0; screen->url_token_file && i < screen->urls.count; i++)
		if (!ctd_options_is_safe_url(screen->urls.text[i]))
			return ctd_usage_refuse(
				command,
				"--url-token-file wants an https URL, or one of this machine");
	if (!has_url && (screen->url_ca || screen->url_token_file || screen->url_insecure))
		return ctd_usage_refuse(
			command, "--url-ca, --url-token-file and --url-insecure go with --url");
	if (screen->filter && strlen(screen->filter) >= CTD_TOP_FILTER_BYTES)
		return ctd_usage_refuse(command, "--filter: so long a text is in no name");
	if (options->by == CTD_GROUP_NODE && !ctd_options_are_of_nodes(options))
		return ctd_usage_refuse(
			command,
			"--by node is of several machines: it goes with several --url, or --url-command");
	return 0;
}

int ctd_options_check(const struct ctd_command_text *command, const struct ctd_options *options)
{
	if (command->takes == CTD_TAKES_FILE && !options->file && !is_of_history(options))
		return ctd_usage_refuse(command, "a FILE is missing");
	if (check_sort(command, options))
		return -EINVAL;
	if (options->tree && options->by != CTD_GROUP_CGROUP)
		return ctd_usage_refuse(command,
					"--tree is of cgroups: it goes with --by cgroup only");
	if (options->repeat && !options->program)
		return ctd_usage_refuse(command,
					"--repeat is of a COMMAND, which comes after '--'");
	if (options->repeat && (options->interval_ns || options->count))
		return ctd_usage_refuse(
			command,
			"with --repeat each run is one interval: there is no --interval and no --count");
	if (options->repeat && (options->ipc || strcmp(options->format, "table") != 0))
		return ctd_usage_refuse(
			command,
			"--repeat shows means of times, slots and shares, as text: there is no --general and no --format");
	if ((options->command == CTD_COMMAND_PROFILE || options->command == CTD_COMMAND_RECORD) &&
	    check_event(command, options))
		return -EINVAL;
	if ((options->command == CTD_COMMAND_STAT || options->command == CTD_COMMAND_RECORD ||
	     options->command == CTD_COMMAND_SERVE) &&
	    !options->profile.event && check_vendor(command, options))
		return -EINVAL;
	if (options->command == CTD_COMMAND_STAT && check_region(command, options))
		return -EINVAL;
	if (options->command == CTD_COMMAND_LIST && check_list(command, options))
		return -EINVAL;
	if (check_urls(command, options))
		return -EINVAL;
	if (options->report.at_ns && (options->report.since_ns || options->report.until_ns))
		return ctd_usage_refuse(command, "either --at, or --since and --until");
	if (options->report.base && check_diff(command, options))
		return -EINVAL;
	if (options->command == CTD_COMMAND_RECORD && options->profile.lines &&
	    !options->with_profile)
		return ctd_usage_refuse(command, "--lines are of stacks: it goes with --profile");
	if (options->command == CTD_COMMAND_PROFILE)
		return check_profile(command, options);
	if (options->command == CTD_COMMAND_NEIGHBOURS)
		return check_neighbours(command, options);
	return options->command == CTD_COMMAND_SERVE ? check_serve(command, options) : 0;
}
