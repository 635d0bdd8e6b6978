/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_replace.c - a source that seems to be back and cannot be had ends no measurement. */
#include "collect/collector.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* What opens and attaches, and takes snapshots, here only answers. */
static struct {
	int open, attach, take; /* what they return */
	int opened, freed, taken;
} told;

bool ctd_source_is_back(struct ctd_source *source, const struct ctd_cpu_set *cpus,
			uint64_t trial_ns)
{
	(void)source;
	(void)cpus;
	(void)trial_ns;
	return true;
}

int ctd_counting_open(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
		      uint64_t trial_ns, struct ctd_counting *ret_counting)
{
	(void)collector;
	(void)wishes;
	(void)trial_ns;
	if (told.open)
		return told.open;
	told.opened++;
	*ret_counting = (struct ctd_counting){.source = calloc(1, sizeof(struct ctd_source))};
	assert_non_null(ret_counting->source);
	return 0;
}

int ctd_counting_attach(struct ctd_collector *collector, const struct ctd_counting *counting)
{
	(void)collector;
	(void)counting;
	return told.attach;
}

void ctd_counting_free(struct ctd_counting *counting)
{
	free(counting->source);
	told.freed++;
}

int ctd_collector_snapshot(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot)
{
	*ret_snapshot = (struct ctd_snapshot){.plan = collector->plan};
	return 0;
}

static int take(struct ctd_snapshot *snapshot, void *context)
{
	(void)context;
	assert_int_equal(snapshot->plan, 0);
	told.taken++;
	return told.take;
}

static const struct {
	int line;
	int open, attach, take;
	int sought, replaced; /* what the two return */
	int taken; /* snapshots, each time */
} failures[] = {
	{__LINE__, .open = -EPERM, .replaced = -EPERM},
	{__LINE__, .attach = -E2BIG, .replaced = -E2BIG, .taken = 1},
	{__LINE__, .take = -ENOSPC, .sought = -ENOSPC, .replaced = -ENOSPC, .taken = 1},
};

static void the_old_counters_go_on_where_new_ones_cannot_be_had(void **state)
{
	static struct ctd_source source;
	static const struct ctd_source_wishes wishes = {.source = "auto"};

	(void)state;
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		struct ctd_collector collector = {.options.seek_ns = 1, .counting.source = &source};
		int sought, replaced;

		told = (typeof(told)){.open = failures[i].open,
				      .attach = failures[i].attach,
				      .take = failures[i].take};
		sought = ctd_collector_seek_source(&collector, take, NULL);
		replaced = ctd_collector_replace(&collector, &wishes, take, NULL);
		if (sought != failures[i].sought || replaced != failures[i].replaced ||
		    told.taken != 2 * failures[i].taken || told.freed != told.opened)
			fail_msg("line %d: %d, %d, %d snapshots, %d of %d freed", failures[i].line,
				 sought, replaced, told.taken, told.freed, told.opened);
		assert_ptr_equal(collector.counting.source, &source);
		assert_int_equal(collector.plan, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_old_counters_go_on_where_new_ones_cannot_be_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
