/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_processes.c - processes are read once, again when something is new, and known when gone. */
#include "profile/namer/processes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/root.h"
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
	ctd_processes_end_round(processes);
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

	assert_int_equal(ctd_processes_learn(processes, tgid, incarnation, 7, NS_PER_S, &process),
			 0);
	assert_ptr_equal(ctd_processes_find(processes, incarnation), process);
	return process;
}

/* This program has lines. */
static void files_with_lines_are_of_the_cgroup_that_maps_them(void **state)
{
	struct ctd_line_files files = {0};

	(void)state;
	ctd_executables_keep_lines(processes->executables, &files);
	learn((uint32_t)getpid(), 1);
	assert_true(files.count > 0);
	for (uint32_t i = 0; i < files.count; i++)
		assert_int_equal(files.files[i].owner->cgroup_id, 7);
	ctd_line_files_free(&files);
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

static void one_that_could_not_be_read_is_read_again(void **state)
{
	struct rlimit files, none;
	struct ctd_known_process *process;
	struct ctd_mapping mapping;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	none = (struct rlimit){0, files.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	process = learn((uint32_t)getpid(), 1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	assert_null(process->mappings);
	assert_int_equal(processes->gone, 0);
	assert_int_equal(ctd_processes_look_again(processes, process, 100 * NS_PER_S), 0);
	assert_true(ctd_processes_mapping(processes, process, our_pc(), &mapping));
}

/* As of a file of data, or one that may not be read. */
static void a_file_without_tables_has_its_path_and_offsets(void **state)
{
	char path[] = "/tmp/test_processes.XXXXXX";
	autoclose int fd = mkstemp(path);
	struct ctd_mapping mapping;
	uint64_t at;
	void *memory;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 8192), 0);
	memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 4096);
	unlink(path);
	if (memory == MAP_FAILED)
		skip(); /* mounted without executables */
	at = (uint64_t)(uintptr_t)memory;
	for (uint64_t incarnation = 1; incarnation < 3; incarnation++) {
		struct ctd_known_process *process = learn((uint32_t)getpid(), incarnation);

		assert_true(ctd_processes_mapping(processes, process, at + 16, &mapping));
		assert_int_equal(mapping.executable, 0);
		assert_true(mapping.unread > 0);
		assert_int_equal(at + 16 - mapping.bias, 4096 + 16);
		assert_string_equal(
			ctd_executables_get(processes->executables, mapping.unread)->path, path);
		/* A JIT may have its code there. */
		assert_true(process->has_memory);
	}
	munmap(memory, 4096);
}

/* The kernel has room for so many. */
static void idle_processes_are_forgotten_before_their_mappings_fill_the_kernels_array(void **state)
{
	enum { MAPPINGS = 200, ROUNDS = 30 };
	unsigned char *memory =
		mmap(NULL, 2 * MAPPINGS * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t processes_count = CTD_MAPPINGS_MAX / 2 / MAPPINGS + 1;

	(void)state;
	assert_ptr_not_equal(memory, MAP_FAILED);
	for (int i = 0; i < MAPPINGS; i++)
		assert_int_equal(mprotect(memory + 2 * i * 4096, 4096, PROT_READ | PROT_EXEC), 0);
	for (uint64_t i = 1; i <= processes_count; i++)
		learn((uint32_t)getpid(), i);
	for (int round = 0; round < ROUNDS; round++) {
		assert_true(learn((uint32_t)getpid(), 1)->mappings_count >= MAPPINGS);
		ctd_processes_end_round(processes);
	}
	/* What is sampled stays. */
	assert_int_equal(processes->by_incarnation.count, 1);
	munmap(memory, 2 * MAPPINGS * 4096);
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

static void so_many_are_read_again_in_a_round(void **state)
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
	for (int round = 0; round < 40; round++) {
		learn(NOBODY, 7);
		ctd_processes_end_round(processes);
	}
	assert_int_equal(processes->by_incarnation.count, 1);
	assert_non_null(ctd_processes_find(processes, 7));
}

static void more_than_the_limit_are_refused_in_a_round(void **state)
{
	struct ctd_known_process *process;

	(void)state;
	for (uint64_t i = 1; i <= 8192; i++)
		learn(NOBODY, i);
	assert_int_equal(ctd_processes_learn(processes, NOBODY, 9000, 7, NS_PER_S, &process),
			 -ENOSPC);
	assert_int_equal(processes->refused, 1);
	ctd_processes_end_round(processes);
	ctd_processes_end_round(processes);
	assert_int_equal(ctd_processes_learn(processes, NOBODY, 9000, 7, NS_PER_S, &process), 0);
}

/* A machine whose processes 1 to 100 have code of a JIT each. */
static char machine[64];

static void run(const char *what)
{
	char command[512];

	snprintf(command, sizeof(command), "cd %s && %s", machine, what);
	assert_int_equal(system(command), 0);
}

static int begin_machine(void **state)
{
	snprintf(machine, sizeof(machine), "/tmp/test_processes.XXXXXX");
	if (!mkdtemp(machine))
		return -1;
	run("for p in $(seq 100); do mkdir -p proc/$p/root/tmp;"
	    " printf 'Name:\\tnode\\nNSpid:\\t%d\\n' $p >proc/$p/status;"
	    " echo '1000-100000000 r-xp 00000000 00:00 0 ' >proc/$p/maps; done");
	ctd_root_set(machine);
	return begin(state);
}

static int end_machine(void **state)
{
	ctd_root_set("");
	run("rm -r \"$PWD\"");
	return end(state);
}

/* One file for the first so many processes, of functions at 0x1000, 0x1010 and so on, each of which
 * takes 44 bytes in the file and in memory. */
/* 48 bits of the 64 of a linear congruential generator. */
static unsigned long draw(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return *random >> 16;
}

/* Names of which not much more than half can be spared: so many maps of 60,000 functions have room,
 * and one more has not. */
#define FIT 8
static void write_maps(unsigned int processes_count, unsigned int functions)
{
	uint64_t random = 1;
	char path[128];
	autofclose FILE *file = NULL;

	snprintf(path, sizeof(path), "%s/map", machine);
	file = fopen(path, "we");
	assert_non_null(file);
	for (unsigned int i = 0; i < functions; i++)
		fprintf(file, "%x 10 %012lx%012lx%06lx\n", 0x1000 + 16 * i, draw(&random),
			draw(&random), draw(&random) & 0xffffff);
	assert_int_equal(fflush(file), 0);
	for (unsigned int i = 1; i <= processes_count; i++) {
		snprintf(path, sizeof(path), "ln -f map proc/%u/root/tmp/perf-%u.map", i, i);
		run(path);
	}
}

static unsigned int read_maps(uint64_t now_ns)
{
	unsigned int count = 0;

	while (ctd_processes_read_map(processes, now_ns))
		count++;
	return count;
}

static bool is_named(uint64_t incarnation)
{
	return ctd_symbols_find(&ctd_processes_find(processes, incarnation)->jit, 0x1010);
}

static unsigned int named(unsigned int first, unsigned int last)
{
	unsigned int count = 0;

	for (unsigned int i = first; i <= last; i++)
		count += is_named(i);
	return count;
}

static void maps_of_all_processes_stay_within_one_budget(void **state)
{
	(void)state;
	write_maps(16, 60000);
	for (uint32_t i = 1; i <= 16; i++)
		learn(i, i);
	assert_int_equal(read_maps(NS_PER_S), 16);
	assert_in_range(processes->maps_bytes, CTD_PROCESSES_BYTES_MAX * 8 / 9,
			CTD_PROCESSES_BYTES_MAX);
	assert_int_equal(processes->mappings_bytes, 16 * sizeof(struct ctd_mapping));
	assert_int_equal(named(1, FIT), FIT);
	assert_int_equal(processes->maps_refused, 16 - FIT);
	assert_int_equal(processes->maps_evicted, 0);
}

static void one_that_was_read_in_its_exec_is_read_again_at_once(void **state)
{
	struct ctd_known_process *process;

	(void)state;
	run("mv proc/1/maps maps && echo '7000-8000 rw-p 00000000 00:00 0 [stack]' >proc/1/maps");
	process = learn(1, 1);
	assert_false(process->whole);
	assert_int_equal(process->mappings_count, 0);
	run("mv maps proc/1/maps");
	assert_int_equal(ctd_processes_look_again(processes, process, NS_PER_S + 5000000), 0);
	assert_true(process->whole);
	assert_int_equal(process->mappings_count, 1);
}

static void a_map_gives_way_to_others_and_comes_back_when_its_process_is_sampled(void **state)
{
	(void)state;
	write_maps(FIT + 1, 60000);
	for (uint32_t i = 1; i <= FIT; i++)
		learn(i, i);
	assert_int_equal(read_maps(NS_PER_S), FIT);
	for (int round = 0; round < 30; round++) {
		ctd_processes_end_round(processes);
		for (uint32_t i = 2; i <= FIT; i++)
			learn(i, i);
	}
	learn(FIT + 1, FIT + 1);
	assert_int_equal(read_maps(NS_PER_S), 1);
	assert_int_equal(processes->maps_evicted, 1);
	assert_false(is_named(1));
	assert_int_equal(named(2, FIT + 1), FIT);
	/* All but 2 in one round more. */
	ctd_processes_end_round(processes);
	for (uint32_t i = 3; i <= FIT + 1; i++)
		learn(i, i);
	for (int round = 0; round < 30; round++)
		ctd_processes_end_round(processes);
	ctd_processes_look_again(processes, learn(1, 1), 100 * NS_PER_S);
	assert_int_equal(read_maps(100 * NS_PER_S), 1);
	assert_true(is_named(1));
	assert_false(is_named(2));
	assert_int_equal(named(3, FIT + 1), FIT - 1);
	assert_int_equal(processes->maps_refused, 0);
}

static void of_many_new_processes_one_map_is_read_at_a_time_and_none_is_lost(void **state)
{
	uint64_t now_ns = NS_PER_S;

	(void)state;
	write_maps(100, 10);
	for (uint32_t i = 1; i <= 100; i++)
		learn(i, i);
	assert_int_equal(processes->maps_bytes, 0);
	assert_int_equal(processes->waiting_count, 64);
	assert_int_equal(ctd_processes_read_map(processes, now_ns), 1);
	assert_int_equal(named(1, 100), 1);
	/* Those that wait are open: they may end. */
	run("rm -r proc/2");
	assert_int_equal(read_maps(now_ns), 63);
	assert_int_equal(named(1, 64), 64);
	for (int round = 0; round < 3; round++) {
		ctd_processes_end_round(processes);
		now_ns += 60 * NS_PER_S;
		for (uint32_t i = 65; i <= 100; i++)
			if (!is_named(i))
				ctd_processes_look_again(processes, learn(i, i), now_ns);
		read_maps(now_ns);
	}
	assert_int_equal(named(65, 100), 36);
}

static void mappings_go_before_maps_and_are_forgotten_with_their_processes(void **state)
{
	struct ctd_known_process *process;
	uint32_t refused = 0;

	(void)state;
	run("for i in $(seq 1000 3047); do echo ${i}0000-${i}8000 r-xp 0 00:00 0; done >maps");
	run("for p in $(seq 2 100); do ln -f maps proc/$p/maps; done");
	write_maps(1, 60000);
	learn(1, 1);
	assert_int_equal(read_maps(NS_PER_S), 1);
	for (uint32_t i = 1; i <= 300; i++)
		refused += ctd_processes_learn(processes, 2 + i % 99, 1000 + i, 7, NS_PER_S,
					       &process) == -ENOSPC;
	assert_int_equal(refused, 45);
	assert_int_equal(processes->mappings_bytes, 255 * 65536 + sizeof(struct ctd_mapping));
	assert_int_equal(processes->maps_evicted, 1);
	ctd_processes_end_round(processes);
	ctd_processes_end_round(processes);
	assert_int_equal(processes->by_incarnation.count, 0);
	assert_int_equal(processes->mappings_bytes, 0);
}

int main(void)
{
#define ON_MACHINE(test) cmocka_unit_test_setup_teardown(test, begin_machine, end_machine)
#define EACH(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		EACH(files_with_lines_are_of_the_cgroup_that_maps_them),
		EACH(a_process_is_read_once),
		EACH(one_that_is_gone_is_not_looked_for_again),
		EACH(one_that_could_not_be_read_is_read_again),
		EACH(a_file_without_tables_has_its_path_and_offsets),
		EACH(idle_processes_are_forgotten_before_their_mappings_fill_the_kernels_array),
		EACH(what_is_mapped_later_is_found_when_it_is_looked_for),
		EACH(where_nothing_new_is_found_the_wait_doubles_up_to_a_minute),
		EACH(so_many_are_read_again_in_a_round),
		EACH(a_file_that_was_seen_in_another_process_names_one_that_is_gone),
		EACH(a_file_is_not_taken_from_a_process_that_is_another_program_now),
		EACH(those_not_sampled_for_long_are_forgotten_where_many_are_known),
		EACH(more_than_the_limit_are_refused_in_a_round),
		ON_MACHINE(one_that_was_read_in_its_exec_is_read_again_at_once),
		ON_MACHINE(maps_of_all_processes_stay_within_one_budget),
		ON_MACHINE(a_map_gives_way_to_others_and_comes_back_when_its_process_is_sampled),
		ON_MACHINE(of_many_new_processes_one_map_is_read_at_a_time_and_none_is_lost),
		ON_MACHINE(mappings_go_before_maps_and_are_forgotten_with_their_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
