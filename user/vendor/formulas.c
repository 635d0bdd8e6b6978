/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* formulas.c - compiles all metrics of a vendor's table, each once, in the order of their needs. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/hash.h"
#include "metric/expr.h"
#include "vendor/cpu_id.h"
#include "vendor/reference.h"
#include "vendor/set.h"
#include "vendor/table.h"

/* Metrics that need metrics: the deepest of Intel's are of 12. */
#define DEPTH_MAX 64
/* The most that a metric of theirs needs are some 100. */
#define USES_MAX 1000
#define WHY_BYTES 400

/* Values of formulas from here on are names that are not to be had. */
#define MISSING (1u << 31)

/* What a name in a formula lacks, where no condition leaves it out. */
struct missing {
	enum ctd_vendor_lack lack;
	char why[CTD_REFERENCE_WHY_BYTES];
};

/* While it is made. */
struct making {
	struct ctd_vendor_set *set;
	struct missing *missing; /* owned; of the set's formulas so far */
	size_t missing_count, missing_room;
	struct ctd_reference_scope scope;
	size_t metric; /* that is compiled */
	int depth;
	int error; /* -ENOMEM */
};

static int compile(struct making *making, size_t metric);

/* The first that is found is what people are told. */
__attribute__((format(printf, 3, 4))) static int
set_lack(struct ctd_vendor_program *program, enum ctd_vendor_lack lack, const char *format, ...)
{
	char why[WHY_BYTES];
	va_list arguments;

	if (program->lack)
		return 0;
	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	program->why = strdup(why);
	if (!program->why)
		return -ENOMEM;
	program->lack = lack;
	return 0;
}

static int use(struct ctd_vendor_program *program, uint32_t count)
{
	for (size_t i = 0; i < program->uses_count; i++)
		if (program->uses[i] == count)
			return 0;
	if (program->uses_count == USES_MAX)
		return set_lack(program, CTD_VENDOR_MALFORMED, "it needs more than %d counts",
				USES_MAX);
	if (program->uses_count == program->uses_room) {
		size_t room = program->uses_room ? 2 * program->uses_room : 8;
		uint32_t *larger = reallocarray(program->uses, room, sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		program->uses = larger;
		program->uses_room = room;
	}
	program->uses[program->uses_count++] = count;
	return 0;
}

struct wanted_count {
	const struct ctd_vendor_set *set;
	const struct ctd_vendor_count *count;
};

bool ctd_vendor_same_count(const struct ctd_vendor_count *a, const struct ctd_vendor_count *b)
{
	return a->config == b->config && a->config1 == b->config1 && a->config2 == b->config2 &&
	       a->user_only == b->user_only && a->kernel_only == b->kernel_only &&
	       a->latency == b->latency;
}

static bool is_wanted(size_t index, const void *context)
{
	const struct wanted_count *wanted = context;

	return ctd_vendor_same_count(&wanted->set->counts[index], wanted->count);
}

static uint64_t hash_of(const struct ctd_vendor_count *count)
{
	const uint64_t parts[] = {count->config, count->config1, count->config2,
				  (uint64_t)count->latency << 2 | (uint64_t)count->user_only << 1 |
					  count->kernel_only};

	return ctd_hash(parts, sizeof(parts));
}

static int add_count(struct ctd_vendor_set *set, const struct ctd_vendor_count *count,
		     const char *name)
{
	struct ctd_vendor_count added = *count;

	if (ctd_intern_reserve(&set->places))
		return -ENOMEM;
	if (set->counts_count == set->counts_room) {
		size_t room = set->counts_room ? 2 * set->counts_room : 64;
		struct ctd_vendor_count *larger = reallocarray(set->counts, room, sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		set->counts = larger;
		set->counts_room = room;
	}
	added.name = strdup(name);
	if (!added.name)
		return -ENOMEM;
	set->counts[set->counts_count++] = added;
	ctd_intern_add(&set->places, hash_of(count));
	return 0;
}

/* @return 0 and its index, or -ENOMEM. */
static int find_count(struct ctd_vendor_set *set, const struct ctd_vendor_count *count,
		      const char *name, uint32_t *ret_index)
{
	const struct wanted_count wanted = {set, count};

	*ret_index = (uint32_t)ctd_intern_find(&set->places, hash_of(count), is_wanted, &wanted);
	return *ret_index < set->counts_count ? 0 : add_count(set, count, name);
}

/* Compiles a metric that another one needs: what the former needs, the latter needs, too. */
static int take_metric(struct making *making, size_t other)
{
	struct ctd_vendor_program *program = &making->set->programs[making->metric];
	const struct ctd_vendor_program *needed = &making->set->programs[other];
	const char *name = making->set->table->metrics[other].name;
	int r = compile(making, other);

	for (size_t i = 0; r == 0 && i < needed->uses_count; i++)
		r = use(program, needed->uses[i]);
	if (r)
		return r;
	program->needs_latency = program->needs_latency || needed->needs_latency;
	if (needed->state == CTD_IN_WORK)
		return set_lack(program, CTD_VENDOR_CYCLE,
				"it needs %.100s, which needs it in turn", name);
	if (needed->lack == CTD_VENDOR_CYCLE)
		return set_lack(program, needed->lack, "it needs %.100s, which is one of a circle",
				name);
	return needed->lack ? set_lack(program, needed->lack, "%.300s", needed->why) : 0;
}

static int use_count(const struct ctd_vendor_set *set, struct ctd_vendor_program *program,
		     uint32_t count)
{
	program->needs_latency = program->needs_latency || set->counts[count].latency;
	return use(program, count);
}

/* What the compiled formula needs. Names that conditions of constants leave out are not in it. */
static int take_values(struct making *making)
{
	const struct ctd_vendor_set *set = making->set;
	struct ctd_vendor_program *program = &set->programs[making->metric];
	uint32_t place = ctd_vendor_place_of_seconds(set), value;
	int r = 0;

	for (size_t at = 0; r == 0 && ctd_expr_next_value(program->expr, &at, &value);) {
		if (value >= MISSING)
			r = set_lack(program, making->missing[value - MISSING].lack, "%s",
				     making->missing[value - MISSING].why);
		else if (value < place)
			r = take_metric(making, value);
		else if (value > place)
			r = use_count(set, program, value - place - 1);
	}
	return r;
}

static int add_missing(struct making *making, const struct ctd_reference *reference,
		       struct ctd_expr_operand *ret_operand)
{
	if (making->missing_count == making->missing_room) {
		size_t room = making->missing_room ? 2 * making->missing_room : 64;
		struct missing *larger = reallocarray(making->missing, room, sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		making->missing = larger;
		making->missing_room = room;
	}
	*ret_operand = (struct ctd_expr_operand){
		.kind = CTD_EXPR_VALUE, .value = MISSING + (unsigned int)making->missing_count};
	making->missing[making->missing_count] = (struct missing){.lack = reference->lack};
	memcpy(making->missing[making->missing_count++].why, reference->why,
	       sizeof(reference->why));
	return 0;
}

static int use_reference(struct making *making, const struct ctd_reference *reference,
			 const char *name, struct ctd_expr_operand *ret_operand)
{
	struct ctd_vendor_set *set = making->set;
	uint32_t place = ctd_vendor_place_of_seconds(set), count = 0;
	int r = 0;

	*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_NUMBER, .number = NAN};
	switch (reference->kind) {
	case CTD_REFERENCE_COUNT:
	case CTD_REFERENCE_LATENCY:
		r = find_count(set, &reference->count, name, &count);
		if (r)
			return r;
		*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_VALUE,
							 .value = place + 1 + count};
		return 0;
	case CTD_REFERENCE_SECONDS:
		*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_VALUE, .value = place};
		return 0;
	case CTD_REFERENCE_MILLISECONDS:
		*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_TEXT,
							 .text = "1000 * duration_time"};
		return 0;
	case CTD_REFERENCE_NUMBER:
		ret_operand->number = reference->number;
		return 0;
	case CTD_REFERENCE_LACK:
		return add_missing(making, reference, ret_operand);
	}
	return -EINVAL;
}

/* has_event() and the like: what can be looked up here. */
static int look_up(struct making *making, const char *function, const char *name,
		   struct ctd_expr_operand *ret_operand)
{
	struct ctd_reference reference;

	*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_NUMBER, .number = 1};
	if (strcmp(function, "strcmp_cpuid_str") == 0) {
		ret_operand->number = ctd_vendor_cpu_matches(name, making->scope.cpu->id);
		return 0;
	}
	ctd_reference_find(&making->scope, name, &reference);
	if (strcmp(function, "has_event") == 0)
		ret_operand->number = reference.kind != CTD_REFERENCE_LACK;
	else if (reference.kind == CTD_REFERENCE_LACK)
		return add_missing(making, &reference, ret_operand);
	return 0;
}

/* A metric may be called as the event that it is of. */
static bool is_own_event(const struct making *making, size_t metric, const char *name)
{
	const struct ctd_vendor_table *table = making->set->table;

	return metric == making->metric && (strcmp(table->metrics[metric].name, name) != 0 ||
					    ctd_vendor_find_event(table, name));
}

static int find_operand(const void *context, const char *function, const char *name,
			struct ctd_expr_operand *ret_operand)
{
	struct making *making = *(struct making *const *)context;
	struct ctd_reference reference;
	int metric, r = 0;

	if (function) {
		r = look_up(making, function, name, ret_operand);
	} else {
		metric = ctd_vendor_find_metric(making->set->table, name);
		if (metric >= 0 && !is_own_event(making, (size_t)metric, name)) {
			*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_VALUE,
								 .value = (unsigned int)metric};
		} else {
			ctd_reference_find(&making->scope, name, &reference);
			r = use_reference(making, &reference, name, ret_operand);
		}
	}
	if (r == -ENOMEM)
		making->error = r;
	return r;
}

static int compile_expression(struct making *making, size_t metric)
{
	struct ctd_vendor_program *program = &making->set->programs[metric];
	const char *text = making->set->table->metrics[metric].expression;
	const struct ctd_expr_scope scope = {find_operand, &making};
	struct ctd_expr_error error;
	int r = ctd_expr_compile(text, strlen(text), &scope, &program->expr, &error);

	if (making->error)
		return making->error;
	if (r == -EINVAL)
		return set_lack(program, CTD_VENDOR_MALFORMED, "byte %zu of its formula: %.300s",
				error.at + 1, error.reason);
	return r ? r : take_values(making);
}

static int compile(struct making *making, size_t metric)
{
	struct ctd_vendor_program *program = &making->set->programs[metric];
	size_t outer = making->metric;
	int r;

	if (program->state != CTD_NOT_COMPILED)
		return 0;
	if (making->depth == DEPTH_MAX)
		return set_lack(&making->set->programs[outer], CTD_VENDOR_MALFORMED,
				"metrics need metrics, more than %d times", DEPTH_MAX);
	program->state = CTD_IN_WORK;
	making->metric = metric;
	making->depth++;
	r = compile_expression(making, metric);
	making->depth--;
	making->metric = outer;
	program->state = CTD_COMPILED;
	if (r == 0)
		making->set->order[making->set->order_count++] = metric;
	return r;
}

static int find_metric(const void *context, const char *function, const char *name,
		       struct ctd_expr_operand *ret_operand)
{
	const struct ctd_vendor_table *table = context;
	int metric = function ? -1 : ctd_vendor_find_metric(table, name);

	if (metric < 0)
		return -ENOENT;
	*ret_operand =
		(struct ctd_expr_operand){.kind = CTD_EXPR_VALUE, .value = (unsigned int)metric};
	return 0;
}

static int compile_threshold(struct ctd_vendor_set *set, size_t metric)
{
	struct ctd_vendor_program *program = &set->programs[metric];
	const char *text = set->table->metrics[metric].threshold;
	const struct ctd_expr_scope scope = {find_metric, set->table};
	struct ctd_expr_error error;
	int r = *text ? ctd_expr_compile(text, strlen(text), &scope, &program->threshold, &error)
		      : 0;

	if (r != -EINVAL)
		return r;
	return asprintf(&program->threshold_why, "byte %zu of its threshold: %.300s", error.at + 1,
			error.reason) < 0
		       ? -ENOMEM
		       : 0;
}

static int compile_all(struct making *making)
{
	size_t metrics = making->set->table->metrics_count;
	int r = 0;

	for (size_t i = 0; r == 0 && i < metrics; i++) {
		making->metric = i;
		r = compile(making, i);
	}
	for (size_t i = 0; r == 0 && i < metrics; i++)
		r = compile_threshold(making->set, i);
	return r;
}

int ctd_vendor_set_new(const struct ctd_vendor_table *table, const struct ctd_vendor_cpu *cpu,
		       const struct ctd_vendor_machine *machine, struct ctd_vendor_set **ret_set)
{
	struct ctd_vendor_machine known = *machine;
	struct ctd_vendor_set *set = calloc(1, sizeof(*set));
	struct making making = {.set = set, .scope = {table, cpu, &known}};
	int r = -ENOMEM;

	if (isnan(known.slots))
		known.slots = table->slots;
	if (set) {
		set->table = table;
		set->programs = calloc(table->metrics_count + 1, sizeof(*set->programs));
		set->order = calloc(table->metrics_count + 1, sizeof(*set->order));
	}
	if (set && set->programs && set->order)
		r = compile_all(&making);
	free(making.missing);
	if (r) {
		ctd_vendor_set_free(set);
		return r;
	}
	*ret_set = set;
	return 0;
}

void ctd_vendor_set_free(struct ctd_vendor_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; set->programs && i < set->table->metrics_count; i++) {
		ctd_expr_free(set->programs[i].expr);
		ctd_expr_free(set->programs[i].threshold);
		free(set->programs[i].why);
		free(set->programs[i].threshold_why);
		free(set->programs[i].uses);
	}
	for (size_t i = 0; i < set->counts_count; i++)
		free((char *)set->counts[i].name);
	free(set->counts);
	ctd_intern_free(&set->places);
	free(set->programs);
	free(set->order);
	free(set);
}

enum ctd_vendor_lack ctd_vendor_set_lack(const struct ctd_vendor_set *set, size_t metric,
					 const char **ret_why)
{
	if (ret_why)
		*ret_why = set->programs[metric].why;
	return set->programs[metric].lack;
}

const char *ctd_vendor_set_threshold_lack(const struct ctd_vendor_set *set, size_t metric)
{
	return set->programs[metric].threshold_why;
}

const struct ctd_vendor_count *ctd_vendor_set_counts(const struct ctd_vendor_set *set,
						     size_t *ret_count)
{
	*ret_count = set->counts_count;
	return set->counts;
}

void ctd_vendor_set_needs(const struct ctd_vendor_set *set, size_t metric, bool *ret_needed)
{
	const struct ctd_vendor_program *program = &set->programs[metric];

	for (size_t i = 0; i < program->uses_count; i++)
		if (!set->counts[program->uses[i]].latency)
			ret_needed[program->uses[i]] = true;
}

bool ctd_vendor_set_needs_latency(const struct ctd_vendor_set *set, size_t metric)
{
	return set->programs[metric].needs_latency;
}
