/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* store.c - turns the text of an option into its field. */
#include <cgtopdown/counters.h>
#include <cgtopdown/cpu.h>
#include <cgtopdown/rollup.h>
#include <cgtopdown/sink.h>

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "app/explain/explain.h"
#include "app/options/pids.h"
#include "app/options/table.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/num.h"
#include "base/when.h"
#include "serve/http/listen.h"
#include "serve/push/headers.h"

/* More than that changes nothing. */
#define MORE_MAX 9

/* Fields of numbers, choices and flags are of these sizes. */
static void put(const struct ctd_option *option, uint64_t value, void *field)
{
	switch (option->bytes) {
	case sizeof(bool):
		*(bool *)field = value;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)field = (uint32_t)value;
		break;
	default:
		assert(option->bytes == sizeof(uint64_t));
		*(uint64_t *)field = value;
	}
}

/* On a command line there is no value; in a file there is. */
int ctd_store_flag(const struct ctd_option *option, const char *text, void *field)
{
	bool value = !text || strcmp(text, "true") == 0;

	if (!value && strcmp(text, "false") != 0)
		return -EINVAL;
	put(option, value, field);
	return 0;
}

int ctd_store_more(const struct ctd_option *option, const char *text, void *field)
{
	long long value;

	(void)option;
	if (!text)
		++*(int *)field;
	else if (ctd_parse_integer(text, 0, MORE_MAX, &value))
		return -EINVAL;
	else
		*(int *)field = (int)value;
	return 0;
}

bool ctd_option_is_list(const struct ctd_option *option)
{
	return option->store == ctd_store_texts || option->store == ctd_store_headers ||
	       option->store == ctd_store_urls;
}

bool ctd_option_adds(const struct ctd_option *option)
{
	return option->store == ctd_store_more || ctd_option_is_list(option);
}

int ctd_store_number(const struct ctd_option *option, const char *text, void *field)
{
	long long value;

	if (ctd_parse_integer(text, (long long)option->min, (long long)option->max, &value))
		return -EINVAL;
	put(option, (uint64_t)value, field);
	return 0;
}

int ctd_store_duration(const struct ctd_option *option, const char *text, void *field)
{
	return ctd_parse_duration_ns(text, option->min, option->max, field) ? -EINVAL : 0;
}

int ctd_store_percentage(const struct ctd_option *option, const char *text, void *field)
{
	return ctd_parse_percentage_ppm(text, option->min, option->max, field) ? -EINVAL : 0;
}

int ctd_store_time(const struct ctd_option *option, const char *text, void *field)
{
	(void)option;
	return ctd_when_parse(text, ctd_realtime_ns(), field);
}

int ctd_store_max_slice(const struct ctd_option *option, const char *text, void *field)
{
	uint64_t ns;

	if (ctd_parse_duration_ns(text, 0, option->max, &ns) || (ns && ns < option->min))
		return -EINVAL;
	*(uint64_t *)field = ns;
	return 0;
}

/* @return the index of @p text in a list ended by NULL, or -1. */
static int find(const char *const *names, const char *text)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], text) == 0)
			return i;
	return -1;
}

int ctd_store_choice(const struct ctd_option *option, const char *text, void *field)
{
	int choice = find(option->choices, text);

	if (choice < 0)
		return -EINVAL;
	put(option, (uint64_t)choice, field);
	return 0;
}

/* Commands have some of them each: a name's place among the choices says nothing. */
int ctd_store_grouping(const struct ctd_option *option, const char *text, void *field)
{
	enum ctd_group_by by = CTD_GROUP_CGROUP;

	if (find(option->choices, text) < 0)
		return -EINVAL;
	while (strcmp(ctd_group_by_name(by), text) != 0)
		by++;
	put(option, by, field);
	return 0;
}

int ctd_store_text(const struct ctd_option *option, const char *text, void *field)
{
	(void)option;
	if (!*text)
		return -EINVAL;
	*(const char **)field = text;
	return 0;
}

int ctd_store_choice_text(const struct ctd_option *option, const char *text, void *field)
{
	return find(option->choices, text) < 0 ? -EINVAL : ctd_store_text(option, text, field);
}

/* What a design is counted by; where it can be is seen later. */
static bool is_source(const char *text)
{
	return strcmp(text, "auto") == 0 || strcmp(text, "none") == 0 || ctd_cpu_is_source(text);
}

/* "sim:FILE" is for two fields: `profile_file` gets the rest. */
int ctd_store_source(const struct ctd_option *option, const char *text, void *field)
{
	static const char sim_file[] = "sim:";
	struct ctd_options *options =
		(void *)((char *)field - offsetof(struct ctd_options, source));
	const char *file = NULL;

	if (strncmp(text, sim_file, strlen(sim_file)) == 0) {
		file = text + strlen(sim_file);
		if (!*file)
			return -EINVAL;
		text = "sim";
	} else if (!is_source(text) && !ctd_pmu_is_software(text)) {
		return -EINVAL;
	}
	options->profile_file = file;
	return ctd_store_text(option, text, field);
}

/* Whether there is such a one is seen later: it may be of --metrics-dir. */
int ctd_store_metric(const struct ctd_option *option, const char *text, void *field)
{
	const char *name = ctd_explain_find(text);

	return ctd_store_text(option, name ? name : text, field);
}

static void suggest_all(struct ctd_suggestion *suggestion, const char *const *names)
{
	for (; names && *names; names++)
		ctd_suggestion_try(suggestion, *names);
}

static const char *const sort_keys[] = {"cpu", "slots", "name", NULL};
static const char *const other_sources[] = {"auto", "none", "sim", NULL};

void ctd_sort_suggest(struct ctd_suggestion *suggestion)
{
	suggest_all(suggestion, sort_keys);
}

void ctd_option_suggest(const struct ctd_option *option, struct ctd_suggestion *suggestion)
{
	suggest_all(suggestion, option->choices);
	if (option->store == ctd_store_sort)
		ctd_sort_suggest(suggestion);
	if (option->store == ctd_store_metric || option->store == ctd_store_sort)
		ctd_explain_suggest(suggestion);
	for (int i = 0; option->store == ctd_store_format && ctd_sinks[i]; i++)
		ctd_suggestion_try(suggestion, ctd_sinks[i]->name);
	/* Of one with a ':' all that may be there is said. */
	if (option->store != ctd_store_source || strchr(suggestion->given, ':'))
		return;
	suggest_all(suggestion, other_sources);
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		ctd_suggestion_try(suggestion, ctd_cpu_models[i]->source);
}

bool ctd_sort_is_ours(const char *text)
{
	return find(sort_keys, text) >= 0 || ctd_cpu_is_node(text);
}

/* Whether there is such a metric is seen later: it may be of --metrics-dir. */
int ctd_store_sort(const struct ctd_option *option, const char *text, void *field)
{
	return ctd_store_text(option, text, field);
}

int ctd_store_format(const struct ctd_option *option, const char *text, void *field)
{
	return ctd_sink_find(text) ? ctd_store_text(option, text, field) : -EINVAL;
}

/* Whether there are such processes is seen later. */
int ctd_store_pids(const struct ctd_option *option, const char *text, void *field)
{
	struct ctd_pids pids;

	return ctd_pids_parse(text, &pids) ? -EINVAL : ctd_store_text(option, text, field);
}

/* Whether the machine has these CPUs is seen later. */
int ctd_store_cpus(const struct ctd_option *option, const char *text, void *field)
{
	autofree bool *set = calloc(CTD_CPUS_MAX, sizeof(*set));

	if (!set || ctd_parse_cpu_list(text, strlen(text), set, CTD_CPUS_MAX))
		return -EINVAL;
	return ctd_store_text(option, text, field);
}

/* Whether it can be had is seen later. */
int ctd_store_listen(const struct ctd_option *option, const char *text, void *field)
{
	struct ctd_listen_address address;

	if (strcmp(text, "off") != 0 && ctd_listen_parse(text, &address))
		return -EINVAL;
	return ctd_store_text(option, text, field);
}

/* Whether it can be had, or a server is there, is seen later. */
int ctd_store_socket(const struct ctd_option *option, const char *text, void *field)
{
	struct sockaddr_un room;

	if (strcmp(text, "none") != 0 && (*text != '/' || strlen(text) >= sizeof(room.sun_path)))
		return -EINVAL;
	return ctd_store_text(option, text, field);
}

int ctd_store_mode(const struct ctd_option *option, const char *text, void *field)
{
	uint32_t mode;

	return ctd_socket_mode_parse(text, &mode) ? -EINVAL : ctd_store_text(option, text, field);
}

/* Whether anybody answers there is seen later. */
int ctd_store_url(const struct ctd_option *option, const char *text, void *field)
{
	static const char *const schemes[] = {"https://", "http://", NULL};

	for (int i = 0; schemes[i]; i++) {
		size_t bytes = strlen(schemes[i]);

		/* A host comes next; what is not visible is never in a URL. */
		if (strncmp(text, schemes[i], bytes) == 0 &&
		    (isalnum((unsigned char)text[bytes]) || text[bytes] == '[') &&
		    !text[strcspn(text, " \t\r\n")])
			return ctd_store_text(option, text, field);
	}
	return -EINVAL;
}

int ctd_store_texts(const struct ctd_option *option, const char *text, void *field)
{
	struct ctd_texts *texts = field;

	if (texts->count == CTD_TEXTS_MAX)
		return -EINVAL;
	if (ctd_store_text(option, text, &texts->text[texts->count]))
		return -EINVAL;
	texts->count++;
	return 0;
}

int ctd_store_urls(const struct ctd_option *option, const char *text, void *field)
{
	const char *url;

	return ctd_store_url(option, text, &url) ? -EINVAL : ctd_store_texts(option, text, field);
}

/* The token of RFC 9110 5.6.2, "=", and what may be in a line. */
int ctd_store_headers(const struct ctd_option *option, const char *text, void *field)
{
	size_t bytes = ctd_header_name_bytes(text);

	if (!bytes || text[bytes] != '=' || text[strcspn(text, "\r\n")])
		return -EINVAL;
	return ctd_store_texts(option, text, field);
}

/* "a, b or c". */
static void add_name(struct ctd_strbuf *text, const char *name, bool first, bool last)
{
	ctd_strbuf_addf(text, "%s%s", first ? "" : last ? " or " : ", ", name);
}

void ctd_option_add_wants(const struct ctd_option *option, struct ctd_strbuf *text)
{
	if (option->wants) {
		ctd_strbuf_add(text, option->wants);
	} else if (option->store == ctd_store_flag) {
		ctd_strbuf_add(text, "true or false");
	} else if (option->store == ctd_store_more) {
		ctd_strbuf_addf(text, "a number between 0 and %d", MORE_MAX);
	} else if (option->choices) {
		for (int i = 0; option->choices[i]; i++)
			add_name(text, option->choices[i], i == 0, !option->choices[i + 1]);
	} else if (option->store == ctd_store_format) {
		for (int i = 0; ctd_sinks[i]; i++)
			add_name(text, ctd_sinks[i]->name, i == 0, !ctd_sinks[i + 1]);
	} else {
		ctd_strbuf_addf(text, "a number between %" PRIu64 " and %" PRIu64, option->min,
				option->max);
	}
}
