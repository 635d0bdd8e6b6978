/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_bytes.c - two hours by the second and a day by ten seconds of 100 containers have room. */
#include "history/segment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/rows.h"
#include "history/coarsen.h"

#define CONTAINERS 100
#define SECOND_NS 1000000000ull
#define BYTES_MAX 64e6

/* What a container does: how much it runs, and what becomes of its slots, each with a level of its
 * own, from which it strays slowly and by which it varies from second to second. */
struct strayed {
	double mean, spread, now;
};

struct made_container {
	struct strayed cpu, slices, parts[8];
};

struct made_host {
	struct made_container containers[CONTAINERS];
	struct strayed clock;
	uint64_t second;
};

static double uniform(void)
{
	return ((double)random() + 0.5) / 2147483648.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static struct strayed stray(double mean, double spread)
{
	return (struct strayed){mean, spread, 0};
}

/* Half of the variance is new each second. */
static double next_of(struct strayed *value)
{
	value->now = 0.95 * value->now + 0.31 * normal();
	return value->mean * exp(value->spread * M_SQRT1_2 * (value->now + normal()));
}

static void make_host(struct made_host *host)
{
	srandom(7);
	*host = (struct made_host){.clock = stray(3.1, 0.01)};
	for (int i = 0; i < CONTAINERS; i++) {
		struct made_container *one = &host->containers[i];

		/* From a hundredth of a CPU to one. */
		one->cpu = stray(pow(10, -2 * uniform()), 0.15);
		one->slices = stray(pow(10, 1 + 2.5 * uniform()), 0.1);
		for (int k = 0; k < 4; k++)
			one->parts[k] = stray(0.1 + 0.9 * uniform(), 0.04);
		for (int k = 4; k < 8; k++)
			one->parts[k] = stray(0.1 + 0.8 * uniform(), 0.04);
	}
}

/* The register has fractions of eight bits, one for each slice: their sum has noise. */
static uint64_t rounded(double count, double slots, double slices)
{
	double noisy = count + slots / 255 / sqrt(12 * slices) * normal();

	return noisy > 0 ? (uint64_t)noisy : 0;
}

static void make_row(struct made_container *one, double clock, uint32_t counters,
		     struct ctd_interval_row *row)
{
	double cpu = fmin(next_of(&one->cpu), 2), slices = 1 + next_of(&one->slices), sum = 0;
	double slots, parts[8];

	row->oncpu_ns = row->running_ns = (uint64_t)(cpu * 1e9);
	slots = (double)row->oncpu_ns * 6 * clock * exp(0.003 * normal());
	row->slices = (uint64_t)slices;
	row->switches = row->slices + (uint64_t)(slices * 0.3 * (1 + 0.1 * normal()));
	row->quality = CTD_OK;
	for (int k = 0; k < 8; k++)
		parts[k] = next_of(&one->parts[k]);
	for (int k = 0; k < 4; k++)
		sum += parts[k];
	row->raw[0] = (uint64_t)slots;
	for (uint32_t k = 1; k < counters; k++) {
		double share = parts[(k - 1) % 4] / sum * (k > 4 ? fmin(parts[k - 1], 1) : 1);

		row->raw[k] = rounded(share * slots, slots, slices);
	}
	row->group_ns[0] = row->count_ns[0] = row->running_ns;
	memcpy(row->count, row->raw, counters * sizeof(*row->raw));
}

static struct ctd_interval next_second(struct made_host *host, uint32_t counters)
{
	struct ctd_interval interval = {
		.realtime_ns = 1700000000 * SECOND_NS + ++host->second * SECOND_NS +
			       (uint64_t)(100000 * uniform()),
		.window_ns = SECOND_NS,
		.sequence = host->second,
		.counters_count = counters,
		.groups_count = 1,
		.cpus_online = 64,
	};
	double clock = next_of(&host->clock);

	assert_int_equal(ctd_interval_reserve(&interval, CONTAINERS), 0);
	assert_int_equal(ctd_interval_reserve_totals(&interval), 0);
	interval.rows_count = CONTAINERS;
	interval.totals[0].cpus_online = 64;
	for (uint64_t i = 0; i < CONTAINERS; i++) {
		interval.rows[i].cgroup_id = 4000 + 17 * i;
		make_row(&host->containers[i], clock, counters, &interval.rows[i]);
		for (uint32_t k = 0; k < counters; k++)
			interval.totals[0].total[k] += interval.rows[i].raw[k];
	}
	return interval;
}

/* Bytes of a row in steps of @p step_s, blocks and all, but without names. */
static double bytes_of_row(int level, uint32_t step_s, uint32_t steps)
{
	struct ctd_record_header header = {.source = "perf_metrics",
					   .model = "golden_cove",
					   .counters_count = level == 2 ? 9 : 5,
					   .groups_count = 1,
					   .host = "host",
					   .version = "0.1.0",
					   .hierarchy = "v2"};
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};
	struct made_host host;
	size_t before;
	double bytes;

	make_host(&host);
	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	before = text.bytes;
	for (uint32_t i = 0; i < steps; i++) {
		struct ctd_coarsener coarsener = {.step_ns = step_s * SECOND_NS};

		for (uint32_t k = 0; k < step_s; k++) {
			struct ctd_interval second = next_second(&host, header.counters_count);

			assert_int_equal(ctd_coarsener_add(&coarsener, &second), 0);
			ctd_interval_free(&second);
		}
		assert_int_equal(ctd_segment_write_interval(&writer, &coarsener.sum), 0);
		ctd_coarsener_clear(&coarsener);
	}
	ctd_segment_end(&writer);
	bytes = (double)(text.bytes - before) / (CONTAINERS * (double)steps);
	ctd_strbuf_free(&text);
	return bytes;
}

/* All that 64 MB hold as docs/history.md has it: two hours, a day, two days and four. Counts of 600
 * s have some three bits more than those of 60 s. */
static void expect_room(int level)
{
	double seconds = bytes_of_row(level, 1, 120), tens = bytes_of_row(level, 10, 60);
	double minutes = bytes_of_row(level, 60, 60);
	double bytes = CONTAINERS * (7200 * seconds + 22 * 360 * tens + 24 * 60 * minutes +
				     48 * 6 * (minutes + 4));

	printf("# level %d: %.1f, %.1f, %.1f bytes of a row by 1, 10, 60 s; %.1f MB in all\n",
	       level, seconds, tens, minutes, bytes / 1e6);
	assert_true(bytes < BYTES_MAX);
}

static void all_times_of_level_1_have_room(void **state)
{
	(void)state;
	expect_room(1);
}

static void all_times_of_level_2_have_room(void **state)
{
	(void)state;
	expect_room(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_times_of_level_1_have_room),
		cmocka_unit_test(all_times_of_level_2_have_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
