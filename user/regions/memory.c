/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* memory.c - reads what another program offers of its regions, and believes nothing of it. */
#include "regions/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of any total: at 3 GHz and eight slots a cycle, six years of one thread. */
#define TOTAL_MAX (UINT64_C(1) << 62)

static int refuse(char *why, const char *what)
{
	snprintf(why, CTD_REGION_REFUSAL_BYTES, "%s", what);
	return -EBADMSG;
}

int ctd_region_memory_check(const void *memory, size_t bytes, struct ctd_regions_header *ret_header,
			    char ret_why[CTD_REGION_REFUSAL_BYTES])
{
	struct ctd_regions_header header;

	if (bytes < sizeof(header))
		return refuse(ret_why, "the memory is shorter than a header");
	memcpy(&header, memory, sizeof(header));
	if (memcmp(header.magic, CTD_REGIONS_MAGIC, sizeof(header.magic)) != 0)
		return refuse(ret_why, "the memory does not begin with " CTD_REGIONS_MAGIC);
	if (header.version != CTD_REGIONS_VERSION) {
		snprintf(
			ret_why, CTD_REGION_REFUSAL_BYTES,
			"the layout is of version %" PRIu32
			", and this cgtopdown reads %d: build the program with this one's regions.h",
			header.version, CTD_REGIONS_VERSION);
		return -EPROTONOSUPPORT;
	}
	if (header.header_bytes != sizeof(header) ||
	    header.record_bytes != sizeof(struct ctd_regions_record))
		return refuse(ret_why, "header or records are of another size");
	if (header.records_max > CTD_REGIONS_MAX ||
	    bytes < sizeof(header) + header.records_max * sizeof(struct ctd_regions_record))
		return refuse(ret_why, "there are more records than the memory has room for");
	*ret_header = header;
	return 0;
}

uint32_t ctd_region_memory_count(const void *memory, size_t bytes)
{
	const struct ctd_regions_header *header = memory;
	size_t room = (bytes - sizeof(*header)) / sizeof(struct ctd_regions_record);

	return header->records_count < room ? header->records_count : (uint32_t)room;
}

static bool is_total(uint64_t total)
{
	return total < TOTAL_MAX;
}

static bool is_part(int64_t part)
{
	return part < (int64_t)TOTAL_MAX && part > -(int64_t)TOTAL_MAX;
}

static bool is_whole(const struct ctd_regions_totals *totals)
{
	bool whole = is_total(totals->measured) && is_total(totals->lost) &&
		     is_total(totals->measured_ns) && is_total(totals->lost_ns) &&
		     is_total(totals->slots) && is_total(totals->rounded_slots) &&
		     is_part(totals->whole_slots);

	for (int i = 0; i < CTD_REGIONS_PARTS; i++)
		whole = whole && is_part(totals->part[i]);
	return whole &&
	       (totals->nodes_known == 0 || totals->nodes_known == 4 || totals->nodes_known == 12);
}

static bool is_text(const char *text, size_t bytes)
{
	return memchr(text, '\0', bytes);
}

int ctd_region_memory_read(const void *memory, uint32_t index, struct ctd_region_copy *ret_copy)
{
	const struct ctd_regions_header *header = memory;
	const struct ctd_regions_record *record =
		(const struct ctd_regions_record *)(const void *)(header + 1) + index;
	const struct ctd_regions_bank *bank = &record->bank[record->number % 2];
	bool restless = record->state == CTD_REGION_RESTLESS;

	if (record->state == CTD_REGIONS_FREE)
		return -ENOENT;
	if (!*record->name || !is_text(record->name, sizeof(record->name)))
		return -EBADMSG;
	if (!restless &&
	    (!is_text(bank->why_lost, sizeof(bank->why_lost)) || !is_whole(&bank->totals)))
		return -EBADMSG;
	memcpy(ret_copy->name, record->name, sizeof(ret_copy->name));
	ret_copy->restless = restless;
	ret_copy->bank = *bank;
	return 0;
}
