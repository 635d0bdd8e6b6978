/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval_code.c - codes an interval: a head of numbers of seven bits a byte, then its rows by
 * columns. */
#include "history/interval_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/varint.h"
#include "decode/rows.h"
#include "history/columns.h"

/* Of a row, in its first number; the first two bits are its kind. */
#define KIND_MASK 3u
#define QUALITY_SHIFT 2 /* three bits */
#define ODD_RUNNING (1u << 5) /* running_ns is not oncpu_ns */
#define ODD_COUNTS (1u << 6) /* counts are not raw */
#define ODD_TIMES (1u << 7) /* of groups: not all of running_ns */
#define HAS_CORE_TYPE (1u << 8)
#define HAS_PID (1u << 9)
#define FLAGS_END (1u << 10)

/* What its columns are of. */
struct shape {
	size_t counts_count;
	uint32_t groups_count;
	uint64_t l1[4]; /* indices of the level-1 counts that add up to the first one; 0: none */
};

/* A number that may be negative, small where it is near 0. */
static uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t) - (int64_t)(difference >> 63);
}

static uint64_t unzigzag(uint64_t value)
{
	return value >> 1 ^ (uint64_t) - (int64_t)(value & 1);
}

static uint64_t counted_ns(const struct ctd_interval_row *row)
{
	return row->running_ns < row->oncpu_ns ? row->running_ns : row->oncpu_ns;
}

/* What group_ns and count_ns are where no group rotates, nothing was scaled and all is counted. */
static bool times_are_plain(const struct ctd_interval_row *row, size_t groups_count)
{
	for (size_t i = 1; i < groups_count; i++)
		if (row->group_ns[i] || row->count_ns[i])
			return false;
	return row->group_ns[0] == counted_ns(row) && row->count_ns[0] == row->running_ns;
}

static unsigned int flags_of(const struct ctd_interval_row *row, const struct shape *shape)
{
	unsigned int flags = (unsigned int)row->kind | (unsigned int)row->quality << QUALITY_SHIFT;

	if (row->running_ns != row->oncpu_ns)
		flags |= ODD_RUNNING;
	if (memcmp(row->raw, row->count, shape->counts_count * sizeof(*row->raw)) != 0)
		flags |= ODD_COUNTS;
	if (!times_are_plain(row, shape->groups_count))
		flags |= ODD_TIMES;
	return flags | (row->core_type ? HAS_CORE_TYPE : 0) | (row->pid ? HAS_PID : 0);
}

/* Of a machine whose level 1 is the whole, the last of its four counts is what is left. */
static uint64_t expected(const uint64_t *raw, const struct shape *shape, size_t counter)
{
	const uint64_t *l1 = shape->l1;

	return l1[0] && counter == l1[3] ? raw[0] - raw[l1[0]] - raw[l1[1]] - raw[l1[2]] : 0;
}

/* What a column has of a row. `argument`: of which count or group. */
enum column {
	FLAGS,
	CGROUP,
	CORE_TYPE,
	PID,
	ONCPU,
	RUNNING,
	SLICES,
	SWITCHES,
	RAW,
	COUNT,
	GROUP_TIME,
	COUNT_TIME,
	COLUMNS,
};

/* The flag of the rows that are in a column; 0: all are. */
static const unsigned int flag_of[COLUMNS] = {
	[CORE_TYPE] = HAS_CORE_TYPE, [PID] = HAS_PID,	       [RUNNING] = ODD_RUNNING,
	[COUNT] = ODD_COUNTS,	     [GROUP_TIME] = ODD_TIMES, [COUNT_TIME] = ODD_TIMES,
};

/* How many columns of a kind there are. */
static size_t columns_of(enum column column, const struct shape *shape)
{
	return column == RAW || column == COUNT		      ? shape->counts_count
	       : column == GROUP_TIME || column == COUNT_TIME ? shape->groups_count
							      : 1;
}

static uint64_t figure_of(enum column column, size_t index, const struct ctd_interval_row *row,
			  const struct ctd_interval_row *before, const struct shape *shape)
{
	switch (column) {
	case FLAGS:
		return flags_of(row, shape);
	case CGROUP: /* rows are sorted: the distance is small */
		return row->cgroup_id -
		       (before && before->kind == row->kind ? before->cgroup_id : 0);
	case CORE_TYPE:
		return row->core_type;
	case PID:
		return row->pid;
	case ONCPU:
		return row->oncpu_ns;
	case RUNNING:
		return zigzag(row->running_ns - row->oncpu_ns);
	case SLICES:
		return row->slices;
	case SWITCHES:
		return row->switches;
	case RAW:
		return shape->l1[0] && index == shape->l1[3]
			       ? zigzag(row->raw[index] - expected(row->raw, shape, index))
			       : row->raw[index];
	case COUNT:
		return zigzag(row->count[index] - row->raw[index]);
	case GROUP_TIME:
		return row->group_ns[index];
	case COUNT_TIME:
		return row->count_ns[index];
	case COLUMNS:
		break;
	}
	return 0;
}

static bool is_in(enum column column, const struct ctd_interval_row *row, const struct shape *shape)
{
	return !flag_of[column] || flags_of(row, shape) & flag_of[column];
}

static void put_rows(const struct ctd_interval *interval, const struct shape *shape,
		     uint64_t *scratch, struct ctd_strbuf *out)
{
	struct ctd_column_writer writer = {.out = out};

	for (enum column column = 0; column < COLUMNS; column++)
		for (size_t index = 0; index < columns_of(column, shape); index++) {
			size_t count = 0;

			for (size_t i = 0; i < interval->rows_count; i++)
				if (is_in(column, &interval->rows[i], shape))
					scratch[count++] =
						figure_of(column, index, &interval->rows[i],
							  i ? &interval->rows[i - 1] : NULL, shape);
			ctd_column_write(&writer, scratch, count);
		}
	ctd_column_end(&writer);
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

static void put_totals(const struct ctd_interval *interval, struct ctd_strbuf *out)
{
	size_t counts_count = ctd_interval_counts(interval);

	ctd_varint_add(out, core_types_of(interval));
	for (unsigned int type = 0; type < core_types_of(interval); type++) {
		const struct ctd_interval_totals *totals = &interval->totals[type];

		ctd_varint_add(out, totals->cpus_online);
		ctd_varint_add(out, totals->empty_ns);
		for (size_t i = 0; i < counts_count; i++) {
			ctd_varint_add(out, totals->total[i]);
			ctd_varint_add(out, totals->unattributed[i]);
			ctd_varint_add(out, zigzag((uint64_t)totals->residual[i]));
		}
	}
}

static void put_head(const struct ctd_interval *interval, struct ctd_strbuf *out)
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
	put_totals(interval, out);
	ctd_varint_add(out, interval->rows_count);
}

int ctd_interval_encode(const struct ctd_interval *interval, const int *l1_counters,
			struct ctd_strbuf *payload)
{
	autofree uint64_t *scratch = malloc((interval->rows_count + 1) * sizeof(*scratch));
	struct shape shape = {.counts_count = ctd_interval_counts(interval),
			      .groups_count = interval->groups_count};

	if (!scratch)
		return -ENOMEM;
	ctd_varint_add(payload, interval->realtime_ns);
	ctd_varint_add(payload, interval->window_ns);
	put_head(interval, payload);
	for (int i = 0; i < 4; i++) {
		bool known = l1_counters && l1_counters[0] > 0 && l1_counters[i] > 0 &&
			     (uint32_t)l1_counters[i] < interval->counters_count;

		shape.l1[i] = known ? (uint64_t)l1_counters[i] : 0;
		ctd_varint_add(payload, shape.l1[i]);
	}
	put_rows(interval, &shape, scratch, payload);
	return payload->failed ? -ENOMEM : 0;
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

/* As figure_of(), the other way round. Columns come in an order in which what they need is there. */
static void take_figure(enum column column, size_t index, uint64_t figure,
			const struct ctd_interval_row *before, struct ctd_interval_row *row)
{
	switch (column) {
	case FLAGS:
		row->kind = figure & KIND_MASK;
		row->quality = figure >> QUALITY_SHIFT & 7;
		break;
	case CGROUP:
		row->cgroup_id =
			figure + (before && before->kind == row->kind ? before->cgroup_id : 0);
		break;
	case CORE_TYPE:
		row->core_type = (uint32_t)figure;
		break;
	case PID:
		row->pid = (uint32_t)figure;
		break;
	case ONCPU:
		row->oncpu_ns = row->running_ns = figure;
		break;
	case RUNNING:
		row->running_ns += unzigzag(figure);
		break;
	case SLICES:
		row->slices = figure;
		break;
	case SWITCHES:
		row->switches = figure;
		break;
	case RAW:
		row->raw[index] = row->count[index] = figure;
		break;
	case COUNT:
		row->count[index] += unzigzag(figure);
		break;
	case GROUP_TIME:
		row->group_ns[index] = figure;
		break;
	case COUNT_TIME:
		row->count_ns[index] = figure;
		break;
	case COLUMNS:
		break;
	}
}

/* What is not in columns of its own. All counts as they were are there. */
static void complete(struct ctd_interval *interval, const struct shape *shape)
{
	for (size_t i = 0; i < interval->rows_count; i++) {
		struct ctd_interval_row *row = &interval->rows[i];
		size_t last = shape->l1[3];

		row->group_ns[0] = counted_ns(row);
		row->count_ns[0] = row->running_ns;
		if (!shape->l1[0])
			continue;
		row->raw[last] = unzigzag(row->raw[last]) + expected(row->raw, shape, last);
		row->count[last] = row->raw[last];
	}
}

static void take_columns(struct ctd_column_reader *reader, enum column column,
			 const struct shape *shape, const unsigned int *flags, uint64_t *scratch,
			 struct ctd_interval *interval)
{
	for (size_t index = 0; index < columns_of(column, shape); index++) {
		size_t count = 0, taken = 0;

		for (size_t i = 0; i < interval->rows_count; i++)
			count += !flag_of[column] || flags[i] & flag_of[column];
		ctd_column_read(reader, scratch, count);
		for (size_t i = 0; i < interval->rows_count; i++)
			if (!flag_of[column] || flags[i] & flag_of[column])
				take_figure(column, index, scratch[taken++],
					    i ? &interval->rows[i - 1] : NULL, &interval->rows[i]);
	}
}

static bool are_rows(const struct ctd_interval *interval, uint32_t core_types)
{
	for (size_t i = 0; i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];

		if (row->quality > CTD_UNSUPPORTED || row->core_type >= core_types ||
		    (row->kind != CTD_ROW_CGROUP && row->cgroup_id) ||
		    (i && ctd_interval_row_compare(row - 1, row) >= 0))
			return false;
	}
	return true;
}

static int take_rows(struct input *input, const struct shape *shape, uint32_t core_types,
		     struct ctd_interval *interval)
{
	struct ctd_column_reader reader = {.at = input->at, .end = input->end};
	autofree uint64_t *scratch = malloc((interval->rows_count + 1) * sizeof(*scratch));
	autofree unsigned int *flags = malloc((interval->rows_count + 1) * sizeof(*flags));

	if (!scratch || !flags)
		return -ENOMEM;
	for (enum column column = 0; column < COLUMNS; column++) {
		if (column == COUNT)
			complete(interval, shape);
		take_columns(&reader, column, shape, flags, scratch, interval);
		for (size_t i = 0; column == FLAGS && i < interval->rows_count; i++) {
			if (scratch[i] >= FLAGS_END)
				return -EBADMSG;
			flags[i] = (unsigned int)scratch[i];
		}
	}
	if (reader.error || reader.at != reader.end || !are_rows(interval, core_types))
		return -EBADMSG;
	return 0;
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
			totals->total[i] = take(input);
			totals->unattributed[i] = take(input);
			totals->residual[i] = (int64_t)unzigzag(take(input));
		}
	}
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

static int take_all(struct input *input, const struct ctd_record_header *header,
		    const int *l1_counters, struct ctd_interval *interval)
{
	uint32_t core_types = header->core_types_count ? header->core_types_count : 1;
	struct shape shape = {0};
	uint64_t rows_count;
	int error;

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
	rows_count = take(input);
	for (int i = 0; i < 4; i++)
		shape.l1[i] = take_at_most(input,
					   header->counters_count ? header->counters_count - 1 : 0);
	/* A row takes some bits: no more are made than there can be. */
	if (input->error || rows_count > 8 * (uint64_t)(input->end - input->at))
		return -EBADMSG;
	if (ctd_interval_reserve(interval, rows_count))
		return -ENOMEM;
	interval->rows_count = rows_count;
	shape.counts_count = ctd_interval_counts(interval);
	shape.groups_count = interval->groups_count;
	error = take_rows(input, &shape, core_types, interval);
	if (!error)
		ctd_interval_judge(interval, l1_counters);
	return error;
}

int ctd_interval_decode(const void *payload, size_t bytes, const struct ctd_record_header *header,
			const int *l1_counters, struct ctd_interval *ret_interval)
{
	struct input input = {.at = payload, .end = (const unsigned char *)payload + bytes};
	struct ctd_interval interval = {0};
	int error;

	interval.realtime_ns = take(&input);
	interval.window_ns = take(&input);
	error = take_all(&input, header, l1_counters, &interval);
	if (error) {
		ctd_interval_free(&interval);
		return error;
	}
	*ret_interval = interval;
	return 0;
}

int ctd_interval_decode_time(const void *payload, size_t bytes, uint64_t *ret_realtime_ns,
			     uint64_t *ret_window_ns)
{
	struct input input = {.at = payload, .end = (const unsigned char *)payload + bytes};
	uint64_t realtime_ns = take(&input), window_ns;

	window_ns = take(&input);
	if (input.error)
		return input.error;
	*ret_realtime_ns = realtime_ns;
	*ret_window_ns = window_ns;
	return 0;
}
