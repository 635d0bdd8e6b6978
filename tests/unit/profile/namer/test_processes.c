/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_processes.c - processes are read once, again when something is new, and known when gone. */
#include "profile/namer/processes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/executable/executables.h"

#define NS_PER_S 1000000000ull
#define NOBODY 0x7ffffff0 /* above the largest pid */

static struct ctd_processes *processes;

static int begin(void **state)
{
	(void)state;
	processes = calloc(1, sizeof(*processes));
	if (!processes || ctd_executables_new(64 << 20, &processes->executables))
		return -1;
	ctd_processes_turn(processes);
	return 0;
}

static int end(void **state)
{
	(void)state;
	ctd_processes_free(processes);
	ctd_executables_free(processes->executables);
	free(processes);
	return 0;
}

static uint64_t our_pc(void)
{
	return (uint64_t)(uintptr_t)our_pc;
}

static struct ctd_known_process *learn(uint32_t tgid, uint64_t incarnation)
{
	struct ctd_known_process *process;

	assert_int_equal(ctd_processes_learn(processes, tgid, incarnation, NS_PER_S, &process), 0);
	assert_ptr_equal(ctd_processes_find(processes, incarnation), process);
	return process;
}

static void a_process_is_read_once(void **state)
{
	struct ctd_known_process *process = learn((uint32_t)getpid(), 1);
	struct ctd_mapping mapping;

	(void)state;
	assert_true(process->whole);
	assert_true(ctd_processes_mapping(processes, process, our_pc(), &mapping));
	assert_true(mapping.executable > 0);
	assert_false(ctd_processes_mapping(processes, process, 16, &mapping));
	assert_ptr_equal(learn((uint32_t)getpid(), 1), process);
	assert_int_equal(processes->read, 1);
	/* Another program in the same process. */
	assert_ptr_not_equal(learn((uint32_t)getpid(), 2), process);
	assert_int_equal(processes->read, 2);
}

static void one_that_is_gone_is_not_looked_for_again(void **state)
{
	struct ctd_known_process *process = learn(NOBODY, 1);

	(void)state;
	assert_null(process->mappings);
	assert_int_equal(processes->gone, 1);
	learn(NOBODY, 1);
	assert_int_equal(ctd_processes_look_again(processes, process, UINT64_MAX), 0);
	assert_int_equal(processes->gone, 1);
	assert_int_equal(processes->read_again, 0);
}

static void what_is_mapped_later_is_found_when_it_is_looked_for(void **state)
{
	struct ctd_known_process *process = learn((uint32_t)getpid(), 1);
	uint64_t version = process->version;
	struct ctd_mapping mapping;
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t pc = (uint64_t)(uintptr_t)memory;

	(void)state;
	assert_ptr_not_equal(memory, MAP_FAILED);
	assert_false(ctd_processes_mapping(processes, process, pc, &mapping));
	/* Not at once: it was read a moment ago. */
	assert_int_equal(ctd_processes_look_again(processes, process, NS_PER_S), 0);
	assert_false(ctd_processes_mapping(processes, process, pc, &mapping));
	assert_int_equal(ctd_processes_look_again(processes, process, 100 * NS_PER_S), 0);
	assert_true(ctd_processes_mapping(processes, process, pc, &mapping));
	assert_int_equal(mapping.executable, 0);
	assert_int_not_equal(process->version, version);
	munmap(memory, 4096);
}

static void where_nothing_new_is_found_the_wait_doubles_up_to_a_minute(void **state)
{
	struct ctd_known_process *process = learn((uint32_t)getpid(), 1);
	uint64_t now_ns = 100 * NS_PER_S, wait_ns = 0, reads = 0;

	(void)state;
	for (int i = 0; i < 12; i++) {
		processes->reads_left = 1;
		ctd_processes_look_again(processes, process, now_ns);
		assert_true(process->wait_ns >= wait_ns);
		wait_ns = process->wait_ns;
		now_ns = process->again_ns;
		reads++;
	}
	assert_int_equal(processes->read_again, reads);
	assert_int_equal(wait_ns, 60 * NS_PER_S);
}

static void so_many_are_read_again_in_a_turn(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 40; i++)
		ctd_processes_look_again(processes, learn((uint32_t)getpid(), i), 100 * NS_PER_S);
	assert_int_equal(processes->read_again, 16);
}

/* What the kernel says of the mapping of our_pc() in a process. */
static struct ctd_unwind_request request_of(uint64_t moved)
{
	struct ctd_known_process *living = learn((uint32_t)getpid(), 1);
	struct ctd_mapping mapping;

	assert_true(ctd_processes_mapping(processes, living, our_pc(), &mapping));
	return (struct ctd_unwind_request){
		.pc = our_pc() + moved,
		.file = 4711,
		.start = mapping.start + moved,
		.end = mapping.end + moved,
		/* Of a program whose first segment is its headers. */
		.offset = mapping.start - mapping.bias,
	};
}

static void a_file_that_was_seen_in_another_process_names_one_that_is_gone(void **state)
{
	const uint64_t moved = 0x1000000;
	struct ctd_unwind_request request = request_of(0), gone = request_of(moved);
	struct ctd_known_process *living = learn((uint32_t)getpid(), 1);
	struct ctd_known_process *process = learn(NOBODY, 2);
	struct ctd_mapping mapping, ours;

	(void)state;
	ctd_processes_note(processes, process, &gone);
	assert_false(ctd_processes_mapping(processes, process, gone.pc, &mapping));
	ctd_processes_note(processes, living, &request);
	assert_true(ctd_processes_mapping(processes, process, gone.pc, &mapping));
	assert_true(ctd_processes_mapping(processes, living, request.pc, &ours));
	assert_int_equal(mapping.executable, ours.executable);
	assert_int_equal(mapping.bias, ours.bias + moved);
	assert_false(ctd_processes_mapping(processes, process, gone.end, &mapping));
}

static void a_file_is_not_taken_from_a_process_that_is_another_program_now(void **state)
{
	struct ctd_unwind_request request = request_of(0), gone = request_of(0);
	struct ctd_known_process *living = learn((uint32_t)getpid(), 1);
	struct ctd_known_process *process = learn(NOBODY, 2);
	struct ctd_mapping mapping;

	(void)state;
	request.start -= 4096;
	ctd_processes_note(processes, living, &request);
	ctd_processes_note(processes, process, &gone);
	assert_false(ctd_processes_mapping(processes, process, gone.pc, &mapping));
}

static void those_not_sampled_for_long_are_forgotten_where_many_are_known(void **state)
{
	(void)state;
	for (uint64_t i = 1; i <= 3000; i++)
		learn(NOBODY, i);
	for (int turn = 0; turn < 40; turn++) {
		learn(NOBODY, 7);
		ctd_processes_turn(processes);
	}
	assert_int_equal(processes->by_incarnation.count, 1);
	assert_non_null(ctd_processes_find(processes, 7));
}

static void more_than_the_limit_are_refused_in_a_turn(void **state)
{
	struct ctd_known_process *process;

	(void)state;
	for (uint64_t i = 1; i <= 8192; i++)
		learn(NOBODY, i);
	assert_int_equal(ctd_processes_learn(processes, NOBODY, 9000, NS_PER_S, &process), -ENOSPC);
	assert_int_equal(processes->refused, 1);
	ctd_processes_turn(processes);
	ctd_processes_turn(processes);
	assert_int_equal(ctd_processes_learn(processes, NOBODY, 9000, NS_PER_S, &process), 0);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		EACH(a_process_is_read_once),
		EACH(one_that_is_gone_is_not_looked_for_again),
		EACH(what_is_mapped_later_is_found_when_it_is_looked_for),
		EACH(where_nothing_new_is_found_the_wait_doubles_up_to_a_minute),
		EACH(so_many_are_read_again_in_a_turn),
		EACH(a_file_that_was_seen_in_another_process_names_one_that_is_gone),
		EACH(a_file_is_not_taken_from_a_process_that_is_another_program_now),
		EACH(those_not_sampled_for_long_are_forgotten_where_many_are_known),
		EACH(more_than_the_limit_are_refused_in_a_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
