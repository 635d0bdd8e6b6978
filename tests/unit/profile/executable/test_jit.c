/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_jit.c - what a JIT says of its functions is read of the process's own pid and root, bounded.
 */
#include "profile/executable/jit.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/root.h"

#define PID 4711

/* A machine with one process, whose pid is another one in its container. */
static char machine[] = "/tmp/test_jit.XXXXXX";

/* In the machine. */
static void run(const char *what)
{
	char command[512];

	snprintf(command, sizeof(command), "cd %s && %s", machine, what);
	assert_int_equal(system(command), 0);
}

static void write_file(const char *name, const char *text)
{
	char path[256];
	autofclose FILE *file = NULL;

	snprintf(path, sizeof(path), "%s/%s", machine, name);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(machine))
		return -1;
	run("mkdir -p proc/4711/root/tmp");
	write_file("proc/4711/status", "Name:\tnode\nNSpid:\t4711\t7\nThreads:\t1\n");
	ctd_root_set(machine);
	return 0;
}

static int end(void **state)
{
	(void)state;
	ctd_root_set("");
	run("rm -r \"$PWD\"");
	return 0;
}

static int forget(void **state)
{
	(void)state;
	run("rm -f proc/4711/root/tmp/perf-7.map");
	return 0;
}

static int read_of(pid_t pid, struct ctd_symbols *ret_symbols)
{
	autoclose int fd = -1;
	int error = ctd_jit_symbols_open(pid, &fd);

	return error ? error : ctd_jit_symbols_read(fd, ret_symbols);
}

static struct ctd_symbol_text text;

static void functions_are_found_under_the_pid_that_the_process_has_itself(void **state)
{
	auto_ctd_symbols struct ctd_symbols symbols = {0};
	const struct ctd_symbol *symbol;

	(void)state;
	write_file("proc/4711/root/tmp/perf-7.map", "1000 20 outer\n1020 10 LazyCompile:~inner\n");
	assert_int_equal(read_of(PID, &symbols), 0);
	assert_int_equal(symbols.symbols_count, 2);
	symbol = ctd_symbols_find(&symbols, 0x1025);
	assert_non_null(symbol);
	assert_string_equal(ctd_symbols_name(&symbols, symbol, &text), "LazyCompile:~inner");
	assert_int_equal(symbol->start, 0x1020);
}

static void a_process_without_a_file_has_none(void **state)
{
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	assert_int_equal(read_of(PID, &symbols), -ENOENT);
	/* One that is gone. */
	assert_int_equal(read_of(4712, &symbols), -ENOENT);
	assert_null(symbols.symbols);
}

static void a_link_leads_no_further_than_the_containers_root(void **state)
{
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	write_file("secret", "1000 20 secret\n");
	run("ln -s ../../../../secret proc/4711/root/tmp/perf-7.map");
	assert_int_equal(read_of(PID, &symbols), -ENOENT);
	assert_null(symbols.symbols);
}

static void what_is_no_file_is_not_waited_for(void **state)
{
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	run("mkfifo proc/4711/root/tmp/perf-7.map");
	assert_int_equal(read_of(PID, &symbols), -EINVAL);
}

static void of_a_huge_file_the_end_is_read(void **state)
{
	auto_ctd_symbols struct ctd_symbols symbols = {0};
	const struct ctd_symbol *symbol;
	char path[256];

	(void)state;
	write_file("proc/4711/root/tmp/perf-7.map", "1000 20 oldest\n");
	snprintf(path, sizeof(path), "%s/proc/4711/root/tmp/perf-7.map", machine);
	assert_int_equal(truncate(path, (off_t)1 << 33), 0);
	run("printf '\\n2000 20 newest\\n' >>proc/4711/root/tmp/perf-7.map");
	assert_int_equal(read_of(PID, &symbols), 0);
	assert_null(ctd_symbols_find(&symbols, 0x1000));
	symbol = ctd_symbols_find(&symbols, 0x2000);
	assert_non_null(symbol);
	assert_string_equal(ctd_symbols_name(&symbols, symbol, &text), "newest");
}

static void of_many_short_lines_the_last_are_taken(void **state)
{
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	run("seq -f '%.0f 1 a' 100000 199999 >proc/4711/root/tmp/perf-7.map");
	assert_int_equal(read_of(PID, &symbols), 0);
	assert_int_equal(symbols.symbols_count, 65536);
	assert_in_range(ctd_symbols_bytes(&symbols), 65536 * 16, 65536 * 17);
	assert_int_equal(symbols.symbols[0].start, 0x134464);
	assert_non_null(ctd_symbols_find(&symbols, 0x199999));
}

static void without_a_pid_of_its_own_nothing_is_read(void **state)
{
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	write_file("proc/4711/status", "Name:\tnode\nThreads:\t1\n");
	assert_int_equal(read_of(PID, &symbols), -ENODATA);
	write_file("proc/4711/status", "Name:\tnode\nNSpid:\t4711\t7\nThreads:\t1\n");
}

int main(void)
{
#define EACH(test) cmocka_unit_test_teardown(test, forget)
	const struct CMUnitTest tests[] = {
		EACH(functions_are_found_under_the_pid_that_the_process_has_itself),
		EACH(a_process_without_a_file_has_none),
		EACH(a_link_leads_no_further_than_the_containers_root),
		EACH(what_is_no_file_is_not_waited_for),
		EACH(of_a_huge_file_the_end_is_read),
		EACH(of_many_short_lines_the_last_are_taken),
		EACH(without_a_pid_of_its_own_nothing_is_read),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
