/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_programs.c - programs that offer regions are found, counted from then on, and forgotten. */
#include "offering.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "regions/programs.h"

static struct ctd_region_programs programs;
static struct ctd_rdpmc_group group;
static struct ctd_regions regions;
static struct ctd_regions_entry entry;

static int begin(void **state)
{
	(void)state;
	memset(&programs, 0, sizeof(programs));
	offering_open(&group, 0);
	return ctd_regions_offer(&regions) || ctd_regions_join(&regions, "work", &entry);
}

static int end(void **state)
{
	(void)state;
	ctd_regions_withdraw(&regions);
	ctd_rdpmc_close(&group);
	ctd_region_programs_free(&programs);
	return 0;
}

static void look_and_read(uint32_t pid)
{
	ctd_region_programs_begin(&programs);
	assert_int_equal(ctd_region_programs_look(&programs, pid), 0);
	assert_int_equal(ctd_region_programs_read(&programs), 0);
}

/* Of the only region. */
static struct ctd_regions_totals growth(void)
{
	struct ctd_regions_totals growth;

	assert_int_equal(programs.count, 1);
	assert_int_equal(programs.items[0].sums.count, 1);
	ctd_region_sum_growth(&programs.items[0].sums.items[0], &growth);
	return growth;
}

static void what_was_before_the_first_look_is_not_counted(void **state)
{
	(void)state;
	offering_pass(&group, &entry, memory_load, 5);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 0);
	offering_pass(&group, &entry, memory_load, 7);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 7000);
	assert_int_equal(growth().measured, 1);
	/* Nothing is in two intervals, or in none. */
	ctd_region_programs_done(&programs);
	assert_int_equal(growth().slots, 0);
	offering_pass(&group, &entry, memory_load, 11);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 11000);
	assert_true(*programs.items[0].comm);
	assert_int_equal(programs.items[0].cgroup[0], '/');
}

static void what_is_offered_later_is_counted_from_its_beginning(void **state)
{
	(void)state;
	ctd_regions_withdraw(&regions);
	programs.of_command = true;
	ctd_region_programs_begin(&programs);
	assert_int_equal(ctd_regions_offer(&regions), 0);
	assert_int_equal(ctd_regions_join(&regions, "work", &entry), 0);
	offering_pass(&group, &entry, memory_load, 5);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 5000);
}

/* By a process that was there at the first look. */
static void what_is_offered_after_the_first_look_is_counted_from_its_beginning(void **state)
{
	(void)state;
	ctd_regions_withdraw(&regions);
	look_and_read((uint32_t)getpid());
	assert_int_equal(programs.count, 0);
	assert_int_equal(ctd_regions_offer(&regions), 0);
	assert_int_equal(ctd_regions_join(&regions, "work", &entry), 0);
	offering_pass(&group, &entry, memory_load, 5);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 5000);
}

/* As one that is moved into a cgroup that is looked at. */
static void what_was_offered_before_and_is_found_later_is_counted_from_then(void **state)
{
	(void)state;
	ctd_region_programs_begin(&programs);
	programs.begun_ns += 1000000000u; /* the kernel stamps files by its ticks */
	offering_pass(&group, &entry, memory_load, 5);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 0);
	offering_pass(&group, &entry, memory_load, 7);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 7000);
}

static void what_a_program_did_before_it_ended_is_read_once(void **state)
{
	(void)state;
	look_and_read((uint32_t)getpid());
	ctd_region_programs_done(&programs);
	offering_pass(&group, &entry, memory_load, 5);
	ctd_regions_withdraw(&regions);
	/* Its memory is open here, too, and here is the process that offered it: so as another's. */
	programs.items[0].pid = INT32_MAX;
	ctd_region_programs_begin(&programs);
	assert_int_equal(ctd_region_programs_read(&programs), 0);
	assert_int_equal(growth().slots, 5000);
	ctd_region_programs_done(&programs);
	assert_int_equal(programs.count, 0);
}

/* As one that leaves a cgroup that is wanted, and comes back. */
static void what_was_not_looked_at_for_a_while_is_not_counted_again(void **state)
{
	(void)state;
	programs.of_command = true;
	offering_pass(&group, &entry, memory_load, 5);
	look_and_read((uint32_t)getpid());
	assert_int_equal(growth().slots, 5000);
	ctd_region_programs_done(&programs);
	ctd_region_programs_begin(&programs);
	ctd_region_programs_done(&programs);
	assert_true(programs.items[0].hidden);
	look_and_read((uint32_t)getpid());
	assert_false(programs.items[0].hidden);
	assert_int_equal(growth().slots, 0);
}

/* Of what changes faster than it can be read. */
static void a_region_that_never_rests_keeps_no_other_from_being_counted(void **state)
{
	struct ctd_regions_record *record = (void *)(regions.header + 1);
	struct ctd_regions_totals growth;
	struct ctd_regions_entry hot;
	const struct ctd_region_sums *sums;

	(void)state;
	assert_int_equal(ctd_regions_join(&regions, "hot", &hot), 0);
	offering_pass(&group, &entry, memory_load, 3);
	offering_pass(&group, &hot, memory_load, 3);
	record[1].state = CTD_REGION_RESTLESS;
	look_and_read((uint32_t)getpid());
	ctd_region_programs_done(&programs);
	offering_pass(&group, &entry, memory_load, 5);
	look_and_read((uint32_t)getpid());
	sums = &programs.items[0].sums;
	assert_int_equal(sums->count, 2);
	ctd_region_sum_growth(&sums->items[0], &growth);
	assert_int_equal(growth.slots, 5000);
	assert_false(sums->items[0].partial);
	assert_true(sums->items[1].partial);
	/* What it did before it was found is of no interval, whenever it rests. */
	for (uint64_t passes = 1; passes < 4; passes++) {
		record[1].state = CTD_REGIONS_TAKEN;
		look_and_read((uint32_t)getpid());
		ctd_region_sum_growth(&sums->items[1], &growth);
		assert_int_equal(growth.slots, passes > 1 ? 11000 : 0);
		assert_false(sums->items[1].partial);
		ctd_region_programs_done(&programs);
		offering_pass(&group, &hot, memory_load, 7);
		record[1].state = CTD_REGION_RESTLESS;
		look_and_read((uint32_t)getpid());
		ctd_region_sum_growth(&sums->items[1], &growth);
		assert_int_equal(growth.slots, 0);
		ctd_region_programs_done(&programs);
		/* And what it did since is of that in which it does. */
		offering_pass(&group, &hot, memory_load, 4);
	}
}

static void memory_that_was_not_written_is_not_made_by_reading(void **state)
{
	struct stat before, after;

	(void)state;
	regions.header->records_count = CTD_REGIONS_MAX;
	assert_int_equal(fstat(regions.fd, &before), 0);
	look_and_read((uint32_t)getpid());
	assert_int_equal(programs.items[0].sums.count, 1);
	assert_int_equal(fstat(regions.fd, &after), 0);
	assert_int_equal(after.st_blocks, before.st_blocks);
}

static void one_process_does_not_take_the_room_of_others(void **state)
{
	int fds[2 * CTD_REGION_FILES_MAX];

	(void)state;
	for (int i = 0; i < 2 * CTD_REGION_FILES_MAX; i++) {
		fds[i] = ctd_regions_file();
		assert_int_equal(pwrite(fds[i], "another", 7, 0), 7);
	}
	look_and_read((uint32_t)getpid());
	assert_int_equal(programs.count, CTD_REGION_FILES_MAX);
	for (int i = 0; i < 2 * CTD_REGION_FILES_MAX; i++)
		close(fds[i]);
}

static void a_child_that_has_its_parents_files_is_none(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		pause();
		_exit(0);
	}
	ctd_region_programs_begin(&programs);
	assert_int_equal(ctd_region_programs_look(&programs, (uint32_t)pid), 0);
	assert_int_equal(programs.count, 0);
	assert_int_equal(ctd_region_programs_look(&programs, (uint32_t)getpid()), 0);
	assert_int_equal(ctd_region_programs_look(&programs, (uint32_t)pid), 0);
	assert_int_equal(programs.count, 1);
	assert_int_equal(programs.items[0].pid, getpid());
	/* The parent's end is seen although the child goes on. */
	ctd_region_programs_begin(&programs);
	assert_int_equal(ctd_region_programs_look(&programs, (uint32_t)pid), 0);
	assert_false(programs.items[0].seen);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(ctd_region_programs_look(&programs, (uint32_t)pid), -ENOENT);
}

static void assert_refused(const char *why)
{
	look_and_read((uint32_t)getpid());
	assert_int_equal(programs.count, 1);
	assert_non_null(strstr(programs.items[0].why, why));
	assert_int_equal(programs.items[0].fd, -1);
	assert_int_equal(programs.items[0].sums.count, 0);
}

static void another_version_is_refused(void **state)
{
	(void)state;
	regions.header->version = 2;
	assert_refused("version 2");
}

static void totals_that_go_back_are_refused(void **state)
{
	(void)state;
	look_and_read((uint32_t)getpid());
	offering_pass(&group, &entry, memory_load, 5);
	look_and_read((uint32_t)getpid());
	assert_string_equal(programs.items[0].why, "");
	entry.region.slots--;
	ctd_regions_publish(&entry);
	assert_refused("went back");
	/* And stay so. */
	offering_pass(&group, &entry, memory_load, 5);
	assert_refused("went back");
}

static void assert_looked_at_again(void)
{
	look_and_read((uint32_t)getpid());
	assert_int_equal(programs.count, 0);
}

static void what_is_not_done_offering_is_looked_at_again(void **state)
{
	struct ctd_regions_header *header;
	int fd;

	(void)state;
	ctd_regions_withdraw(&regions);
	fd = (int)syscall(__NR_memfd_create, CTD_REGIONS_FILE,
			  CTD_REGIONS_CLOEXEC | CTD_REGIONS_SEALING);
	assert_true(fd >= 0);
	assert_looked_at_again();
	assert_int_equal(ftruncate(fd, (off_t)ctd_regions_bytes()), 0);
	assert_looked_at_again();
	assert_int_equal(fcntl(fd, CTD_REGIONS_ADD_SEALS, CTD_REGIONS_SEALS), 0);
	assert_looked_at_again();
	header = mmap(NULL, ctd_regions_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(header, MAP_FAILED);
	ctd_regions_fill(header);
	look_and_read((uint32_t)getpid());
	assert_int_equal(programs.count, 1);
	assert_string_equal(programs.items[0].why, "");
	assert_true(programs.items[0].fd >= 0);
	munmap(header, ctd_regions_bytes());
	close(fd);
}

static void the_cgroup_is_that_of_v2_unless_it_is_the_root(void **state)
{
	static const struct {
		const char *text, *cgroup;
	} cases[] = {
		{"0::/a/b\n", "/a/b"},
		{"4:memory:/x\n1:name=systemd:/y\n0::/a\n", "/a"},
		{"4:memory:/x\n1:name=systemd:/y\n0::/\n", "/x"},
		{"4:memory:/\n1:name=systemd:/y\n", "/y"},
		{"0::/with:colon", "/with:colon"},
		{"", "/"},
		{"nonsense\n:\n::\n", "/"},
	};
	char cgroup[CTD_REGION_CGROUP_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ctd_region_cgroup_of(cases[i].text, cgroup);
		assert_string_equal(cgroup, cases[i].cgroup);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_before_the_first_look_is_not_counted,
						begin, end),
		cmocka_unit_test_setup_teardown(what_is_offered_later_is_counted_from_its_beginning,
						begin, end),
		cmocka_unit_test_setup_teardown(
			what_is_offered_after_the_first_look_is_counted_from_its_beginning, begin,
			end),
		cmocka_unit_test_setup_teardown(
			what_was_offered_before_and_is_found_later_is_counted_from_then, begin,
			end),
		cmocka_unit_test_setup_teardown(what_a_program_did_before_it_ended_is_read_once,
						begin, end),
		cmocka_unit_test_setup_teardown(
			what_was_not_looked_at_for_a_while_is_not_counted_again, begin, end),
		cmocka_unit_test_setup_teardown(
			a_region_that_never_rests_keeps_no_other_from_being_counted, begin, end),
		cmocka_unit_test_setup_teardown(memory_that_was_not_written_is_not_made_by_reading,
						begin, end),
		cmocka_unit_test_setup_teardown(one_process_does_not_take_the_room_of_others, begin,
						end),
		cmocka_unit_test_setup_teardown(a_child_that_has_its_parents_files_is_none, begin,
						end),
		cmocka_unit_test_setup_teardown(another_version_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(totals_that_go_back_are_refused, begin, end),
		cmocka_unit_test_setup_teardown(what_is_not_done_offering_is_looked_at_again, begin,
						end),
		cmocka_unit_test(the_cgroup_is_that_of_v2_unless_it_is_the_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
