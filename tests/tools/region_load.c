/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* region_load.c - offers regions whose slots are known, counted on a made-up processor. */
#include "unit/rdpmc/machine.h"

#include <cgtopdown/regions.h>
#include <stdlib.h>

/*
 * usage: region_load PASSES [lost] [version=N]
 *
 * Waits for a line on stdin, makes so many passes through the regions "memory" and "branch", one in
 * a millisecond, prints a line of JSON for each with what rdpmc.h counted, and waits for the next
 * line. With lost another has the counters; version is that of the layout.
 */

struct load {
	unsigned int passes;
	bool lost;
	uint32_t version;
};

static bool take(struct load *load, const char *argument)
{
	if (strcmp(argument, "lost") == 0)
		load->lost = true;
	else if (strncmp(argument, "version=", 8) == 0)
		load->version = (uint32_t)strtoul(argument + 8, NULL, 10);
	else if (!load->passes)
		load->passes = (unsigned int)strtoul(argument, NULL, 10);
	else
		return false;
	return true;
}

static void await_line(void)
{
	char line[16];

	if (!fgets(line, sizeof(line), stdin))
		_exit(3);
}

static void pass(struct ctd_rdpmc_group *group, struct ctd_regions_entry *entry,
		 const uint64_t parts[PARTS_MAX], uint64_t thousands)
{
	(void)ctd_regions_begin(group, entry);
	work(parts, thousands);
	(void)ctd_regions_end(group, entry);
}

static void print(const struct ctd_regions_entry *entry)
{
	const struct ctd_rdpmc_region *region = &entry->region;
	double ratio[CTD_RDPMC_NODES_COUNT];
	int known = ctd_rdpmc_ratios(region, ratio);

	printf("{\"region\":\"%s\",\"calls\":%llu,\"lost\":%llu,\"slots\":%llu,\"time_ns\":%llu,\"metrics\":{",
	       region->name, (unsigned long long)(region->measured + region->lost),
	       (unsigned long long)region->lost, (unsigned long long)region->slots,
	       (unsigned long long)(entry->measured_ns + entry->lost_ns));
	for (int i = 0; i < known; i++)
		printf("%s\"%s\":%.9f", i ? "," : "", ctd_rdpmc_node_name(i), ratio[i]);
	printf("}}\n");
}

int main(int argc, char **argv)
{
	struct load load = {.version = CTD_REGIONS_VERSION};
	struct ctd_regions_entry memory, branch;
	struct ctd_rdpmc_group group;
	struct ctd_regions regions;

	for (int i = 1; i < argc; i++)
		if (!take(&load, argv[i]))
			return 2;
	machine_begin("sapphire_rapids");
	machine.never_runs = load.lost;
	(void)machine_open(&group, 0);
	if (ctd_regions_offer(&regions))
		return 1;
	regions.header->version = load.version;
	if (ctd_regions_join(&regions, "memory", &memory) ||
	    ctd_regions_join(&regions, "branch", &branch))
		return 1;
	await_line();
	for (unsigned int i = 0; i < load.passes; i++) {
		pass(&group, &memory, memory_load, 700 + i);
		pass(&group, &branch, branch_load, 300 + i);
		usleep(1000);
	}
	print(&memory);
	print(&branch);
	fflush(stdout);
	await_line();
	ctd_rdpmc_close(&group);
	ctd_regions_withdraw(&regions);
	return 0;
}
