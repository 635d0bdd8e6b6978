/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_latencies.c - the block of how long events took to retire. */
#include "record_latencies.h"

#include <errno.h>

#define FIGURES (sizeof(struct ctd_latency) / sizeof(uint64_t))
/* What a sample has room for. */
#define CYCLES_MAX UINT16_MAX

uint64_t ctd_record_latencies_bytes(const struct ctd_snapshot *snapshot)
{
	const struct ctd_latencies *latencies = &snapshot->latencies;

	return CTD_RECORD_LIST_BYTES +
	       latencies->core_types_count *
		       ctd_record_item_bytes(0, latencies->count * (uint32_t)FIGURES);
}

void ctd_record_put_latencies(struct ctd_record_cursor *cursor, const struct ctd_snapshot *snapshot)
{
	const struct ctd_latencies *latencies = &snapshot->latencies;
	uint32_t figures = latencies->count * (uint32_t)FIGURES;
	struct ctd_record_list head = {.sequence = snapshot->sequence,
				       .items_count = latencies->core_types_count,
				       .figures_count = figures};

	ctd_record_move_list(cursor, &head);
	for (uint32_t type = 0; type < latencies->core_types_count; type++) {
		struct ctd_latency of[CTD_LATENCIES_MAX];

		for (uint32_t i = 0; i < CTD_LATENCIES_MAX; i++)
			of[i] = latencies->of[type][i];
		ctd_record_move_figures(cursor, (uint64_t *)of, figures, figures);
	}
}

static bool can_be(const struct ctd_latency *latency)
{
	return latency->samples <= UINT32_MAX && latency->cycles <= latency->samples * CYCLES_MAX;
}

int ctd_record_take_latencies(struct ctd_record_held *held, struct ctd_snapshot *snapshot)
{
	struct ctd_latencies *latencies = &snapshot->latencies;
	struct ctd_record_items items;
	uint32_t known = CTD_LATENCIES_MAX * (uint32_t)FIGURES, figures;
	int r = ctd_record_take_held(held, &items);

	if (r <= 0)
		return r;
	figures = items.list.figures_count;
	if (!figures || figures % FIGURES || !items.list.items_count ||
	    items.list.items_count > CTD_CORE_TYPES_MAX ||
	    !ctd_record_items_are_of(&items, snapshot->sequence, 0))
		return -EBADMSG;
	latencies->core_types_count = items.list.items_count;
	latencies->count = (figures < known ? figures : known) / (uint32_t)FIGURES;
	for (uint32_t type = 0; type < latencies->core_types_count; type++) {
		ctd_record_move_figures(&items.cursor, (uint64_t *)latencies->of[type], known,
					figures);
		for (uint32_t i = 0; i < latencies->count; i++)
			if (!can_be(&latencies->of[type][i]))
				return -EBADMSG;
	}
	return 0;
}
