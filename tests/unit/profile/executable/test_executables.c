/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_executables.c - the code of our own process has tables and names, and memory is bounded. */
#include "profile/executable/executables.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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
#include "profile/elf/parts.h"
#include "profile/executable/mappings.h"
#include "unit/profile/elf_image.h"
#include "unit/profile/executable/begin.h"

static struct ctd_mapping mappings[CTD_PROCESS_MAPPINGS_MAX];
static struct ctd_mappings_facts facts;

static const struct ctd_mapping *mapping_of(const char *function)
{
	uint64_t pc = (uint64_t)(uintptr_t)function;

	for (size_t i = 0; i < facts.count; i++)
		if (pc >= mappings[i].start && pc < mappings[i].end)
			return &mappings[i];
	return NULL;
}

static bool find_name(const struct ctd_executables *in, uint32_t number, uint64_t address,
		      const char **ret_name)
{
	static struct ctd_symbol_text text;
	const struct ctd_symbols *symbols = &ctd_executables_get(in, number)->symbols;
	const struct ctd_symbol *symbol = ctd_symbols_find(symbols, address);

	*ret_name = symbol ? ctd_symbols_name(symbols, symbol, &text) : "";
	return **ret_name;
}

static const char *name_of(const char *function)
{
	const struct ctd_mapping *mapping = mapping_of(function);
	const char *name;

	assert_non_null(mapping);
	assert_true(find_name(executables, mapping->executable,
			      (uint64_t)(uintptr_t)function - mapping->bias, &name));
	return name;
}

static void make_all(struct ctd_executables *in)
{
	int got;

	while ((got = ctd_executables_make(in)))
		assert_int_equal(got, 1);
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
	struct ctd_mappings_facts none;

	(void)state;
	assert_int_equal(ctd_mappings_read(executables, getpid(), 7, mappings, &facts), 0);
	assert_true(facts.count >= 3);
	for (size_t i = 1; i < facts.count; i++)
		assert_true(mappings[i - 1].end <= mappings[i].start);
	assert_non_null(mapping_of(our_function()));
	assert_true(mapping_of(our_function())->executable > 0);
	assert_int_equal(ctd_mappings_read(executables, 0x7ffffff0, 7, mappings, &none), -ENOENT);
}

static void functions_have_the_names_that_the_linker_knows(void **state)
{
	static const char *const names[] = {"qsort",	   "snprintf", "malloc", "fopen",
					    "getaddrinfo", "strtod",   "regcomp"};
	Dl_info info;

	(void)state;
	make_all(executables);
	assert_string_equal(name_of(our_function()), "a_function_of_this_test");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *function = dlsym(RTLD_DEFAULT, names[i]);

		assert_non_null(function);
		assert_true(dladdr(function, &info));
		/* Several may be at one address, of which each may be taken. */
		assert_ptr_equal(dlsym(RTLD_DEFAULT, name_of(function + 1)), info.dli_saddr);
	}
}

static int copy_of(const char *path)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);
	autofclose FILE *from = fopen(path, "re");
	static char buffer[65536];
	size_t got;

	assert_true(fd >= 0 && from);
	while ((got = fread(buffer, 1, sizeof(buffer), from)) > 0)
		assert_int_equal(write(fd, buffer, got), got);
	return fd;
}

static int copy_of_us(void)
{
	return copy_of("/proc/self/exe");
}

/* Of another build id, or of none, each. */
static int copy_with(int number)
{
	int fd = copy_of_us();
	const struct ctd_executable *ours =
		ctd_executables_get(executables, mapping_of(our_function())->executable);
	static char buffer[1 << 16];
	ssize_t got = pread(fd, buffer, sizeof(buffer), 0);
	char *id = memmem(buffer, (size_t)got, ours->build_id.bytes, ours->build_id.count);

	assert_non_null(id);
	memcpy(id, &number, sizeof(number));
	assert_int_equal(pwrite(fd, id, sizeof(number), id - buffer), sizeof(number));
	return fd;
}

static void files_of_one_content_have_one_number(void **state)
{
	autoclose int one = copy_of_us(), other = copy_of_us();
	uint32_t first, second, third;

	(void)state;
	assert_true(ctd_executables_add(executables, one, "/copy", -1, 7, &first) >= 0);
	assert_int_equal(ctd_executables_add(executables, other, "/copy", -1, 7, &second), 0);
	assert_int_equal(first, second);
	assert_int_equal(ctd_executables_add(executables, one, "/copy", -1, 7, &third), 0);
	assert_int_equal(first, third);
	assert_true(first < ctd_executables_count(executables));
}

static void what_is_no_executable_has_no_number(void **state)
{
	autoclose int fd = memfd_create("text", MFD_CLOEXEC);
	uint32_t number = 7;

	(void)state;
	assert_int_equal(ctd_executables_add(executables, fd, "/text", -1, 7, &number), -ENOEXEC);
	assert_int_equal(number, 7);
	/* And nobody looks into it again. */
	assert_true(ctd_executables_find(executables, fd, &number));
	assert_int_equal(number, 0);
}

static uint32_t add_copy(struct ctd_executables *to, int which)
{
	autoclose int fd = copy_with(which);
	uint32_t number;

	assert_int_equal(ctd_executables_add(to, fd, "/dir/copy", -1, 7, &number), 1);
	return number;
}

static struct ctd_executables_health health_of(const struct ctd_executables *of)
{
	struct ctd_executables_health health;

	ctd_executables_health(of, &health);
	return health;
}

static void a_file_can_be_closed_and_gone_before_it_is_read(void **state)
{
	struct ctd_executables *some;
	const char *name;
	uint32_t number;

	(void)state;
	assert_int_equal(ctd_executables_new(64 << 20, &some), 0);
	number = add_copy(some, 1);
	assert_int_equal(health_of(some).pending, 1);
	assert_null(ctd_executables_get(some, number)->table.words);
	make_all(some);
	assert_int_equal(health_of(some).pending, 0);
	assert_non_null(ctd_executables_get(some, number)->table.words);
	assert_true(find_name(
		some, number,
		(uint64_t)(uintptr_t)our_function() - mapping_of(our_function())->bias, &name));
	assert_string_equal(name, "a_function_of_this_test");
	ctd_executables_free(some);
}

static void what_most_samples_wait_for_is_read_first(void **state)
{
	struct ctd_executables *some;
	uint32_t numbers[3];

	(void)state;
	assert_int_equal(ctd_executables_new(64 << 20, &some), 0);
	for (int i = 0; i < 3; i++)
		numbers[i] = add_copy(some, i);
	assert_false(ctd_executables_is_behind(some));
	ctd_executables_want(some, numbers[1], 2);
	ctd_executables_want(some, numbers[2], 3);
	assert_true(ctd_executables_is_behind(some));
	assert_int_equal(ctd_executables_make(some), 1);
	assert_int_equal(ctd_executables_get(some, numbers[2])->state, CTD_EXECUTABLE_MADE);
	assert_true(ctd_executables_is_behind(some));
	assert_int_equal(ctd_executables_make(some), 1);
	assert_int_equal(ctd_executables_get(some, numbers[1])->state, CTD_EXECUTABLE_MADE);
	assert_false(ctd_executables_is_behind(some));
	make_all(some);
	ctd_executables_free(some);
}

/* What one of them takes. */
static size_t bytes_of_one(void)
{
	struct ctd_executables *some;
	size_t bytes;

	assert_int_equal(ctd_executables_new(64 << 20, &some), 0);
	add_copy(some, 1);
	make_all(some);
	bytes = health_of(some).bytes;
	ctd_executables_free(some);
	return bytes;
}

static void those_sampled_longest_ago_go_where_memory_is_short(void **state)
{
	struct ctd_executables *few;
	uint32_t numbers[8], again;
	uint64_t born;

	(void)state;
	assert_int_equal(ctd_executables_new(8 * bytes_of_one() - 1, &few), 0);
	for (int i = 0; i < 7; i++) {
		numbers[i] = add_copy(few, i);
		ctd_executables_want(few, numbers[i], 1);
		make_all(few);
	}
	born = ctd_executables_get(few, numbers[3])->born;
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 7; i++)
			if (i != 3)
				ctd_executables_want(few, numbers[i], 1);
		assert_int_equal(ctd_executables_end_round(few), 0);
	}
	numbers[7] = add_copy(few, 7);
	ctd_executables_want(few, numbers[7], 1);
	make_all(few);
	assert_int_equal(ctd_executables_end_round(few), 1);
	/* Its frames may be named until the next round. */
	assert_int_equal(ctd_executables_get(few, numbers[3])->state, CTD_EXECUTABLE_RETIRED);
	assert_int_equal(ctd_executables_get(few, numbers[3])->made, 0);
	assert_non_null(ctd_executables_get(few, numbers[3])->symbols.symbols);
	assert_int_equal(ctd_executables_end_round(few), 0);
	assert_null(ctd_executables_get(few, numbers[3]));
	assert_int_equal(health_of(few).count, 7);
	assert_int_equal(health_of(few).evicted, 1);
	assert_true(health_of(few).bytes <= 7 * bytes_of_one());
	again = add_copy(few, 3);
	assert_int_not_equal(ctd_executables_get(few, again)->born, born);
	ctd_executables_free(few);
}

static void where_all_are_in_use_the_newest_stays_without_functions(void **state)
{
	struct ctd_executables *few;
	uint32_t numbers[3];

	(void)state;
	assert_int_equal(ctd_executables_new(3 * bytes_of_one() - 1, &few), 0);
	for (int i = 0; i < 3; i++) {
		numbers[i] = add_copy(few, i);
		ctd_executables_want(few, numbers[i], 1);
		make_all(few);
	}
	assert_int_equal(ctd_executables_end_round(few), 0);
	assert_non_null(ctd_executables_get(few, numbers[1])->symbols.symbols);
	assert_null(ctd_executables_get(few, numbers[2])->symbols.symbols);
	assert_int_equal(ctd_executables_get(few, numbers[2])->made, 0);
	assert_int_equal(health_of(few).refused, 1);
	assert_true(health_of(few).bytes < 3 * bytes_of_one());
	ctd_executables_free(few);
}

static void one_that_is_too_large_has_its_table_alone(void **state)
{
	struct ctd_executables *few;
	uint32_t number;

	(void)state;
	assert_int_equal(ctd_executables_new(bytes_of_one(), &few), 0);
	number = add_copy(few, 1);
	make_all(few);
	assert_null(ctd_executables_get(few, number)->symbols.symbols);
	assert_non_null(ctd_executables_get(few, number)->table.words);
	assert_in_range(health_of(few).bytes, 1, bytes_of_one() - 1);
	ctd_executables_free(few);
}

static void tables_of_libc_fit_into_150_kb(void **state)
{
	struct ctd_executables *some;
	autoclose int fd = -1;
	uint32_t number;
	Dl_info info;

	(void)state;
	assert_true(dladdr(dlsym(RTLD_DEFAULT, "qsort"), &info));
	fd = copy_of(info.dli_fname);
	assert_int_equal(ctd_executables_new(64 << 20, &some), 0);
	assert_int_equal(ctd_executables_add(some, fd, info.dli_fname, -1, 7, &number), 1);
	make_all(some);
	print_message("table %zu bytes, with functions %llu\n",
		      4 * ctd_executables_get(some, number)->table.words_count,
		      (unsigned long long)health_of(some).bytes);
	assert_in_range(4 * ctd_executables_get(some, number)->table.words_count, 10000, 150000);
	/* 200 of them. */
	assert_true(200 * health_of(some).bytes < 64 << 20);
	ctd_executables_free(some);
}

static int add_large(struct ctd_executables *to, const char *data)
{
	auto_elf_image struct elf_image image;
	uint32_t number;

	elf_image_begin(&image);
	elf_image_add(&image, ".data", SHT_PROGBITS, data, 1);
	assert_int_equal(ftruncate(image.fd, CTD_ELF_HELD_BYTES_MAX), 0);
	elf_image_place(&image, ".eh_frame", SHT_PROGBITS, 0, CTD_ELF_HELD_BYTES_MAX);
	elf_image_end(&image);
	return ctd_executables_add(to, image.fd, "/large", -1, 7, &number);
}

static void large_files_wait_for_each_other(void **state)
{
	struct ctd_executables *some;

	(void)state;
	assert_int_equal(ctd_executables_new(64 << 20, &some), 0);
	assert_int_equal(add_large(some, "a"), 1);
	assert_int_equal(add_large(some, "b"), 1);
	assert_int_equal(add_large(some, "c"), -ENOSPC);
	ctd_executables_begin_wants(some);
	assert_int_equal(add_large(some, "c"), 1);
	ctd_executables_free(some);
}

/* What lies there is of the same build, whatever container has the file. */
static void debugging_information_may_be_the_hosts(void **state)
{
	char folder[] = "/tmp/test_executables.XXXXXX", command[512],
	     hex[2 * CTD_BUILD_ID_BYTES_MAX + 1];
	autoclose int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct ctd_executables *some;
	struct ctd_build_id id;
	uint32_t number;

	(void)state;
	assert_int_equal(ctd_executables_new(64 << 20, &some), 0);
	assert_int_equal(ctd_executables_add(some, fd, "/x", -1, 7, &number), 1);
	assert_int_equal(ctd_executables_get(some, number)->debug_fd, -1);
	id = ctd_executables_get(some, number)->build_id;
	ctd_executables_free(some);
	assert_true(id.count > 1);
	for (int i = 0; i < id.count; i++)
		snprintf(hex + 2 * i, 3, "%02x", id.bytes[i]);
	assert_non_null(mkdtemp(folder));
	snprintf(
		command, sizeof(command),
		"mkdir -p %s/usr/lib/debug/.build-id/%.2s && cp /proc/%d/exe %s/usr/lib/debug/.build-id/%.2s/%s.debug",
		folder, hex, (int)getpid(), folder, hex, hex + 2);
	assert_int_equal(system(command), 0);
	assert_int_equal(ctd_executables_new(64 << 20, &some), 0);
	ctd_executables_see_host(some, folder);
	assert_int_equal(ctd_executables_add(some, fd, "/x", -1, 7, &number), 1);
	assert_true(ctd_executables_get(some, number)->debug_fd >= 0);
	ctd_executables_free(some);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_mappings_have_executables),
		cmocka_unit_test(debugging_information_may_be_the_hosts),
		cmocka_unit_test(functions_have_the_names_that_the_linker_knows),
		cmocka_unit_test(files_of_one_content_have_one_number),
		cmocka_unit_test(what_is_no_executable_has_no_number),
		cmocka_unit_test(a_file_can_be_closed_and_gone_before_it_is_read),
		cmocka_unit_test(what_most_samples_wait_for_is_read_first),
		cmocka_unit_test(those_sampled_longest_ago_go_where_memory_is_short),
		cmocka_unit_test(where_all_are_in_use_the_newest_stays_without_functions),
		cmocka_unit_test(one_that_is_too_large_has_its_table_alone),
		cmocka_unit_test(large_files_wait_for_each_other),
		cmocka_unit_test(tables_of_libc_fit_into_150_kb),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
