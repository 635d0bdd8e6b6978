/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_coarsen.c - coarser steps have what finer ones had, to the last slot, and so has what a
 * killed writer left. */
#include "history/coarsen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <stdio.h>

#include <cmocka.h>

#include "foreign.h"
#include "made.h"

#define CGROUPS 12

static struct ctd_identities *made_identities(void)
{
	struct ctd_identities *identities;

	assert_int_equal(ctd_identities_new(&identities), 0);
	for (uint64_t i = 0; i < CGROUPS; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/a.slice/%d", (int)i);
		assert_int_equal(ctd_identities_add(identities, 1000 + 3 * i, path), 0);
	}
	return identities;
}

/* A segment of @p count seconds after @p begin; adds its figures to @p sum. */
static struct ctd_strbuf made_segment(uint64_t begin, uint64_t count, struct made_sum *sum)
{
	const struct ctd_record_header header = made_header();
	struct ctd_identities *identities = made_identities();
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};

	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	for (uint64_t i = 1; i <= count; i++) {
		struct ctd_interval interval = made_interval(begin + i, CGROUPS);

		assert_int_equal(ctd_segment_write_names(&writer, &interval, identities), 0);
		assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
		made_add(sum, &interval);
		ctd_interval_free(&interval);
	}
	ctd_segment_end(&writer);
	ctd_identities_free(identities);
	return text;
}

/* @return how many intervals there are. */
static int add_up(const struct ctd_strbuf *segment, struct made_sum *sum)
{
	struct ctd_segment_damage damage;
	struct ctd_segment_reader reader;
	struct ctd_record_interval coded;
	int count = 0;

	if (ctd_segment_open(segment->text, segment->bytes, NULL, &reader, &damage))
		return -1;
	for (; ctd_segment_next(&reader, &coded) > 0; count++) {
		struct ctd_interval interval;

		assert_int_equal(ctd_segment_decode(&reader, &coded, &interval), 0);
		for (size_t i = 0; i < interval.rows_count; i++)
			if (interval.rows[i].kind == CTD_ROW_CGROUP)
				assert_non_null(ctd_identities_get(reader.identities,
								   interval.rows[i].cgroup_id));
		made_add(sum, &interval);
		ctd_interval_free(&interval);
	}
	ctd_segment_close(&reader);
	return count;
}

static void coarse_steps_have_what_fine_ones_had(void **state)
{
	static const uint64_t steps_s[] = {1, 7, 10, 60, 600};

	(void)state;
	srandom(2);
	for (size_t i = 0; i < sizeof(steps_s) / sizeof(*steps_s); i++) {
		struct made_sum fine = {0}, coarse = {0};
		struct ctd_strbuf segments[2], out = {0};
		struct ctd_segment_writer writer = {0};
		struct ctd_segment_damage damage;
		struct ctd_record_header header;

		segments[0] = made_segment(0, 130, &fine);
		segments[1] = made_segment(130, 95, &fine);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(ctd_coarsen(&segments[k], steps_s[i] * MADE_S, &writer,
						     &header, &out, &damage),
					 0);
			assert_string_equal(damage.why, "");
			ctd_strbuf_free(&segments[k]);
		}
		ctd_segment_end(&writer);
		/* At most one more where each of the two begins and ends. */
		assert_in_range(add_up(&out, &coarse), 225 / steps_s[i], 225 / steps_s[i] + 3);
		assert_memory_equal(&fine, &coarse, sizeof(fine));
		ctd_strbuf_free(&out);
	}
}

/* A segment of a second in which the only cgroup has the name @p path. */
static struct ctd_strbuf named_segment(uint64_t second, const char *path)
{
	const struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(second, 0);
	struct ctd_identities *identities;
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};

	interval.rows[0].kind = CTD_ROW_CGROUP;
	interval.rows[0].cgroup_id = 1000;
	interval.rows_count = 1;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_identities_add(identities, 1000, path), 0);
	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	assert_int_equal(ctd_segment_write_names(&writer, &interval, identities), 0);
	assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
	ctd_segment_end(&writer);
	ctd_identities_free(identities);
	ctd_interval_free(&interval);
	return text;
}

#define NAMED 20

/* One after the other: their tables of names may be where those before were. */
static void what_was_renamed_has_its_new_name(void **state)
{
	struct ctd_strbuf segments[NAMED], out = {0};
	struct ctd_segment_writer writer = {0};
	struct ctd_segment_damage damage;
	struct ctd_record_header header;
	const unsigned char *data;
	size_t names = 0;

	(void)state;
	for (size_t i = 0; i < NAMED; i++) {
		char path[16];

		snprintf(path, sizeof(path), "/%d", (int)i);
		segments[i] = named_segment(10 * i, path);
	}
	for (size_t i = 0; i < NAMED; i++)
		assert_int_equal(
			ctd_coarsen(&segments[i], 10 * MADE_S, &writer, &header, &out, &damage), 0);
	ctd_segment_end(&writer);
	data = (const unsigned char *)out.text;
	for (size_t at = CTD_RECORD_PROLOGUE_BYTES; at < out.bytes;
	     at += block_bytes(data, out.bytes, at))
		names += get_u32(data + at) == CTD_RECORD_TYPE_NAME;
	assert_int_equal(names, NAMED);
	for (size_t i = 0; i < NAMED; i++)
		ctd_strbuf_free(&segments[i]);
	ctd_strbuf_free(&out);
}

static void another_plan_is_not_added(void **state)
{
	struct made_sum sum = {0};
	struct ctd_strbuf segment = made_segment(0, 5, &sum), out = {0};
	struct ctd_segment_writer writer = {0};
	struct ctd_record_header header = made_header();
	struct ctd_segment_damage damage;

	(void)state;
	header.simulated = 1;
	assert_int_equal(ctd_segment_begin(&writer, &header, &out), 0);
	assert_int_equal(ctd_coarsen(&segment, MADE_S, &writer, &header, &out, &damage), -EINVAL);
	ctd_segment_end(&writer);
	ctd_strbuf_free(&segment);
	ctd_strbuf_free(&out);
}

/* A killed writer: each interval whose last byte is there is there. */
static void cut_anywhere_all_before_is_whole(void **state)
{
	struct made_sum sum = {0};
	struct ctd_strbuf segment = made_segment(0, 6, &sum), cut;
	int before = -1;

	(void)state;
	for (size_t bytes = 0; bytes <= segment.bytes; bytes++) {
		struct ctd_segment_damage damage;
		uint64_t begin_ns, end_ns;
		int count, error;

		cut = segment;
		cut.bytes = bytes;
		memset(&sum, 0, sizeof(sum));
		count = add_up(&cut, &sum);
		assert_true(count >= before && count <= before + 1);
		before = count;
		error = ctd_segment_span(cut.text, bytes, &begin_ns, &end_ns, &damage);
		assert_int_equal(error, count < 0 ? -EBADMSG : 0);
		assert_true(count < 0 || sum.window_ns == (uint64_t)count * MADE_S);
		if (count > 0)
			assert_true(end_ns - begin_ns == (uint64_t)count * MADE_S);
	}
	assert_int_equal(before, 6);
	ctd_strbuf_free(&segment);
}

#define CHAINED 70

/* What is in a segment, and where. */
struct chained {
	struct ctd_strbuf text; /* owned */
	size_t begins[CHAINED + 1]; /* of their blocks, and the end; names are before each */
	size_t plan_end;
};

static void make_chained(struct chained *chained)
{
	const unsigned char *data;
	struct made_sum sum = {0};
	size_t at = CTD_RECORD_PROLOGUE_BYTES, number = 0;

	*chained = (struct chained){.text = made_segment(0, CHAINED, &sum)};
	data = (const unsigned char *)chained->text.text;
	at += block_bytes(data, chained->text.bytes, at);
	at += block_bytes(data, chained->text.bytes, at);
	chained->plan_end = at;
	for (; at < chained->text.bytes; at += block_bytes(data, chained->text.bytes, at))
		if (get_u32(data + at) == CTD_RECORD_TYPE_INTERVAL)
			chained->begins[number++] = at;
	assert_int_equal(number, CHAINED);
	chained->begins[number] = at;
}

/* The figures of each interval that can be read; of others window_ns is 0. */
static void read_chained(const struct ctd_strbuf *text, struct made_sum ret_sums[CHAINED])
{
	struct ctd_segment_damage damage;
	struct ctd_segment_reader reader;
	struct ctd_record_interval coded;

	memset(ret_sums, 0, CHAINED * sizeof(*ret_sums));
	assert_int_equal(ctd_segment_open(text->text, text->bytes, NULL, &reader, &damage), 0);
	while (ctd_segment_next(&reader, &coded) > 0) {
		struct ctd_interval interval;
		size_t number;

		if (ctd_segment_decode(&reader, &coded, &interval))
			continue;
		number = (interval.realtime_ns - MADE_BEGIN_NS) / MADE_S - 1;
		assert_in_range(number, 0, CHAINED - 1);
		made_add(&ret_sums[number], &interval);
		ctd_interval_free(&interval);
	}
	ctd_segment_close(&reader);
}

static size_t bytes_of(const struct chained *chained, size_t at)
{
	return block_bytes((const unsigned char *)chained->text.text, chained->text.bytes, at);
}

/* What damage of the byte at @p at has to cost: in bytes, as of which interval, and up to which. */
static uint64_t cost_of(const struct chained *chained, size_t at, size_t *ret_first,
			size_t *ret_last)
{
	size_t block = chained->plan_end, first = 0, last;
	uint64_t bytes;

	while (block + bytes_of(chained, block) <= at)
		block += bytes_of(chained, block);
	bytes = bytes_of(chained, block);
	while (first < CHAINED && chained->begins[first] != block)
		first++;
	last = first < CTD_INTERVAL_CHAIN_MAX ? CTD_INTERVAL_CHAIN_MAX : CHAINED;
	/* Those that follow are counted without heads and checksums. */
	for (size_t i = first + 1; i < last; i++)
		bytes += bytes_of(chained, chained->begins[i]) - CTD_RECORD_HEAD_BYTES -
			 CTD_RECORD_CRC_BYTES;
	*ret_first = first;
	*ret_last = last;
	return bytes;
}

static uint64_t lost_when_coarsened(const struct ctd_strbuf *segment)
{
	struct ctd_segment_writer writer = {0};
	struct ctd_segment_damage damage;
	struct ctd_record_header header;
	struct ctd_strbuf out = {0};

	assert_int_equal(ctd_coarsen(segment, MADE_S, &writer, &header, &out, &damage), 0);
	ctd_segment_end(&writer);
	ctd_strbuf_free(&out);
	return damage.lost_bytes;
}

/* A byte that is wrong costs its block, and of an interval those that need it: what is read besides
 * is what it was, and what is not is told. */
static void damage_costs_a_block_and_what_needs_it(void **state)
{
	struct made_sum whole[CHAINED], sums[CHAINED];
	struct chained chained;

	(void)state;
	make_chained(&chained);
	read_chained(&chained.text, whole);
	for (size_t at = chained.plan_end; at < chained.text.bytes; at += 397) {
		struct ctd_segment_damage damage;
		uint64_t begin_ns, end_ns;
		size_t first, last;
		uint64_t bytes = cost_of(&chained, at, &first, &last);

		chained.text.text[at] ^= 0x10;
		assert_int_equal(ctd_segment_span(chained.text.text, chained.text.bytes, &begin_ns,
						  &end_ns, &damage),
				 0);
		assert_int_equal(damage.lost_bytes, bytes);
		assert_int_equal(lost_when_coarsened(&chained.text), bytes);
		read_chained(&chained.text, sums);
		for (size_t i = 0; i < CHAINED; i++)
			if (i >= first && i < last)
				assert_int_equal(sums[i].window_ns, 0);
			else
				assert_memory_equal(&sums[i], &whole[i], sizeof(sums[i]));
		chained.text.text[at] ^= 0x10;
	}
	ctd_strbuf_free(&chained.text);
}

/* Nothing of such a segment can be read. */
static void damage_of_header_or_plan_costs_all(void **state)
{
	struct chained chained;

	(void)state;
	make_chained(&chained);
	for (size_t at = CTD_RECORD_MAGIC_BYTES + 4; at < chained.plan_end; at += 3) {
		struct ctd_segment_damage damage;
		uint64_t begin_ns, end_ns;

		chained.text.text[at] ^= 0x10;
		assert_int_equal(ctd_segment_span(chained.text.text, chained.text.bytes, &begin_ns,
						  &end_ns, &damage),
				 -EBADMSG);
		assert_true(*damage.why);
		chained.text.text[at] ^= 0x10;
	}
	ctd_strbuf_free(&chained.text);
}

/* Also where a block before it is damaged: nothing of it is taken for what is left of ours. */
static void another_version_is_known_behind_damage(void **state)
{
	static const uint32_t types[] = {FOREIGN_OLDER, FOREIGN_NEWER};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct made_sum sum = {0};
		struct ctd_strbuf segment = made_segment(0, 6, &sum);
		const unsigned char *data = (const unsigned char *)segment.text;
		struct ctd_segment_damage damage;
		size_t at = CTD_RECORD_PROLOGUE_BYTES;
		uint64_t begin_ns, end_ns;

		foreign_make(&segment, types[i]);
		/* The block behind header and plan is a name. */
		at += block_bytes(data, segment.bytes, at);
		at += block_bytes(data, segment.bytes, at);
		segment.text[at + CTD_RECORD_HEAD_BYTES] ^= 1;
		assert_int_equal(ctd_segment_span(segment.text, segment.bytes, &begin_ns, &end_ns,
						  &damage),
				 -EBADMSG);
		assert_non_null(strstr(damage.why, "this version does not know"));
		ctd_strbuf_free(&segment);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coarse_steps_have_what_fine_ones_had),
		cmocka_unit_test(what_was_renamed_has_its_new_name),
		cmocka_unit_test(another_plan_is_not_added),
		cmocka_unit_test(cut_anywhere_all_before_is_whole),
		cmocka_unit_test(damage_costs_a_block_and_what_needs_it),
		cmocka_unit_test(damage_of_header_or_plan_costs_all),
		cmocka_unit_test(another_version_is_known_behind_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
