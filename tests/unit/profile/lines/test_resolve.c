/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_resolve.c - lines of this program are found, and files that are not well cost their own. */
#include "profile/lines/resolve.h"

#include <cgtopdown/profile_abi.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "profile/elf/file.h"

static struct ctd_line_helper helper = CTD_LINE_HELPER_NONE;
static struct ctd_line_files files;
static struct ctd_stacks *stacks;
static struct ctd_lines lines;
static bool stops;
static char told[8192];

static int begin(void **state)
{
	(void)state;
	files = (struct ctd_line_files){0};
	lines = (struct ctd_lines){0};
	stops = false;
	*told = '\0';
	return ctd_stacks_new(1000000, 0, 1, &stacks);
}

static int end(void **state)
{
	(void)state;
	ctd_line_files_free(&files);
	ctd_lines_free(&lines);
	ctd_stacks_free(stacks);
	return 0;
}

__attribute__((noinline)) static int a_function_of_this_test(int number)
{
	return number + 1;
}
enum { ITS_END = __LINE__ - 1 };

/* Where the file has a function of this program. */
static uint64_t address_of(const void *function)
{
	auto_ctd_elf struct ctd_elf elf = {0};
	autoclose int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	autofclose FILE *maps = fopen("/proc/self/maps", "re");
	uint64_t pc = (uint64_t)(uintptr_t)function, first, last, offset, bias = 0;
	char line[512];

	assert_int_equal(ctd_elf_open(fd, &elf), 0);
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &first, &last, &offset) == 3 && pc >= first &&
		    pc < last)
			assert_int_equal(ctd_elf_bias(&elf.segments, first, offset, &bias), 0);
	return pc - bias;
}

/* A function of the stacks that is at a place of a file. */
static uint32_t add(uint64_t file, uint64_t address, uint64_t owner)
{
	struct ctd_function place = {.place = ctd_line_files_place(&files, file, address, owner)};
	uint32_t module, function;

	assert_int_equal(ctd_stacks_module(stacks, "/bin/x", "", false, &module), 0);
	assert_int_equal(ctd_stacks_function(stacks, module, 0x10, "f", &function), 0);
	assert_int_equal(ctd_stacks_place(stacks, function, &place, &function), 0);
	return function;
}

static uint64_t keep(int fd, const char *path)
{
	uint64_t name = 0;

	assert_int_equal(ctd_line_files_keep(&files, fd, path, 0, &name), 0);
	assert_int_not_equal(name, 0);
	return name;
}

static uint64_t keep_own(void)
{
	autoclose int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	return keep(fd, "/own");
}

/* A file of these bytes, under no name. */
static int make_file(const void *data, size_t bytes)
{
	char path[] = "/tmp/lines-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, data, bytes), (ssize_t)bytes);
	return fd;
}

/* A copy of this program, under a name. */
static int copy_own(const char *path)
{
	autoclose int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	autoclose int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(from >= 0 && to >= 0);
	while (sendfile(to, from, NULL, 1 << 30) > 0)
		;
	return open(path, O_RDONLY | O_CLOEXEC);
}

static bool has_stopped(void *context)
{
	(void)context;
	return stops;
}

static void progress(size_t done, size_t count, void *context)
{
	(void)context;
	assert_true(done <= count);
}

static void lacks(const char *path, const char *why, void *context)
{
	size_t used = strlen(told);

	(void)context;
	snprintf(told + used, sizeof(told) - used, "%s: %s\n", path, why);
}

static void resolve(uint64_t time_ns)
{
	const struct ctd_line_resolving how = {
		.helper = &helper,
		.files = &files,
		.time_ns = time_ns,
		.stop = has_stopped,
		.progress = progress,
		.lacks = lacks,
	};

	assert_int_equal(ctd_lines_resolve(&how, stacks, &lines), 0);
}

#define NS_PER_S UINT64_C(1000000000)
#define TIME_NS (60 * NS_PER_S)
/* So many entries in each other take many seconds. */
#define DEEP 2000000

static void assert_line_up_to(uint32_t function, const char *file, uint32_t end_line)
{
	for (size_t i = 0; i < lines.chains_count; i++) {
		const struct ctd_line_chain *chain = &lines.chains[i];
		const struct ctd_line_frame *frame = &lines.frames[chain->first];
		const char *source = lines.texts[frame->source];

		if (chain->key != function)
			continue;
		assert_string_equal(strrchr(source, '/') + 1, file);
		/* Optimised, it may have one instruction. */
		assert_in_range(frame->line, end_line - 3, end_line);
		return;
	}
	fail_msg("there is no line of function %u", function);
}

static void a_function_of_this_program_has_its_line(void **state)
{
	uint64_t own = keep_own();
	uint32_t first, again, elsewhere;

	(void)state;
	assert_int_equal(a_function_of_this_test(1), 2);
	first = add(own, address_of(a_function_of_this_test), 7);
	/* The same file is one. */
	again = add(keep_own(), address_of(a_function_of_this_test) + 1, 7);
	elsewhere = add(own, 1, 7);
	assert_int_equal(files.count, 1);
	resolve(TIME_NS);
	assert_string_equal(told, "");
	assert_line_up_to(first, "test_resolve.c", ITS_END);
	assert_line_up_to(again, "test_resolve.c", ITS_END);
	for (size_t i = 0; i < lines.chains_count; i++)
		assert_int_not_equal(lines.chains[i].key, elsewhere);
}

static void a_file_that_is_none_costs_its_own_lines(void **state)
{
	autoclose int text = make_file("no program", 10);
	autoclose int cut = make_file("\177ELF\2\1\1", 7);
	uint32_t function;

	(void)state;
	add(keep(text, "/text"), 0x1000, 1);
	add(keep(cut, "/cut"), 0x1000, 1);
	function = add(keep_own(), address_of(a_function_of_this_test), 1);
	resolve(TIME_NS);
	assert_line_up_to(function, "test_resolve.c", ITS_END);
	assert_non_null(strstr(told, "/text: its debugging information cannot be read\n"));
	assert_non_null(strstr(told, "/cut: "));
	assert_null(strstr(told, "/own"));
}

/* One that is not needed, ahead of the table, has a name like that but for a letter. */
static void a_section_of_another_name_is_no_table_of_lines(void **state)
{
	static const char name[] = "\0.debug_aranges", other[sizeof(name)] = "\0xdebug_line";
	char path[] = "/tmp/lines-XXXXXX", *bytes, *found;
	autoclose int made = mkstemp(path), fd = copy_own(path);
	struct stat status;
	uint32_t function;

	(void)state;
	unlink(path);
	assert_int_equal(fstat(fd, &status), 0);
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
	assert_true(bytes != MAP_FAILED);
	while ((found = memmem(bytes, (size_t)status.st_size, name, sizeof(name))))
		memcpy(found, other, sizeof(other));
	munmap(bytes, (size_t)status.st_size);
	function = add(keep(fd, "/own"), address_of(a_function_of_this_test), 1);
	resolve(TIME_NS);
	assert_line_up_to(function, "test_resolve.c", ITS_END);
}

static void a_file_that_was_changed_has_no_lines(void **state)
{
	autoclose int fd = make_file("before", 6);

	(void)state;
	add(keep(fd, "/changed"), 0x1000, 1);
	assert_int_equal(write(fd, "later", 5), 5);
	resolve(TIME_NS);
	assert_string_equal(told, "/changed: it was changed since\n");
}

/* Its status changes with its name and its rights, and nothing of what ran. */
static void a_file_that_was_removed_has_the_lines_of_what_ran(void **state)
{
	char path[] = "/tmp/lines-XXXXXX", other[sizeof(path) + 1];
	autoclose int made = mkstemp(path), fd = -1;
	uint32_t function;
	uint64_t name;

	(void)state;
	assert_true(made >= 0);
	fd = copy_own(path);
	name = keep(fd, "/removed");
	function = add(name, address_of(a_function_of_this_test), 1);
	snprintf(other, sizeof(other), "%s2", path);
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(unlink(other), 0);
	/* The process that runs it is looked at again. */
	assert_true(keep(fd, "/removed (deleted)") == name);
	resolve(TIME_NS);
	assert_string_equal(told, "");
	assert_line_up_to(function, "test_resolve.c", ITS_END);
}

static void more_instructions_than_are_looked_for_are_said(void **state)
{
	uint64_t own = keep_own(), address = address_of(a_function_of_this_test);
	uint32_t function = add(own, address, 1);

	(void)state;
	for (uint64_t i = 1; i <= CTD_LINE_ADDRESSES_MAX; i++)
		add(own, address + i, 1);
	resolve(TIME_NS);
	assert_string_equal(told,
			    "/own: it was sampled at more instructions than are looked for\n");
	assert_line_up_to(function, "test_resolve.c", ITS_END);
}

/* Not all of one before the first of the other. */
static void cgroups_have_their_turns(void **state)
{
	char path[16], *one, *other;

	(void)state;
	for (uint64_t i = 0; i < 4; i++) {
		autoclose int fd = make_file("none", 1 + i);

		snprintf(path, sizeof(path), "/%c%d", i < 3 ? 'a' : 'b', (int)i);
		add(keep(fd, path), 0x1000, i < 3 ? 100 : 200);
	}
	resolve(TIME_NS);
	one = strstr(told, "/a1");
	other = strstr(told, "/b3");
	assert_non_null(one);
	assert_non_null(other);
	assert_true(other < one);
}

static void without_time_or_when_given_up_all_is_said(void **state)
{
	uint64_t own = keep_own();

	(void)state;
	add(own, address_of(a_function_of_this_test), 1);
	resolve(0);
	assert_string_equal(told, "/own: there was no time left for it\n");
	assert_int_equal(lines.chains_count, 0);
	*told = '\0';
	stops = true;
	resolve(TIME_NS);
	assert_string_equal(told, "/own: it was given up\n");
	/* What was given up is out of the way of the next question. */
	stops = false;
	resolve(TIME_NS);
	assert_int_equal(lines.chains_count, 1);
}

static void without_a_helper_all_is_said(void **state)
{
	struct ctd_line_helper kept = helper;

	(void)state;
	add(keep_own(), address_of(a_function_of_this_test), 1);
	helper = (struct ctd_line_helper)CTD_LINE_HELPER_NONE;
	assert_int_equal(ctd_line_helper_start(&helper), 0);
	assert_int_equal(kill(helper.pid, SIGKILL), 0);
	waitpid(helper.pid, NULL, 0);
	resolve(TIME_NS);
	assert_string_equal(told, "/own: the process that reads it is gone\n");
	ctd_line_helper_end(&helper);
	helper = kept;
}

/* An ELF file in whose debugging information so many entries are in each other. */
static int make_deep_file(size_t depth)
{
	static const char names[] = "\0.debug_abbrev\0.debug_info\0.shstrtab";
	static const uint8_t abbrevs[] = {1, 0x11, 1, 0x11, 1, 0x12, 7, 0, 0, /* unit: its code */
					  2, 0x39, 1, 0,    0, 0}; /* namespace */
	static const uint8_t unit[] = {
		4, 0, 0,    0, 0, 0, 8, /* version 4, abbreviations, addresses */
		1, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0};
	size_t info = sizeof(uint32_t) + sizeof(unit) + 2 * depth + 1;
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr code;
		Elf64_Shdr sections[4];
		char names[sizeof(names)];
		uint8_t abbrevs[sizeof(abbrevs)];
	} file = {
		.head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			 .e_type = ET_DYN,
			 .e_machine = EM_X86_64,
			 .e_version = EV_CURRENT,
			 .e_phoff = offsetof(__typeof__(file), code),
			 .e_shoff = offsetof(__typeof__(file), sections),
			 .e_ehsize = sizeof(file.head),
			 .e_phentsize = sizeof(file.code),
			 .e_phnum = 1,
			 .e_shentsize = sizeof(*file.sections),
			 .e_shnum = 4,
			 .e_shstrndx = 3},
		.code = {.p_type = PT_LOAD,
			 .p_flags = PF_R | PF_X,
			 .p_vaddr = 0x1000,
			 .p_memsz = 0x1000},
		.sections = {{0},
			     {.sh_name = 1,
			      .sh_type = SHT_PROGBITS,
			      .sh_offset = offsetof(__typeof__(file), abbrevs),
			      .sh_size = sizeof(abbrevs),
			      .sh_addralign = 1},
			     {.sh_name = 15,
			      .sh_type = SHT_PROGBITS,
			      .sh_offset = sizeof(file),
			      .sh_size = info,
			      .sh_addralign = 1},
			     {.sh_name = 27,
			      .sh_type = SHT_STRTAB,
			      .sh_offset = offsetof(__typeof__(file), names),
			      .sh_size = sizeof(names),
			      .sh_addralign = 1}},
	};
	uint32_t bytes = (uint32_t)(info - sizeof(bytes));
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	memcpy(file.names, names, sizeof(names));
	memcpy(file.abbrevs, abbrevs, sizeof(abbrevs));
	ctd_strbuf_add_bytes(&out, (const char *)&file, sizeof(file));
	ctd_strbuf_add_bytes(&out, (const char *)&bytes, sizeof(bytes));
	ctd_strbuf_add_bytes(&out, (const char *)unit, sizeof(unit));
	for (size_t i = 0; i < depth; i++)
		ctd_strbuf_add_bytes(&out, "\2", 1);
	for (size_t i = 0; i <= depth; i++)
		ctd_strbuf_add_bytes(&out, "", 1);
	assert_false(out.failed);
	return make_file(out.text, out.bytes);
}

/* Nor is it read again for the next set of stacks. Where a busy machine left our own file too
 * little of the time, all is done anew in twice as much. */
static void what_takes_long_takes_no_time_from_others(void **state)
{
	autoclose int deep = make_deep_file(DEEP);
	uint64_t time_ns = 2 * NS_PER_S;
	uint32_t function;

	for (;; end(state), begin(state), time_ns *= 2) {
		add(keep(deep, "/deep"), 0x1100, 1);
		function = add(keep_own(), address_of(a_function_of_this_test), 2);
		resolve(time_ns);
		/* All of this is less than twice what it took too long in. */
		resolve(time_ns / 2);
		if (time_ns == 8 * NS_PER_S || !strstr(told, "/own: its debugging information"))
			break;
	}
	assert_line_up_to(function, "test_resolve.c", ITS_END);
	assert_string_equal(told, "/deep: its debugging information takes too long to read\n");
	assert_in_range(files.files[0].failed_ns, time_ns / 4, time_ns / 2);
}

/* When others are done there is more time. */
static void what_takes_long_is_tried_again(void **state)
{
	autoclose int deep = make_deep_file(DEEP / 16);

	(void)state;
	add(keep(deep, "/deep"), 0x1100, 1);
	for (uint64_t i = 0; i < 80; i++) {
		autoclose int changed = make_file("before", 6);

		/* They are done at once. */
		add(keep(changed, "/changed"), 0x1000, 2 + i);
		assert_int_equal(write(changed, "later", 5), 5);
	}
	resolve(8 * NS_PER_S);
	assert_null(strstr(told, "/deep"));
	/* It was not read in a part of 81. */
	assert_int_not_equal(files.files[0].failed_ns, 0);
}

static void what_cannot_be_read_is_told_once(void **state)
{
	autoclose int text = make_file("no program", 10);

	(void)state;
	add(keep(text, "/text"), 0x1000, 1);
	resolve(TIME_NS);
	assert_string_equal(told, "/text: its debugging information cannot be read\n");
	*told = '\0';
	resolve(TIME_NS);
	assert_string_equal(told, "");
}

/* It is there later. */
static void without_a_descriptor_a_file_is_not_read(void **state)
{
	struct rlimit limit, none;
	uint32_t function = add(keep_own(), address_of(a_function_of_this_test), 1);

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){0, limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	resolve(TIME_NS);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_string_equal(told, "/own: too many files are open to have it read\n");
	resolve(TIME_NS);
	assert_line_up_to(function, "test_resolve.c", ITS_END);
}

/* Adds functions of which each is in another source file, with a path of much the same length.
 * *ret_last: one of them. */
static void add_some(uint64_t file, uint64_t owner, uint32_t *ret_last)
{
	add(file, address_of(ctd_lines_resolve), owner);
	add(file, address_of(ctd_line_helper_ask), owner);
	add(file, address_of(ctd_line_files_keep), owner);
	*ret_last = add(file, address_of(ctd_lines_add), owner);
}

/* Of the room that there is. */
static void the_lines_of_one_cgroup_leave_room_for_others(void **state)
{
	char path[] = "/tmp/lines-XXXXXX";
	autoclose int made = mkstemp(path), fd = copy_own(path);
	uint64_t own = keep_own();
	size_t longest = 0;
	uint32_t function;

	(void)state;
	assert_true(made >= 0);
	unlink(path);
	add_some(own, 1, &function);
	resolve(TIME_NS);
	assert_int_equal(lines.chains_count, 4);
	for (size_t i = 0; i < lines.texts_count; i++)
		if (strlen(lines.texts[i]) > longest)
			longest = strlen(lines.texts[i]);
	ctd_lines_free(&lines);
	/* Three of the four find room. */
	lines.texts_bytes = CTD_LINE_BYTES_MAX - 3 * longest;
	files.files[0].owner->used_ns = 0;
	function = add(keep(fd, "/other"), address_of(ctd_lines_add), 2);
	resolve(TIME_NS);
	assert_string_equal(told, "/own: its cgroup has more lines than are kept\n");
	for (size_t i = 0; i < lines.chains_count; i++)
		if (lines.chains[i].key == function)
			return;
	fail_msg("there is no line of another cgroup");
}

/* Of a process whose limits are lower than ours of a worker, and which may not raise them. */
static int resolve_limited(void)
{
	const struct rlimit limit = {4, 4};
	const struct ctd_line_resolving how = {
		.helper = &helper,
		.files = &files,
		.time_ns = TIME_NS,
		.stop = has_stopped,
		.progress = progress,
		.lacks = lacks,
	};

	helper = (struct ctd_line_helper)CTD_LINE_HELPER_NONE;
	if (setrlimit(RLIMIT_CPU, &limit) || ctd_line_helper_start(&helper) ||
	    ctd_lines_resolve(&how, stacks, &lines))
		return 1;
	fputs(told, stderr);
	return lines.chains_count == 1 && !*told ? 0 : 2;
}

static void lower_limits_take_no_lines(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	add(keep_own(), address_of(a_function_of_this_test), 1);
	pid = fork();
	if (!pid)
		_exit(resolve_limited());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int start(void **state)
{
	(void)state;
	return ctd_line_helper_start(&helper);
}

static int stop(void **state)
{
	(void)state;
	ctd_line_helper_end(&helper);
	return 0;
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_function_of_this_program_has_its_line),
		TEST(a_file_that_is_none_costs_its_own_lines),
		TEST(a_section_of_another_name_is_no_table_of_lines),
		TEST(a_file_that_was_changed_has_no_lines),
		TEST(a_file_that_was_removed_has_the_lines_of_what_ran),
		TEST(more_instructions_than_are_looked_for_are_said),
		TEST(cgroups_have_their_turns),
		TEST(without_time_or_when_given_up_all_is_said),
		TEST(without_a_helper_all_is_said),
		TEST(what_takes_long_takes_no_time_from_others),
		TEST(what_takes_long_is_tried_again),
		TEST(what_cannot_be_read_is_told_once),
		TEST(without_a_descriptor_a_file_is_not_read),
		TEST(the_lines_of_one_cgroup_leave_room_for_others),
		TEST(lower_limits_take_no_lines),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
