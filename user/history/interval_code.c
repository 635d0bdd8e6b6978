/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval_code.c - codes an interval: a head of numbers of seven bits a byte, then its rows. */
#include "history/interval_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/varint.h"
#include "decode/rows.h"

void ctd_interval_context_free(struct ctd_interval_context *context)
{
	ctd_row_context_free(&context->rows);
	*context = (struct ctd_interval_context){0};
}

static bool is_empty(const struct ctd_interval_totals *totals, size_t counts_count)
{
	uint64_t any = totals->cpus_online | totals->empty_ns;

	for (size_t i = 0; i < counts_count; i++)
		any |= totals->total[i] | totals->unattributed[i] | (uint64_t)totals->residual[i];
	return !any;
}

/* Up to the last one that has any figure. */
static unsigned int core_types_of(const struct ctd_interval *interval)
{
	size_t counts_count = ctd_interval_counts(interval);
	unsigned int count = CTD_CORE_TYPES_MAX;

	while (count && is_empty(&interval->totals[count - 1], counts_count))
		count--;
	return count;
}

/* What the total of a count should be: that of the rows, what was not attributed, the residual. */
static uint64_t *sums_of_rows(const struct ctd_interval *interval)
{
	size_t counts_count = ctd_interval_counts(interval);
	uint64_t *sums = calloc(CTD_CORE_TYPES_MAX * counts_count + 1, sizeof(*sums));

	for (size_t i = 0; sums && i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];

		for (size_t k = 0; row->core_type < CTD_CORE_TYPES_MAX && k < counts_count; k++)
			sums[row->core_type * counts_count + k] += row->raw[k];
	}
	return sums;
}

static void put_totals(const struct ctd_interval *interval, const uint64_t *sums,
		       struct ctd_strbuf *out)
{
	size_t counts_count = ctd_interval_counts(interval);

	ctd_varint_add(out, core_types_of(interval));
	for (unsigned int type = 0; type < core_types_of(interval); type++) {
		const struct ctd_interval_totals *totals = &interval->totals[type];

		ctd_varint_add(out, totals->cpus_online);
		ctd_varint_add(out, totals->empty_ns);
		for (size_t i = 0; i < counts_count; i++) {
			uint64_t parts = sums[type * counts_count + i] + totals->unattributed[i] +
					 (uint64_t)totals->residual[i];

			ctd_varint_add(out, ctd_zigzag(totals->total[i] - parts));
			ctd_varint_add(out, totals->unattributed[i]);
			ctd_varint_add(out, ctd_zigzag((uint64_t)totals->residual[i]));
		}
	}
}

static void put_head(const struct ctd_interval *interval, const uint64_t *sums,
		     struct ctd_strbuf *out)
{
	ctd_varint_add(out, interval->sequence);
	ctd_varint_add(out, interval->cpus_online);
	ctd_varint_add(out, interval->counters_count);
	ctd_varint_add(out, interval->groups_count);
	ctd_varint_add(out, interval->unattributed_ns);
	ctd_varint_add(out, interval->health.empty_ns);
	ctd_varint_add(out, CTD_HEALTH_COUNTERS);
	for (int i = 0; i < CTD_HEALTH_COUNTERS; i++)
		ctd_varint_add(out, interval->health.count[i]);
	put_totals(interval, sums, out);
}

/* The last of the four is what the others leave, so that these must be known before. */
static bool is_level1(const uint64_t l1[4], uint32_t counters_count)
{
	return l1[0] && l1[1] && l1[2] && l1[0] < l1[3] && l1[1] < l1[3] && l1[2] < l1[3] &&
	       l1[3] < counters_count;
}

static void put_chain(const struct ctd_interval_context *context,
		      const struct ctd_interval *interval, struct ctd_strbuf *out)
{
	/* What an interval follows is told by its end. */
	ctd_varint_add(
		out, context->count ? ctd_zigzag(interval->realtime_ns - context->realtime_ns) : 0);
	for (int i = 0; !context->count && i < 4; i++)
		ctd_varint_add(out, context->rows.l1[i]);
}

static int begin_chain(struct ctd_interval_context *context, const struct ctd_interval *interval,
		       const int *l1_counters)
{
	uint64_t l1[4] = {0};

	for (int i = 0; l1_counters && i < 4; i++)
		l1[i] = l1_counters[i] > 0 ? (uint64_t)l1_counters[i] : 0;
	if (!is_level1(l1, interval->counters_count))
		memset(l1, 0, sizeof(l1));
	context->count = 0;
	return ctd_row_context_begin(&context->rows, interval->counters_count,
				     interval->groups_count, l1);
}

static bool goes_on(const struct ctd_interval_context *context, const struct ctd_interval *interval)
{
	return context->count && context->count < CTD_INTERVAL_CHAIN_MAX &&
	       context->rows.counters_count == interval->counters_count &&
	       context->rows.groups_count == interval->groups_count &&
	       interval->realtime_ns != context->realtime_ns &&
	       ctd_row_context_has_room(&context->rows, interval->rows_count);
}

static int put_rows(struct ctd_interval_context *context, const struct ctd_interval *interval,
		    struct ctd_strbuf *out)
{
	struct ctd_interval rows = *interval; /* which are read only */
	struct ctd_bits bits;
	int error;

	ctd_bits_write(&bits, out);
	error = ctd_rows_code(&context->rows, &bits, UINT32_MAX, &rows);
	return error ? error : ctd_bits_end(&bits);
}

static int encode(struct ctd_interval_context *context, const struct ctd_interval *interval,
		  const int *l1_counters, struct ctd_strbuf *payload)
{
	autofree uint64_t *sums = sums_of_rows(interval);
	int error = sums ? 0 : -ENOMEM;

	if (!error && !goes_on(context, interval))
		error = begin_chain(context, interval, l1_counters);
	if (error)
		return error;
	ctd_varint_add(payload, interval->realtime_ns);
	ctd_varint_add(payload, interval->window_ns);
	put_chain(context, interval, payload);
	put_head(interval, sums, payload);
	error = put_rows(context, interval, payload);
	return error ? error : payload->failed ? -ENOMEM : 0;
}

int ctd_interval_encode(struct ctd_interval_context *context, const struct ctd_interval *interval,
			const int *l1_counters, struct ctd_strbuf *payload)
{
	int error = encode(context, interval, l1_counters, payload);

	if (error) {
		ctd_interval_context_free(context);
		return error;
	}
	context->count++;
	context->realtime_ns = interval->realtime_ns;
	return 0;
}

/* Where reading is. The first error stays. */
struct input {
	const unsigned char *at, *end;
	int error;
};

static uint64_t take(struct input *input)
{
	uint64_t value = 0;

	if (!input->error)
		input->error = ctd_varint_take(&input->at, input->end, &value);
	return value;
}

static uint64_t take_at_most(struct input *input, uint64_t most)
{
	uint64_t value = take(input);

	if (value > most)
		input->error = -EBADMSG;
	return value > most ? 0 : value;
}

static void take_totals(struct input *input, struct ctd_interval *interval)
{
	size_t counts_count = ctd_interval_counts(interval);
	uint64_t types = take_at_most(input, CTD_CORE_TYPES_MAX);

	for (uint64_t type = 0; type < types; type++) {
		struct ctd_interval_totals *totals = &interval->totals[type];

		totals->cpus_online = (uint32_t)take_at_most(input, UINT32_MAX);
		totals->empty_ns = take(input);
		for (size_t i = 0; i < counts_count; i++) {
			totals->total[i] = ctd_unzigzag(take(input));
			totals->unattributed[i] = take(input);
			totals->residual[i] = (int64_t)ctd_unzigzag(take(input));
			totals->total[i] += totals->unattributed[i] + (uint64_t)totals->residual[i];
		}
	}
}

static int add_rows_to_totals(struct ctd_interval *interval)
{
	size_t counts_count = ctd_interval_counts(interval);
	autofree uint64_t *sums = sums_of_rows(interval);

	if (!sums)
		return -ENOMEM;
	for (unsigned int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		for (size_t i = 0; i < counts_count; i++)
			interval->totals[type].total[i] += sums[type * counts_count + i];
	return 0;
}

static void take_health(struct input *input, struct ctd_interval_health *health)
{
	uint64_t known;

	health->empty_ns = take(input);
	/* Of a program with more of them those that are known here. */
	known = take_at_most(input, UINT8_MAX);
	for (uint64_t i = 0; i < known; i++) {
		uint64_t count = take(input);

		if (i < CTD_HEALTH_COUNTERS)
			health->count[i] = count;
	}
}

/* Is it the one behind that of the context, or the first of a chain? */
static int take_chain(struct ctd_interval_context *context, struct input *input,
		      const struct ctd_record_header *header, uint64_t realtime_ns)
{
	uint64_t after = take(input), l1[4];

	if (after)
		return context->count &&
				       context->realtime_ns + ctd_unzigzag(after) == realtime_ns &&
				       context->rows.counters_count == header->counters_count &&
				       context->rows.groups_count == header->groups_count
			       ? 0
			       : -EBADMSG;
	for (int i = 0; i < 4; i++)
		l1[i] = take_at_most(input, CTD_COUNTERS_MAX);
	if (input->error ||
	    ((l1[0] | l1[1] | l1[2] | l1[3]) && !is_level1(l1, header->counters_count)))
		return -EBADMSG;
	context->count = 0;
	return ctd_row_context_begin(&context->rows, header->counters_count, header->groups_count,
				     l1);
}

static int take_rows(struct ctd_interval_context *context, struct input *input, uint32_t core_types,
		     struct ctd_interval *interval)
{
	struct ctd_bits bits;
	int error;

	if (input->error)
		return input->error;
	ctd_bits_read(&bits, input->at, input->end);
	error = ctd_rows_code(&context->rows, &bits, core_types, interval);
	return error ? error : ctd_bits_end(&bits);
}

static int take_all(struct ctd_interval_context *context, struct input *input,
		    const struct ctd_record_header *header, const int *l1_counters,
		    struct ctd_interval *interval)
{
	uint32_t core_types = header->core_types_count ? header->core_types_count : 1;
	int error = take_chain(context, input, header, interval->realtime_ns);

	if (error)
		return error;
	interval->sequence = take(input);
	interval->cpus_online = (uint32_t)take_at_most(input, UINT32_MAX);
	interval->counters_count = (uint32_t)take_at_most(input, CTD_COUNTERS_MAX);
	interval->groups_count = (uint32_t)take_at_most(input, CTD_GROUPS_MAX);
	interval->unattributed_ns = take(input);
	if (input->error || interval->counters_count != header->counters_count ||
	    interval->groups_count != header->groups_count)
		return -EBADMSG;
	take_health(input, &interval->health);
	if (ctd_interval_reserve_totals(interval))
		return -ENOMEM;
	take_totals(input, interval);
	error = take_rows(context, input, core_types, interval);
	if (!error)
		error = add_rows_to_totals(interval);
	if (!error)
		ctd_interval_judge(interval, l1_counters);
	return error;
}

int ctd_interval_decode(struct ctd_interval_context *context, const void *payload, size_t bytes,
			const struct ctd_record_header *header, const int *l1_counters,
			struct ctd_interval *ret_interval)
{
	struct input input = {.at = payload, .end = (const unsigned char *)payload + bytes};
	struct ctd_interval interval = {0};
	int error;

	interval.realtime_ns = take(&input);
	interval.window_ns = take(&input);
	error = take_all(context, &input, header, l1_counters, &interval);
	if (error) {
		ctd_interval_free(&interval);
		ctd_interval_context_free(context);
		return error;
	}
	context->count++;
	context->realtime_ns = interval.realtime_ns;
	*ret_interval = interval;
	return 0;
}

int ctd_interval_decode_time(const void *payload, size_t bytes, struct ctd_interval_time *ret_time)
{
	struct input input = {.at = payload, .end = (const unsigned char *)payload + bytes};
	struct ctd_interval_time time = {0};
	uint64_t after;

	time.realtime_ns = take(&input);
	time.window_ns = take(&input);
	after = take(&input);
	if (input.error)
		return input.error;
	if (after)
		time.after_ns = time.realtime_ns - ctd_unzigzag(after);
	*ret_time = time;
	return 0;
}
