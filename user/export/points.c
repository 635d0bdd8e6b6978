/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* points.c - yields the points of a metric family, one by one. */
#include <string.h>

#include "export/families.h"

/* A family takes one or two figures of each account, which are a kilobyte apart: the processor does
 * not see that coming, and each one would be waited for. */
#define AHEAD 12

/* Where the points go. */
struct sink {
	void (*write)(void *context, const struct subject *subject, const struct point *point,
		      int number);
	void *context;
};

static uint64_t figure_at(const struct family *family, const void *object)
{
	const char *place = (const char *)object + family->offset;
	uint64_t figure;

	switch (family->figure) {
	case FIGURE_ONE:
		return 1;
	case FIGURE_BOOL:
		return *(const bool *)place;
	case FIGURE_U32:
		return *(const uint32_t *)place;
	default:
		memcpy(&figure, place, sizeof(figure));
		return figure;
	}
}

/* @p object: the subject's, of the family's scope. */
static void write_points(const struct family *family, const struct subject *subject,
			 const void *object, const struct sink *sink)
{
	struct point points[FAMILY_POINTS_MAX];
	int count = 1;

	if (family->has && !family->has(subject))
		return;
	if (family->points)
		count = family->points(family, subject, points);
	else
		points[0].figure = figure_at(family, object);
	for (int i = 0; i < count; i++)
		sink->write(sink->context, subject, &points[i], i);
}

static void each_account(const struct family *family, struct subject subject, size_t first,
			 size_t end, const struct sink *sink)
{
	const struct ctd_account *accounts = subject.view->accounts;

	for (size_t i = first; i < end; i++) {
		size_t ahead = i + AHEAD < end ? i + AHEAD : i;

		__builtin_prefetch((const char *)&accounts[ahead] + family->offset);
		subject.account = &accounts[i];
		write_points(family, &subject, subject.account, sink);
	}
}

static void each_function(const struct family *family, struct subject subject, size_t first,
			  size_t end, const struct sink *sink)
{
	for (size_t i = first; i < end; i++) {
		const struct ctd_account_functions *functions = subject.view->accounts[i].functions;

		subject.account = &subject.view->accounts[i];
		for (size_t k = 0; functions && k < functions->count; k++) {
			subject.function = &functions->items[k];
			write_points(family, &subject, subject.function, sink);
		}
	}
}

/* How many there are of each account, in a view that has any. */
static size_t count_vendor(const struct ctd_vendor_counting *vendor, enum family_scope scope)
{
	size_t groups = (size_t)vendor->rotation.groups_count;

	return scope == OF_VENDOR_EVENTS   ? groups * (size_t)vendor->rotation.events_count
	       : scope == OF_VENDOR_GROUPS ? groups
					   : vendor->metrics_count;
}

static void each_vendor(const struct family *family, struct subject subject, size_t first,
			size_t end, const struct sink *sink)
{
	size_t count = subject.view->vendor ? count_vendor(subject.view->vendor, family->scope) : 0;

	for (size_t i = first; count && i < end; i++) {
		subject.account = &subject.view->accounts[i];
		for (subject.vendor = 0; subject.vendor < count; subject.vendor++)
			write_points(family, &subject, subject.account, sink);
	}
}

static void each_vendor_name(const struct family *family, struct subject subject,
			     const struct sink *sink)
{
	size_t count = subject.view->vendor ? subject.view->vendor->metrics_count : 0;

	for (; subject.vendor < count; subject.vendor++)
		write_points(family, &subject, subject.view, sink);
}

static bool is_same(const struct ctd_account_who *who, const struct ctd_account_who *other)
{
	return who->key_shared_bytes == other->key_shared_bytes &&
	       memcmp(who->key_text, other->key_text, who->key_shared_bytes) == 0;
}

static bool is_newer(const struct ctd_account *account, const struct ctd_account *than)
{
	if (account->ended != than->ended)
		return than->ended;
	return account->who->started_ns > than->who->started_ns;
}

/* The accounts of one container on several core types follow each other, as the core type comes
 * last in their keys. The newest of them stands for all. */
static void each_container(const struct family *family, struct subject subject, size_t first,
			   size_t end, const struct sink *sink)
{
	const struct ctd_account *accounts = subject.view->accounts;
	int cores = subject.view->core_types_count;

	for (size_t i = first; i < end;) {
		subject.account = &accounts[i];
		/* With one core type no two are of the same container. */
		for (i++; i < end && cores > 1 && is_same(subject.account->who, accounts[i].who);
		     i++)
			if (is_newer(&accounts[i], subject.account))
				subject.account = &accounts[i];
		write_points(family, &subject, subject.account, sink);
	}
}

static void each_core(const struct family *family, struct subject subject, const struct sink *sink)
{
	for (int i = 0; i < subject.view->core_types_count; i++) {
		subject.core = &subject.view->core_types[i];
		write_points(family, &subject, subject.core, sink);
	}
}

static void each_pair(const struct family *family, struct subject subject, const struct sink *sink)
{
	for (size_t i = 0; i < subject.view->pair_totals_count; i++) {
		subject.pair = &subject.view->pair_totals[i];
		write_points(family, &subject, subject.pair, sink);
	}
}

void ctd_family_each_point(const struct family *family, const struct subject *whole, size_t first,
			   size_t end,
			   void (*write)(void *context, const struct subject *subject,
					 const struct point *point, int number),
			   void *context)
{
	const struct sink sink = {write, context};

	switch (family->scope) {
	case OF_ACCOUNTS:
		each_account(family, *whole, first, end, &sink);
		break;
	case OF_FUNCTIONS:
		each_function(family, *whole, first, end, &sink);
		break;
	case OF_VENDOR_EVENTS:
	case OF_VENDOR_GROUPS:
	case OF_VENDOR_METRICS:
		each_vendor(family, *whole, first, end, &sink);
		break;
	case OF_VENDOR_NAMES:
		each_vendor_name(family, *whole, &sink);
		break;
	case OF_CONTAINERS:
		each_container(family, *whole, first, end, &sink);
		break;
	case OF_CORES:
		each_core(family, *whole, &sink);
		break;
	case OF_PAIRS:
		each_pair(family, *whole, &sink);
		break;
	case OF_SELF:
		write_points(family, whole, whole->self, &sink);
		break;
	default:
		write_points(family, whole, whole->view, &sink);
	}
}
