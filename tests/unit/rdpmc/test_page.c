/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_page.c - counters are read as the kernel's page says, whatever it does meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "machine.h"

/* Five general-purpose counters of 48 bits, each behind an offset. */
static void open_counters(struct ctd_rdpmc_group *group, struct perf_event_mmap_page page[5])
{
	machine_begin("zen4");
	memset(group, 0, sizeof(*group));
	memset(page, 0, 5 * sizeof(*page));
	group->open = true;
	group->slots_per_count = 6;
	group->nodes_known = CTD_RDPMC_LEVEL1_COUNT;
	group->events_count = 5;
	for (unsigned int i = 0; i < 5; i++) {
		page[i].cap_user_rdpmc = 1;
		page[i].pmc_width = 48;
		page[i].index = i + 1;
		page[i].offset = 1000000 * (int64_t)(i + 1);
		group->page[i] = &page[i];
	}
}

static void a_counter_is_extended_by_its_width(void **state)
{
	(void)state;
	for (unsigned int width = 1; width <= 64; width++) {
		uint64_t all = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;

		assert_int_equal(ctd_rdpmc_extend(0, width), 0);
		assert_int_equal(ctd_rdpmc_extend(all, width), -1);
		if (width > 2)
			assert_int_equal(ctd_rdpmc_extend(1, width), 1);
		if (width < 64) /* what is above the width is nothing */
			assert_int_equal(ctd_rdpmc_extend(all + 1, width), 0);
	}
}

/* The kernel begins below 0, so that an overflow comes late: going through 0 loses nothing. */
static void a_counter_that_wraps_goes_on(void **state)
{
	struct perf_event_mmap_page page[5];
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	struct ctd_rdpmc_group group;

	(void)state;
	open_counters(&group, page);
	for (unsigned int i = 0; i < 5; i++)
		machine.counter[i] = (UINT64_C(1) << 48) - 100;
	assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
	machine.counter[0] = 900; /* 1000 cycles */
	machine.counter[1] = 500; /* retired */
	machine.counter[2] = 700; /* dispatched */
	machine.counter[3] = 400;
	machine.counter[4] = (UINT64_C(1) << 48) - 50;
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
	assert_int_equal(region.slots, 6000);
	assert_int_equal(region.part[CTD_RDPMC_RETIRING], 600);
	assert_int_equal(region.part[CTD_RDPMC_BAD_SPECULATION], 800 - 600);
	assert_int_equal(region.part[CTD_RDPMC_FRONTEND_BOUND], 500);
	assert_int_equal(region.part[CTD_RDPMC_BACKEND_BOUND], 50);
	assert_int_equal(region.rounded_slots, 0);
}

/* An overflow: the kernel takes what the counter had into the offset, and begins it anew. */
static void renew_counter(uint32_t counter)
{
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)machine.page[0];

	if (counter != 3 || machine.rdpmcs != 4)
		return;
	page[3].lock += 2;
	page[3].offset += (int64_t)machine.counter[3];
	machine.counter[3] = 0;
}

static void a_page_that_was_written_meanwhile_is_read_again(void **state)
{
	struct perf_event_mmap_page page[5];
	struct ctd_rdpmc_group group;
	struct ctd_rdpmc_sample sample;

	(void)state;
	open_counters(&group, page);
	machine.page[0] = page;
	machine.counter[3] = 77;
	machine.on_rdpmc = renew_counter;
	assert_int_equal(ctd_rdpmc_take(&group, &sample), CTD_RDPMC_OK);
	assert_int_equal(machine.rdpmcs, 5 + 1);
	assert_int_equal(sample.part[CTD_RDPMC_FRONTEND_BOUND], 4000000 + 77);
}

static void a_counter_off_the_pmu_is_not_read(void **state)
{
	struct perf_event_mmap_page page[5];
	struct ctd_rdpmc_group group;
	struct ctd_rdpmc_sample sample;

	(void)state;
	open_counters(&group, page);
	page[0].index = 0;
	assert_int_equal(ctd_rdpmc_take(&group, &sample), CTD_RDPMC_TAKEN);
	assert_int_equal(machine.rdpmcs, 0);
	/* The instruction would be a fault. */
	open_counters(&group, page);
	page[0].cap_user_rdpmc = 0;
	assert_int_equal(ctd_rdpmc_take(&group, &sample), CTD_RDPMC_TAKEN);
	assert_int_equal(machine.rdpmcs, 0);
}

/* After one of the registers the thread goes to sleep, comes back, and works on. */
static uint32_t switch_after;
static void switch_at_register(uint32_t counter)
{
	if (counter != switch_after)
		return;
	machine.on_rdpmc = NULL;
	work(branch_load, 40);
	switch_context();
}

static void slots_and_fractions_are_of_one_instant(void **state)
{
	static const uint32_t registers[] = {RDPMC_SLOTS, RDPMC_METRICS};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct ctd_rdpmc_group group;
		struct ctd_rdpmc_sample sample;

		machine_begin("sapphire_rapids");
		assert_int_equal(machine_open(&group, 0), CTD_RDPMC_OK);
		(void)control_group(group.fd[0], PERF_EVENT_IOC_RESET);
		work(memory_load, 10);
		switch_after = registers[i];
		machine.on_rdpmc = switch_at_register;
		assert_int_equal(ctd_rdpmc_take(&group, &sample), CTD_RDPMC_OK);
		assert_int_equal(sample.slots, 50000);
		for (int part = 0; part < CTD_RDPMC_PARTS; part++) {
			uint64_t byte = metrics_register() >> (8 * part) & 0xff;

			assert_int_equal(sample.part[part], 50000 * byte / 255);
		}
		ctd_rdpmc_close(&group);
	}
}

/* The offset is what the protocol is about: where it is added, a switch is no matter. */
static void general_purpose_counters_go_on_after_a_switch(void **state)
{
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
	struct perf_event_mmap_page page[5];
	struct ctd_rdpmc_group group;

	(void)state;
	open_counters(&group, page);
	assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
	for (unsigned int i = 0; i < 5; i++) {
		page[i].lock += 2;
		page[i].offset += 5000;
		machine.counter[i] = 300;
	}
	assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
	assert_int_equal(region.slots, 5300 * 6);
	assert_int_equal(region.part[CTD_RDPMC_RETIRING], 5300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_is_extended_by_its_width),
		cmocka_unit_test(a_counter_that_wraps_goes_on),
		cmocka_unit_test(a_page_that_was_written_meanwhile_is_read_again),
		cmocka_unit_test(a_counter_off_the_pmu_is_not_read),
		cmocka_unit_test(slots_and_fractions_are_of_one_instant),
		cmocka_unit_test(general_purpose_counters_go_on_after_a_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
