/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_executables.c - the code of our own process has tables and names, and memory is bounded. */
#include "profile/executable/executables.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "profile/executable/mappings.h"

static struct ctd_executables *executables;
static struct ctd_mapping mappings[CTD_PROCESS_MAPPINGS_MAX];
static size_t mappings_count;

static int begin(void **state)
{
	(void)state;
	return ctd_executables_new(64 << 20, &executables);
}

static int end(void **state)
{
	(void)state;
	ctd_executables_free(executables);
	return 0;
}

static const struct ctd_mapping *mapping_of(const char *function)
{
	uint64_t pc = (uint64_t)(uintptr_t)function;

	for (size_t i = 0; i < mappings_count; i++)
		if (pc >= mappings[i].start && pc < mappings[i].end)
			return &mappings[i];
	return NULL;
}

/* Writes the name of the function that is there. @return whether it is its own. */
static bool name_of(const char *function, char *ret_name, size_t bytes)
{
	const struct ctd_mapping *mapping = mapping_of(function);
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};
	bool found;

	assert_non_null(mapping);
	found = ctd_executables_name(executables, mapping->executable,
				     (uint64_t)(uintptr_t)function - mapping->bias, &buffer);
	snprintf(ret_name, bytes, "%s", buffer.text ? buffer.text : "");
	return found;
}

/* In the symbol table, but not exported. */
__attribute__((noinline)) static int a_function_of_this_test(int number)
{
	return number + 1;
}

static const char *our_function(void)
{
	return (const char *)(uintptr_t)a_function_of_this_test;
}

static void our_own_mappings_have_executables(void **state)
{
	size_t none;

	(void)state;
	assert_int_equal(ctd_mappings_read(executables, getpid(), mappings, &mappings_count), 0);
	assert_true(mappings_count >= 3);
	for (size_t i = 1; i < mappings_count; i++)
		assert_true(mappings[i - 1].end <= mappings[i].start);
	assert_non_null(mapping_of(our_function()));
	assert_true(mapping_of(our_function())->executable > 0);
	assert_int_equal(ctd_mappings_read(executables, 0x7ffffff0, mappings, &none), -ENOENT);
}

static void functions_have_the_names_that_the_linker_knows(void **state)
{
	static const char *const names[] = {"qsort",	   "snprintf", "malloc", "fopen",
					    "getaddrinfo", "strtod",   "regcomp"};
	char name[256];
	Dl_info info;

	(void)state;
	assert_true(name_of(our_function(), name, sizeof(name)));
	assert_string_equal(name, "a_function_of_this_test");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *function = dlsym(RTLD_DEFAULT, names[i]);

		assert_non_null(function);
		assert_true(dladdr(function, &info));
		assert_true(name_of(function + 1, name, sizeof(name)));
		/* Several may be at one address, of which each may be taken. */
		assert_ptr_equal(dlsym(RTLD_DEFAULT, name), info.dli_saddr);
	}
}

static void what_has_no_name_is_module_and_offset(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};
	uint32_t number = mapping_of(our_function())->executable;

	(void)state;
	assert_false(ctd_executables_name(executables, number, UINT64_C(0x7fffffff0000), &buffer));
	assert_string_equal(buffer.text, "all+0x7fffffff0000");
	assert_false(ctd_executables_name(executables, 4000, 0, &buffer));
	assert_null(ctd_executables_get(executables, 0));
}

static int copy_of_us(void)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);
	autofclose FILE *from = fopen("/proc/self/exe", "re");
	static char buffer[65536];
	size_t got;

	assert_true(fd >= 0);
	while ((got = fread(buffer, 1, sizeof(buffer), from)) > 0)
		assert_int_equal(write(fd, buffer, got), got);
	return fd;
}

static void files_of_one_content_have_one_number(void **state)
{
	autoclose int one = copy_of_us(), other = copy_of_us();
	uint32_t first, second, third;

	(void)state;
	assert_true(ctd_executables_add(executables, one, "/copy", -1, &first) >= 0);
	assert_int_equal(ctd_executables_add(executables, other, "/copy", -1, &second), 0);
	assert_int_equal(first, second);
	assert_int_equal(ctd_executables_add(executables, one, "/copy", -1, &third), 0);
	assert_int_equal(first, third);
	assert_true(first < ctd_executables_count(executables));
}

static void what_is_no_executable_has_no_number(void **state)
{
	autoclose int fd = memfd_create("text", MFD_CLOEXEC);
	uint32_t number = 7;

	(void)state;
	assert_int_equal(ctd_executables_add(executables, fd, "/text", -1, &number), -ENOEXEC);
	assert_int_equal(number, 7);
}

static void functions_are_dropped_where_memory_is_short(void **state)
{
	struct ctd_executables *few;
	autoclose int fd = copy_of_us();
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};
	const struct ctd_executable *executable;
	uint32_t number;

	(void)state;
	assert_int_equal(ctd_executables_new(1, &few), 0);
	assert_int_equal(ctd_executables_add(few, fd, "/dir/copy", -1, &number), 1);
	executable = ctd_executables_get(few, number);
	assert_null(executable->symbols.symbols);
	assert_non_null(executable->table.words);
	assert_int_equal(ctd_executables_bytes(few), 4 * executable->table.words_count);
	assert_false(ctd_executables_name(few, number, 0x1234, &buffer));
	assert_string_equal(buffer.text, "copy+0x1234");
	ctd_executables_free(few);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_mappings_have_executables),
		cmocka_unit_test(functions_have_the_names_that_the_linker_knows),
		cmocka_unit_test(what_has_no_name_is_module_and_offset),
		cmocka_unit_test(files_of_one_content_have_one_number),
		cmocka_unit_test(what_is_no_executable_has_no_number),
		cmocka_unit_test(functions_are_dropped_where_memory_is_short),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
