/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pprof.c - the gzipped protobuf of pprof, which Parca, Pyroscope and others read, too. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/gzip.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/protobuf.h"
#include "base/strbuf.h"
#include "format/format.h"
#include "profile_sink/weights.h"

/* https://github.com/google/pprof/blob/main/proto/profile.proto */
enum profile_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING_TABLE,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_COMMENT,
	PROFILE_DEFAULT_SAMPLE_TYPE,
};
enum { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT };
enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR };
enum {
	MAPPING_ID = 1,
	MAPPING_MEMORY_START,
	MAPPING_MEMORY_LIMIT,
	MAPPING_FILE_OFFSET,
	MAPPING_FILENAME,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
};
enum { LOCATION_ID = 1, LOCATION_MAPPING_ID, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION_ID = 1, LINE_LINE };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME,
	FUNCTION_SYSTEM_NAME,
	FUNCTION_FILENAME,
	FUNCTION_START_LINE,
};

struct writing {
	const struct ctd_profile *profile;
	struct ctd_strbuf message; /* owned */
	struct ctd_intern strings;
	const char **texts; /* owned; of `strings`, borrowed */
	size_t texts_capacity;
	char **owned; /* owned, with the texts */
	size_t owned_count;
	bool *has_function, *has_module; /* owned; which some stack has */
	uint32_t *last_place; /* owned; by whole functions: 1 + index of the last that is written */
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	int weights_count;
};

static void writing_free(struct writing *writing)
{
	ctd_strbuf_free(&writing->message);
	ctd_intern_free(&writing->strings);
	for (size_t i = 0; i < writing->owned_count; i++)
		free(writing->owned[i]);
	free(writing->owned);
	free(writing->texts);
	free(writing->has_function);
	free(writing->has_module);
	free(writing->last_place);
}

struct wanted {
	const char *const *texts;
	const char *text;
};

static bool is_text(size_t index, const void *context)
{
	const struct wanted *wanted = context;

	return strcmp(wanted->texts[index], wanted->text) == 0;
}

/* The index of @p text, which must outlive the message, in the table of strings. */
static uint64_t string_of(struct writing *writing, const char *text)
{
	struct wanted wanted = {writing->texts, text};
	struct ctd_intern *strings = &writing->strings;
	uint64_t hash = ctd_hash(text, strlen(text));
	size_t at = ctd_intern_find(strings, hash, is_text, &wanted);

	if (at < strings->count)
		return at;
	if (at == writing->texts_capacity) {
		size_t capacity = at ? 2 * at : 256;
		void *larger = reallocarray(writing->texts, capacity, sizeof(*writing->texts));

		if (!larger)
			goto failed;
		writing->texts = larger;
		writing->texts_capacity = capacity;
	}
	if (ctd_intern_reserve(strings))
		goto failed;
	writing->texts[at] = text;
	ctd_intern_add(strings, hash);
	return at;
failed:
	writing->message.failed = true;
	return 0;
}

static void add_string(struct writing *writing, int field, const char *text)
{
	ctd_protobuf_varint(&writing->message, field, string_of(writing, text));
}

static void add_value_type(struct writing *writing, int field, const char *type, const char *unit)
{
	size_t mark = ctd_protobuf_begin(&writing->message, field);

	add_string(writing, VALUE_TYPE_TYPE, type);
	add_string(writing, VALUE_TYPE_UNIT, unit);
	ctd_protobuf_end(&writing->message, mark);
}

static void add_label(struct writing *writing, const char *key, const char *text,
		      struct ctd_strbuf *labels)
{
	size_t mark;

	if (!text || !*text)
		return;
	mark = ctd_protobuf_begin(labels, SAMPLE_LABEL);
	ctd_protobuf_varint(labels, LABEL_KEY, string_of(writing, key));
	ctd_protobuf_varint(labels, LABEL_STR, string_of(writing, text));
	ctd_protobuf_end(labels, mark);
}

/* Those of all samples of a row. Few values each: consumers make a series of each set of labels. */
static void make_labels(struct writing *writing, const struct ctd_profile_row *row,
			const char *row_name, struct ctd_strbuf *labels)
{
	const struct ctd_rollup_plan *plan = writing->profile->rollup->plan;
	struct ctd_row_facts facts;

	ctd_row_facts(row->row->kind, row->row->identity, &facts);
	add_label(writing, "namespace", facts.namespace_name, labels);
	add_label(writing, "pod", facts.pod ? facts.pod : facts.pod_uid, labels);
	add_label(writing, "container", facts.container ? facts.container : facts.container_id,
		  labels);
	if (!facts.container_id && !facts.pod_uid)
		add_label(writing, "cgroup", facts.cgroup ? facts.cgroup : row_name, labels);
	if (plan->core_types_count > 1)
		add_label(writing, "core_type", plan->core_types[row->core_type].name, labels);
}

static void add_sample(struct writing *writing, const struct ctd_profile_stack *stack,
		       const struct ctd_strbuf *labels)
{
	struct ctd_strbuf *message = &writing->message;
	size_t mark = ctd_protobuf_begin(message, PROFILE_SAMPLE), count;
	const uint32_t *frames = ctd_profile_frames(writing->profile, stack, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t module = writing->profile->stacks->functions[frames[i]].module;

		ctd_protobuf_varint(message, SAMPLE_LOCATION_ID, (uint64_t)frames[i] + 1);
		writing->has_function[frames[i]] = true;
		writing->has_module[module] = true;
	}
	for (int i = 0; i < writing->weights_count; i++)
		ctd_protobuf_varint(message, SAMPLE_VALUE,
				    ctd_weight_of(&writing->weights[i], stack));
	if (labels->bytes)
		ctd_strbuf_add_bytes(message, labels->text, labels->bytes);
	ctd_protobuf_end(message, mark);
}

static char *keep(struct writing *writing, char *text)
{
	void *larger =
		reallocarray(writing->owned, writing->owned_count + 1, sizeof(*writing->owned));

	if (!larger || !text) {
		free(text);
		writing->message.failed = true;
	} else {
		writing->owned = larger;
		writing->owned[writing->owned_count++] = text;
	}
	return writing->message.failed ? NULL : text;
}

/* What the row's figures are worth, for people. */
static void add_comment(struct writing *writing, const struct ctd_profile_row *row,
			const char *name)
{
	char *text;
	double slots = (double)row->slots / 100;

	if (!row->samples || !row->slots_known || ctd_profile_has_event(writing->profile))
		return;
	if (asprintf(&text,
		     "%s: %" PRIu64 " samples x %.4f = its CPU time; %.1f%% with a window; shares "
		     "of %.1f%% of its slots by the stack's own windows, %.1f%% by the function's, "
		     "%.1f%% by the row's",
		     name, row->samples, row->factor,
		     100 * (double)row->windows / (double)row->samples,
		     (double)row->slots_by_source[CTD_SHARES_STACK] / slots,
		     (double)row->slots_by_source[CTD_SHARES_FUNCTION] / slots,
		     (double)row->slots_by_source[CTD_SHARES_ROW] / slots) < 0)
		text = NULL;
	text = keep(writing, text);
	if (text)
		add_string(writing, PROFILE_COMMENT, text);
}

static void add_rows(struct writing *writing)
{
	const struct ctd_profile *profile = writing->profile;

	for (size_t i = 0; i < profile->rows_count; i++) {
		const struct ctd_profile_row *row = &profile->rows[i];
		const char *name = keep(writing, ctd_profile_row_name(profile, row));
		auto_ctd_strbuf struct ctd_strbuf labels = {0};

		if (!name)
			return;
		if (row->stacks_count)
			make_labels(writing, row, name, &labels);
		writing->message.failed |= labels.failed;
		/* Rows in which an event did not come are of no use. */
		for (size_t k = 0; k < row->stacks_count; k++)
			if (row->stacks[k].events || !ctd_profile_has_event(profile))
				add_sample(writing, &row->stacks[k], &labels);
		add_comment(writing, row, name);
	}
}

/* Functions' addresses are those of their file's own symbols: to pprof, a mapping of all of memory
 * from 0 means that nothing is to be subtracted. */
static void add_modules(struct writing *writing)
{
	const struct ctd_stacks *stacks = writing->profile->stacks;
	struct ctd_strbuf *message = &writing->message;

	for (size_t i = 0; i < stacks->modules_count; i++) {
		size_t mark;

		if (!writing->has_module[i] || !*stacks->modules[i].file)
			continue;
		mark = ctd_protobuf_begin(message, PROFILE_MAPPING);
		ctd_protobuf_varint(message, MAPPING_ID, i + 1);
		ctd_protobuf_varint(message, MAPPING_MEMORY_LIMIT, UINT64_MAX);
		add_string(writing, MAPPING_FILENAME, stacks->modules[i].file);
		add_string(writing, MAPPING_BUILD_ID, stacks->modules[i].build_id);
		ctd_protobuf_varint(message, MAPPING_HAS_FUNCTIONS, true);
		ctd_protobuf_end(message, mark);
	}
}

/* Places of one function in one source file are of the same function, as long as none of another
 * source file comes between: then it is written again, which is as good. @return its index, which
 * is @p at if it is a new one. */
static size_t same_function(struct writing *writing, size_t at)
{
	const struct ctd_function *functions = writing->profile->stacks->functions;
	uint32_t *last = &writing->last_place[functions[at].whole];
	const char *source = functions[at].source,
		   *its = *last ? functions[*last - 1].source : NULL;

	if (!*last || strcmp(source ? source : "", its ? its : "") != 0)
		*last = (uint32_t)at + 1;
	return *last - 1;
}

static void add_function(struct writing *writing, size_t at)
{
	const struct ctd_stacks *stacks = writing->profile->stacks;
	const struct ctd_function *function = &stacks->functions[at];
	struct ctd_strbuf *message = &writing->message;
	size_t mark = ctd_protobuf_begin(message, PROFILE_FUNCTION);

	ctd_protobuf_varint(message, FUNCTION_ID, at + 1);
	add_string(writing, FUNCTION_NAME, stacks->functions[function->whole].label);
	add_string(writing, FUNCTION_SYSTEM_NAME, function->name);
	if (function->source)
		add_string(writing, FUNCTION_FILENAME, function->source);
	if (function->start_line)
		ctd_protobuf_varint(message, FUNCTION_START_LINE, function->start_line);
	ctd_protobuf_end(message, mark);
}

/* One location for each function, or for each of its places. */
static void add_functions(struct writing *writing)
{
	const struct ctd_stacks *stacks = writing->profile->stacks;
	struct ctd_strbuf *message = &writing->message;

	for (size_t i = 0; i < stacks->functions_count; i++) {
		const struct ctd_function *function = &stacks->functions[i];
		size_t mark, line, same;

		if (!writing->has_function[i])
			continue;
		same = same_function(writing, i);
		mark = ctd_protobuf_begin(message, PROFILE_LOCATION);
		ctd_protobuf_varint(message, LOCATION_ID, i + 1);
		if (*stacks->modules[function->module].file)
			ctd_protobuf_varint(message, LOCATION_MAPPING_ID,
					    (uint64_t)function->module + 1);
		ctd_protobuf_varint(message, LOCATION_ADDRESS, function->address);
		line = ctd_protobuf_begin(message, LOCATION_LINE);
		ctd_protobuf_varint(message, LINE_FUNCTION_ID, same + 1);
		if (function->line)
			ctd_protobuf_varint(message, LINE_LINE, function->line);
		ctd_protobuf_end(message, line);
		ctd_protobuf_end(message, mark);
		if (same == i)
			add_function(writing, i);
	}
}

static void add_head(struct writing *writing, const struct ctd_profile_sink_options *options)
{
	const struct ctd_profile *profile = writing->profile;
	struct ctd_weight chosen = ctd_weight_chosen(options, profile);
	struct ctd_strbuf *message = &writing->message;

	string_of(writing, ""); /* the first string has to be */
	for (int i = 0; i < writing->weights_count; i++)
		add_value_type(writing, PROFILE_SAMPLE_TYPE,
			       ctd_weight_name(profile, &writing->weights[i]),
			       ctd_weight_unit(&writing->weights[i]));
	ctd_protobuf_varint(message, PROFILE_TIME_NANOS,
			    profile->rollup->realtime_ns - profile->rollup->window_ns);
	ctd_protobuf_varint(message, PROFILE_DURATION_NANOS, profile->rollup->window_ns);
	if (ctd_profile_has_event(profile)) {
		add_value_type(writing, PROFILE_PERIOD_TYPE, profile->stacks->event.name, "count");
		ctd_protobuf_varint(message, PROFILE_PERIOD, profile->stacks->event.period);
	} else {
		add_value_type(writing, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
		ctd_protobuf_varint(message, PROFILE_PERIOD, profile->stacks->period_ns);
	}
	add_string(writing, PROFILE_DEFAULT_SAMPLE_TYPE, ctd_weight_name(profile, &chosen));
	if (profile->rollup->plan->simulated)
		add_string(writing, PROFILE_COMMENT, "SIMULATED");
}

static int pprof_write(const struct ctd_profile_sink_options *options,
		       const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	__attribute__((cleanup(writing_free))) struct writing writing = {.profile = profile};
	autofree char *compressed = NULL;
	size_t bytes;

	writing.weights_count = ctd_weights_list(profile, writing.weights);
	writing.has_function = calloc(profile->stacks->functions_count + 1, sizeof(bool));
	writing.has_module = calloc(profile->stacks->modules_count + 1, sizeof(bool));
	writing.last_place = calloc(profile->stacks->functions_count + 1, sizeof(uint32_t));
	if (!writing.has_function || !writing.has_module || !writing.last_place)
		return -ENOMEM;
	add_head(&writing, options);
	add_rows(&writing);
	add_modules(&writing);
	add_functions(&writing);
	for (size_t i = 0; i < writing.strings.count; i++)
		ctd_protobuf_text(&writing.message, PROFILE_STRING_TABLE, writing.texts[i]);
	if (writing.message.failed ||
	    ctd_gzip(writing.message.text, writing.message.bytes, &compressed, &bytes))
		return -ENOMEM;
	ctd_strbuf_add_bytes(out, compressed, bytes);
	return out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_pprof = {
	.suffix = ".pb.gz",
	.help = "pprof's format, for `go tool pprof`, Parca, Pyroscope",
	.write = pprof_write,
};
