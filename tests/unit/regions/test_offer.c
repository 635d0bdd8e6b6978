/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_offer.c - what regions.h offers is what rdpmc.h counts, as the program here reads it. */
#include "offering.h"

#include <math.h>
#include <sys/wait.h>

#include "regions/sums.h"

static struct ctd_region_sums sums;
static char why[CTD_REGION_REFUSAL_BYTES];

static int begin(void **state)
{
	(void)state;
	memset(&sums, 0, sizeof(sums));
	*why = '\0';
	return 0;
}

static int end(void **state)
{
	(void)state;
	ctd_region_sums_free(&sums);
	return 0;
}

static void read_all(const struct ctd_regions *regions)
{
	struct ctd_regions_header header;

	assert_int_equal(
		ctd_region_memory_check(regions->header, ctd_regions_bytes(), &header, why), 0);
	assert_int_equal(header.pid, getpid());
	assert_true(header.offered_ns > 0);
	assert_int_equal(ctd_region_sums_read(&sums, regions->header, ctd_regions_bytes(),
					      CTD_REGIONS_MAX, why),
			 0);
}

static void assert_is_region(const struct ctd_regions_totals *totals,
			     const struct ctd_rdpmc_region *region)
{
	double wanted[CTD_RDPMC_NODES_COUNT], ratio[CTD_REGION_NODES];

	assert_int_equal(totals->measured, region->measured);
	assert_int_equal(totals->lost, region->lost);
	assert_int_equal(totals->slots, region->slots);
	assert_int_equal(totals->whole_slots, region->whole_slots);
	assert_int_equal(totals->rounded_slots, region->rounded_slots);
	assert_memory_equal(totals->part, region->part, sizeof(totals->part));
	assert_int_equal(ctd_region_ratios(totals, ratio), ctd_rdpmc_ratios(region, wanted));
	for (int i = 0; i < CTD_REGION_NODES; i++)
		assert_true(isnan(wanted[i]) ? isnan(ratio[i]) : ratio[i] == wanted[i]);
	if (region->measured)
		assert_true(ctd_region_error_ratio(totals) == ctd_rdpmc_error_ratio(region));
}

static void what_is_offered_is_what_the_header_counts(void **state)
{
	(void)state;
	assert_int_equal(CTD_REGION_NODES, CTD_RDPMC_NODES_COUNT);
	for (int i = 0; i < CTD_REGION_NODES; i++)
		assert_string_equal(ctd_region_node_name(i), ctd_rdpmc_node_name(i));
	for (unsigned int flags = 0; flags <= CTD_RDPMC_READS; flags += CTD_RDPMC_READS) {
		struct ctd_regions_entry memory, branch;
		struct ctd_rdpmc_group group;
		struct ctd_regions regions;

		offering_open(&group, flags);
		assert_int_equal(ctd_regions_offer(&regions), 0);
		assert_int_equal(ctd_regions_join(&regions, "memory", &memory), 0);
		assert_int_equal(ctd_regions_join(&regions, "branch", &branch), 0);
		for (uint64_t i = 0; i < 50; i++) {
			offering_pass(&group, &memory, memory_load, 700 + i);
			offering_pass(&group, &branch, branch_load, 300 + i);
			read_all(&regions);
			assert_int_equal(sums.count, 2);
			assert_is_region(&sums.items[0].now, &memory.region);
			assert_is_region(&sums.items[1].now, &branch.region);
		}
		assert_string_equal(sums.items[0].name, "memory");
		assert_int_equal(memory.region.slots, 36225000);
		assert_int_equal(sums.items[0].now.measured_ns, memory.measured_ns);
		assert_true(memory.measured_ns > 0);
		assert_int_equal(sums.items[0].now.nodes_known, 12);
		ctd_rdpmc_close(&group);
		ctd_regions_withdraw(&regions);
		ctd_region_sums_free(&sums);
	}
}

static void threads_with_one_name_are_added_up(void **state)
{
	struct ctd_regions_entry one, other;
	struct ctd_rdpmc_group group;
	struct ctd_regions regions;

	(void)state;
	offering_open(&group, 0);
	assert_int_equal(ctd_regions_offer(&regions), 0);
	assert_int_equal(ctd_regions_join(&regions, "parse", &one), 0);
	assert_int_equal(ctd_regions_join(&regions, "parse", &other), 0);
	offering_pass(&group, &one, memory_load, 1000);
	offering_pass(&group, &other, branch_load, 3000);
	offering_pass(&group, &other, memory_load, 10);
	read_all(&regions);
	assert_int_equal(sums.count, 1);
	assert_int_equal(sums.items[0].now.measured, 3);
	assert_int_equal(sums.items[0].now.slots, one.region.slots + other.region.slots);
	assert_int_equal(sums.items[0].now.part[CTD_RDPMC_BACKEND_BOUND],
			 one.region.part[CTD_RDPMC_BACKEND_BOUND] +
				 other.region.part[CTD_RDPMC_BACKEND_BOUND]);
	assert_int_equal(sums.items[0].now.measured_ns, one.measured_ns + other.measured_ns);
	ctd_rdpmc_close(&group);
	ctd_regions_withdraw(&regions);
}

static void a_record_that_was_left_goes_on_with_its_totals(void **state)
{
	struct ctd_rdpmc_group group;
	struct ctd_regions regions;
	uint64_t before_ns = 0;

	(void)state;
	offering_open(&group, 0);
	assert_int_equal(ctd_regions_offer(&regions), 0);
	for (uint64_t i = 1; i <= 3 * CTD_REGIONS_MAX; i++) {
		struct ctd_regions_entry entry;

		assert_int_equal(ctd_regions_join(&regions, "work", &entry), 0);
		assert_int_equal(entry.region.measured, i - 1);
		assert_int_equal(entry.measured_ns, before_ns);
		offering_pass(&group, &entry, memory_load, 5);
		before_ns = entry.measured_ns;
		ctd_regions_leave(&entry);
	}
	read_all(&regions);
	assert_int_equal(ctd_region_memory_count(regions.header, ctd_regions_bytes()), 1);
	assert_int_equal(sums.items[0].now.measured, 3 * CTD_REGIONS_MAX);
	assert_int_equal(sums.items[0].now.slots, 3 * CTD_REGIONS_MAX * 5000);
	ctd_rdpmc_close(&group);
	ctd_regions_withdraw(&regions);
}

static void lost_passes_have_time_and_a_reason_and_no_slots(void **state)
{
	struct ctd_regions_entry entry;
	struct ctd_rdpmc_group group;
	struct ctd_regions regions;
	double ratio[CTD_REGION_NODES];

	(void)state;
	machine_begin("sapphire_rapids");
	machine.never_runs = true;
	assert_int_equal(machine_open(&group, 0), CTD_RDPMC_TAKEN);
	assert_int_equal(ctd_regions_offer(&regions), 0);
	assert_int_equal(ctd_regions_join(&regions, "work", &entry), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ctd_regions_begin(&group, &entry), CTD_RDPMC_TAKEN);
		assert_int_equal(ctd_regions_end(&group, &entry), CTD_RDPMC_MISUSED);
		/* An end without a begin is none. */
		assert_int_equal(ctd_regions_end(&group, &entry), CTD_RDPMC_MISUSED);
	}
	read_all(&regions);
	assert_int_equal(sums.items[0].now.measured, 0);
	assert_int_equal(sums.items[0].now.lost, 3);
	assert_int_equal(sums.items[0].now.lost_ns, entry.lost_ns);
	assert_true(entry.lost_ns > 0);
	assert_int_equal(ctd_region_ratios(&sums.items[0].now, ratio), 0);
	assert_true(isnan(ratio[0]));
	assert_string_equal(sums.items[0].why_lost, ctd_rdpmc_error_text(CTD_RDPMC_TAKEN));
	ctd_rdpmc_close(&group);

	/* One that is lost at its end, and then another reason, in both banks. */
	offering_open(&group, 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ctd_regions_begin(&group, &entry), CTD_RDPMC_OK);
		work(memory_load, 10);
		switch_context();
		assert_int_equal(ctd_regions_end(&group, &entry), CTD_RDPMC_TOO_LONG);
		read_all(&regions);
		assert_string_equal(sums.items[0].why_lost,
				    ctd_rdpmc_error_text(CTD_RDPMC_TOO_LONG));
	}
	assert_int_equal(sums.items[0].now.lost, 6);
	ctd_rdpmc_close(&group);
	ctd_regions_withdraw(&regions);
}

static void every_reason_has_room(void **state)
{
	(void)state;
	for (int i = 0; i < CTD_RDPMC_ERRORS_COUNT; i++)
		assert_true(strlen(ctd_rdpmc_error_text(i)) < CTD_REGIONS_WHY_BYTES);
}

static void what_has_no_room_is_measured_and_not_offered(void **state)
{
	static struct ctd_regions_entry entry;
	char name[CTD_REGIONS_NAME_BYTES + 1];
	struct ctd_rdpmc_group group;
	struct ctd_regions regions;

	(void)state;
	offering_open(&group, 0);
	assert_int_equal(ctd_regions_offer(&regions), 0);
	for (int i = 0; i < CTD_REGIONS_MAX; i++) {
		snprintf(name, sizeof(name), "%063d", i);
		assert_int_equal(ctd_regions_join(&regions, name, &entry), 0);
	}
	assert_int_equal(ctd_regions_join(&regions, "one more", &entry), -ENOSPC);
	offering_pass(&group, &entry, memory_load, 5);
	assert_int_equal(entry.region.slots, 5000);
	ctd_regions_leave(&entry);
	assert_int_equal(ctd_regions_join(&regions, "", &entry), -EINVAL);
	snprintf(name, sizeof(name), "%064d", 0);
	assert_int_equal(ctd_regions_join(&regions, name, &entry), -EINVAL);
	read_all(&regions);
	assert_int_equal(sums.count, CTD_REGIONS_MAX);
	ctd_regions_withdraw(&regions);
	assert_int_equal(ctd_regions_join(&regions, "late", &entry), -ENOENT);
	ctd_regions_withdraw(&regions);
	ctd_rdpmc_close(&group);
}

/* Of the exit status each bit is something that it did. */
static int be_child(const struct ctd_regions *regions, struct ctd_regions_entry *entry)
{
	struct ctd_regions_entry own;
	struct ctd_rdpmc_group group = {.open = false};

	(void)ctd_regions_begin(&group, entry);
	(void)ctd_regions_end(&group, entry);
	ctd_regions_leave(entry);
	return ctd_regions_join(regions, "child", &own) != -ENOENT;
}

static void a_child_after_fork_offers_nothing(void **state)
{
	struct ctd_regions_entry entry;
	struct ctd_rdpmc_group group;
	struct ctd_regions regions;
	int status;
	pid_t pid;

	(void)state;
	offering_open(&group, 0);
	assert_int_equal(ctd_regions_offer(&regions), 0);
	assert_int_equal(ctd_regions_join(&regions, "parent", &entry), 0);
	offering_pass(&group, &entry, memory_load, 5);
	pid = fork();
	if (!pid)
		_exit(be_child(&regions, &entry));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	read_all(&regions);
	assert_int_equal(sums.count, 1);
	assert_int_equal(sums.items[0].now.measured, 1);
	assert_int_equal(sums.items[0].now.lost, 0);
	offering_pass(&group, &entry, memory_load, 5);
	read_all(&regions);
	assert_int_equal(sums.items[0].now.measured, 2);
	ctd_rdpmc_close(&group);
	ctd_regions_withdraw(&regions);
}

static void the_memory_never_becomes_shorter(void **state)
{
	struct ctd_regions regions;

	(void)state;
	assert_int_equal(ctd_regions_offer(&regions), 0);
	assert_int_equal(ftruncate(regions.fd, 0), -1);
	assert_int_equal(errno, EPERM);
	ctd_regions_withdraw(&regions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_offered_is_what_the_header_counts, begin,
						end),
		cmocka_unit_test_setup_teardown(threads_with_one_name_are_added_up, begin, end),
		cmocka_unit_test_setup_teardown(a_record_that_was_left_goes_on_with_its_totals,
						begin, end),
		cmocka_unit_test_setup_teardown(lost_passes_have_time_and_a_reason_and_no_slots,
						begin, end),
		cmocka_unit_test(every_reason_has_room),
		cmocka_unit_test_setup_teardown(what_has_no_room_is_measured_and_not_offered, begin,
						end),
		cmocka_unit_test_setup_teardown(a_child_after_fork_offers_nothing, begin, end),
		cmocka_unit_test(the_memory_never_becomes_shorter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
