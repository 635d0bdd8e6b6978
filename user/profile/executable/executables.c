/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* executables.c - the files whose code was sampled: their unwind tables and functions, kept in
 * bounded memory. */
#include "profile/executable/executables.h"

#include <cgtopdown/profile_abi.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/hash.h"
#include "profile/elf/parts.h"
#include "profile/executable/content.h"
#include "profile/executable/debug_file.h"
#include "profile/executable/files.h"
#include "profile/executable/read.h"

/* Each has one file open, or two. */
#define PENDING_MAX 256
/* Of new files, to know their contents, between two counts of what is wanted: it takes up to a
 * second, and nothing is named meanwhile. */
#define READ_BYTES_MAX ((size_t)512 << 20)
/* Sampled within so many rounds, some ten seconds: it would be read again at once. */
#define RECENT_ROUNDS 50
/* Numbers that are made free at once. */
#define RETIRED_AT_ONCE 64

struct ctd_executables {
	size_t bytes_max, bytes;
	struct ctd_unwind_rules rules;
	struct ctd_files files;
	struct ctd_content_secret secret;
	struct ctd_executable executables[CTD_EXECUTABLES_MAX]; /* 0 is none */
	uint32_t count; /* one more than the largest number */
	uint32_t pending; /* how many are */
	size_t read_bytes; /* of new files, since what is wanted was counted */
	uint64_t round, births, makes;
	bool lacks_numbers;
	struct ctd_line_files *line_files; /* borrowed; NULL: lines are not wanted */
	uint64_t evicted, refused;
	int host_root; /* owned; -1: none */
};

int ctd_executables_new(size_t bytes_max, struct ctd_executables **ret_executables)
{
	struct ctd_executables *executables = calloc(1, sizeof(*executables));

	if (!executables)
		return -ENOMEM;
	executables->bytes_max = bytes_max;
	executables->count = 1;
	executables->host_root = -1;
	ctd_content_secret_make(&executables->secret);
	if (ctd_unwind_rules_begin(&executables->rules)) {
		ctd_executables_free(executables);
		return -ENOMEM;
	}
	*ret_executables = executables;
	return 0;
}

void ctd_executables_keep_lines(struct ctd_executables *executables, struct ctd_line_files *files)
{
	executables->line_files = files;
}

void ctd_executables_see_host(struct ctd_executables *executables, const char *root)
{
	ctd_auto_close(&executables->host_root);
	executables->host_root = open(root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void close_files(struct ctd_executables *executables, struct ctd_executable *executable)
{
	if (executable->state != CTD_EXECUTABLE_PENDING)
		return;
	ctd_auto_close(&executable->fd);
	ctd_auto_close(&executable->debug_fd);
	executable->fd = executable->debug_fd = -1;
	executables->pending--;
}

/* Tables and functions. */
static void drop_contents(struct ctd_executables *executables, struct ctd_executable *executable)
{
	executables->bytes -= ctd_executable_bytes(executable);
	ctd_executable_drop(executable, &executables->rules);
	executable->made = 0;
}

static void forget(struct ctd_executables *executables, struct ctd_executable *executable)
{
	close_files(executables, executable);
	drop_contents(executables, executable);
	free(executable->path);
	*executable = (struct ctd_executable){0};
}

void ctd_executables_free(struct ctd_executables *executables)
{
	if (!executables)
		return;
	for (uint32_t i = 1; i < executables->count; i++)
		if (executables->executables[i].state)
			forget(executables, &executables->executables[i]);
	ctd_auto_close(&executables->host_root);
	ctd_unwind_rules_free(&executables->rules);
	ctd_files_free(&executables->files);
	free(executables);
}

static bool is_known(const struct ctd_executables *executables,
		     const struct ctd_file_identity *identity, uint32_t *ret_number)
{
	struct ctd_file_meaning meaning;

	if (!ctd_files_find(&executables->files, identity, &meaning))
		return false;
	if (meaning.number &&
	    (executables->executables[meaning.number].born != meaning.born ||
	     executables->executables[meaning.number].state == CTD_EXECUTABLE_RETIRED))
		return false;
	*ret_number = meaning.number;
	return true;
}

bool ctd_executables_find(struct ctd_executables *executables, int fd, uint32_t *ret_number)
{
	struct ctd_file_identity identity;
	struct stat status;

	if (fstat(fd, &status))
		return false;
	identity = ctd_file_identity(&status);
	return is_known(executables, &identity, ret_number);
}

static uint32_t find_content(const struct ctd_executables *executables, uint64_t content)
{
	for (uint32_t i = 1; i < executables->count; i++) {
		const struct ctd_executable *one = &executables->executables[i];

		if (one->content == content && one->state != CTD_EXECUTABLE_NONE &&
		    one->state != CTD_EXECUTABLE_RETIRED)
			return i;
	}
	return 0;
}

/* @return 0: there is none before the next round. */
static uint32_t free_number(struct ctd_executables *executables)
{
	if (executables->count < CTD_EXECUTABLES_MAX)
		return executables->count++;
	for (uint32_t i = 1; i < CTD_EXECUTABLES_MAX; i++)
		if (!executables->executables[i].state)
			return i;
	executables->lacks_numbers = true;
	executables->refused++;
	return 0;
}

/* @return 1: it is a new one, without contents; 0: there is one with that content; or an error. */
static int take_number(struct ctd_executables *executables, const struct ctd_elf *file,
		       const char *path, uint64_t content, uint32_t *ret_number)
{
	uint32_t number = find_content(executables, content);
	struct ctd_executable *executable;
	char *copy;

	if (number) {
		executables->executables[number].used = executables->round;
		*ret_number = number;
		return 0;
	}
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	number = free_number(executables);
	if (!number) {
		free(copy);
		return -ENOSPC;
	}
	executable = &executables->executables[number];
	*executable = (struct ctd_executable){
		.state = CTD_EXECUTABLE_MADE,
		.build_id = file->build_id,
		.path = copy,
		.segments = file->segments,
		.content = content,
		.fd = -1,
		.debug_fd = -1,
		.born = ++executables->births,
		.used = executables->round,
	};
	*ret_number = number;
	return 1;
}

static bool has_lines(const struct ctd_elf *file)
{
	static const char *const names[] = {".debug_line", ".zdebug_line"};
	struct ctd_elf_section section;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!ctd_elf_section_named(file, names[i], SIZE_MAX, &section))
			return true;
	return false;
}

/* What is no other file's, where @p lines_fd has lines. */
static uint64_t content_with_lines(uint64_t content, int fd, int lines_fd)
{
	uint64_t key[3] = {content};
	struct ctd_file_identity identity;
	struct stat status;
	const int fds[] = {fd, lines_fd};

	for (size_t i = 0; i < 2; i++) {
		if (fstat(fds[i], &status))
			return content;
		identity = ctd_file_identity(&status);
		key[i + 1] = ctd_hash(&identity, sizeof(identity));
	}
	return ctd_hash(key, sizeof(key));
}

/* Containers have none, but for the host's own build of the same file: the build id tells. */
static int find_debug_file(const struct ctd_executables *executables, int root,
			   const struct ctd_build_id *build_id, int *ret_fd)
{
	int error = ctd_debug_file_open(root, build_id, ret_fd);

	return error ? ctd_debug_file_open(executables->host_root, build_id, ret_fd) : 0;
}

static int add(struct ctd_executables *executables, int fd, const char *path, int root,
	       uint64_t cgroup_id, uint32_t *ret_number)
{
	auto_ctd_elf struct ctd_elf file = {0}, debug = {0};
	autoclose int copy = -1, debug_fd = -1;
	struct ctd_executable *executable;
	struct ctd_elf_parts parts;
	uint64_t content;
	bool has_debug;
	int got, lines_fd = -1;

	if (executables->pending == PENDING_MAX || executables->read_bytes >= READ_BYTES_MAX)
		return -ENOSPC;
	got = ctd_elf_open(fd, &file);
	if (got)
		return got;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return -errno;
	has_debug = !find_debug_file(executables, root, &file.build_id, &debug_fd) &&
		    !ctd_elf_open(debug_fd, &debug);
	if (executables->line_files)
		lines_fd = has_debug && has_lines(&debug) ? debug_fd : has_lines(&file) ? fd : -1;
	ctd_elf_parts_find(&file, has_debug ? &debug : NULL, &parts);
	executables->read_bytes += parts.bytes;
	got = ctd_content_of(&parts, &executables->secret, &content);
	if (got)
		return got;
	if (lines_fd >= 0)
		content = content_with_lines(content, fd, lines_fd);
	got = take_number(executables, &file, path, content, ret_number);
	if (got != 1)
		return got;
	executable = &executables->executables[*ret_number];
	if (lines_fd >= 0 && ctd_line_files_keep(executables->line_files, lines_fd, path, cgroup_id,
						 &executable->line_file))
		executable->line_file = 0;
	executable->cgroup_id = cgroup_id;
	executable->state = CTD_EXECUTABLE_PENDING;
	executable->fd = take_fd(copy);
	executable->debug_fd = has_debug ? take_fd(debug_fd) : -1;
	executables->pending++;
	return 1;
}

int ctd_executables_add(struct ctd_executables *executables, int fd, const char *path, int root,
			uint64_t cgroup_id, uint32_t *ret_number)
{
	struct ctd_file_meaning meaning = {0};
	struct ctd_file_identity identity;
	struct stat status;
	int got;

	if (fstat(fd, &status))
		return -errno;
	identity = ctd_file_identity(&status);
	if (is_known(executables, &identity, ret_number))
		return *ret_number ? 0 : -ENOEXEC;
	got = add(executables, fd, path, root, cgroup_id, ret_number);
	if (got >= 0)
		meaning = (struct ctd_file_meaning){*ret_number,
						    executables->executables[*ret_number].born};
	if (got >= 0 || got == -ENOEXEC)
		ctd_files_remember(&executables->files, &identity, meaning);
	return got;
}

int ctd_executables_add_unread(struct ctd_executables *executables, const char *path,
			       uint32_t *ret_number)
{
	static const struct ctd_elf nothing;
	int got;

	for (uint32_t i = 1; i < executables->count; i++) {
		struct ctd_executable *one = &executables->executables[i];

		if (!one->unread || one->state != CTD_EXECUTABLE_MADE ||
		    strcmp(one->path, path) != 0)
			continue;
		one->used = executables->round;
		*ret_number = i;
		return 0;
	}
	/* Another content than that of all others. */
	got = take_number(executables, &nothing, path, ~executables->births, ret_number);
	if (got == 1)
		executables->executables[*ret_number].unread = true;
	return got;
}

/* That files of a cgroup have added. */
static size_t rules_of(const struct ctd_executables *executables, uint64_t cgroup_id)
{
	size_t count = 0;

	for (uint32_t i = 1; i < executables->count; i++)
		if (executables->executables[i].cgroup_id == cgroup_id)
			count += executables->executables[i].table.rules_added;
	return count;
}

static int make(struct ctd_executables *executables, const struct ctd_elf_parts *parts,
		struct ctd_executable *executable)
{
	int error = ctd_executable_read(parts, rules_of(executables, executable->cgroup_id),
					&executables->rules, executable);

	if (error)
		return error;
	ctd_executable_shrink(executable, executables->bytes_max / 2);
	executables->bytes += ctd_executable_bytes(executable);
	executable->made = ++executables->makes;
	return 0;
}

bool ctd_executables_find_memory(struct ctd_executables *executables, const char *path,
				 size_t bytes, uint32_t *ret_number)
{
	for (uint32_t i = 1; i < executables->count; i++) {
		struct ctd_executable *one = &executables->executables[i];

		if (one->image_bytes != bytes || one->state != CTD_EXECUTABLE_MADE ||
		    strcmp(one->path, path) != 0)
			continue;
		one->used = executables->round;
		*ret_number = i;
		return true;
	}
	return false;
}

int ctd_executables_add_memory(struct ctd_executables *executables, const void *image, size_t bytes,
			       const char *path, uint32_t *ret_number)
{
	auto_ctd_elf struct ctd_elf file = {0};
	struct ctd_elf_parts parts;
	uint64_t content;
	int got = ctd_elf_open_memory(image, bytes, &file), error;

	if (got)
		return got;
	ctd_elf_parts_find(&file, NULL, &parts);
	got = ctd_content_of(&parts, &executables->secret, &content);
	if (!got)
		got = take_number(executables, &file, path, content, ret_number);
	if (got != 1)
		return got;
	error = make(executables, &parts, &executables->executables[*ret_number]);
	if (error)
		forget(executables, &executables->executables[*ret_number]);
	else
		executables->executables[*ret_number].image_bytes = bytes;
	return error ? error : 1;
}

void ctd_executables_begin_wants(struct ctd_executables *executables)
{
	executables->read_bytes = 0;
	for (uint32_t i = 1; i < executables->count; i++)
		executables->executables[i].wanted = 0;
}

void ctd_executables_want(struct ctd_executables *executables, uint32_t number, uint64_t samples)
{
	if (!number || number >= executables->count)
		return;
	executables->executables[number].wanted += samples;
	executables->executables[number].used = executables->round;
}

static struct ctd_executable *most_wanted(struct ctd_executables *executables)
{
	struct ctd_executable *most = NULL;

	for (uint32_t i = 1; executables->pending && i < executables->count; i++) {
		struct ctd_executable *one = &executables->executables[i];

		if (one->state == CTD_EXECUTABLE_PENDING && (!most || one->wanted > most->wanted))
			most = one;
	}
	return most;
}

bool ctd_executables_is_behind(const struct ctd_executables *executables)
{
	for (uint32_t i = 1; executables->pending && i < executables->count; i++)
		if (executables->executables[i].state == CTD_EXECUTABLE_PENDING &&
		    executables->executables[i].wanted)
			return true;
	return false;
}

int ctd_executables_make(struct ctd_executables *executables)
{
	struct ctd_executable *executable = most_wanted(executables);
	auto_ctd_elf struct ctd_elf file = {0}, debug = {0};
	struct ctd_elf_parts parts;
	bool has_debug;
	int error = 0;

	if (!executable || (!executable->wanted && executables->bytes > executables->bytes_max / 2))
		return 0;
	has_debug = executable->debug_fd >= 0 && !ctd_elf_open(executable->debug_fd, &debug);
	/* It may have been cut short since. */
	if (!ctd_elf_open(executable->fd, &file)) {
		ctd_elf_parts_find(&file, has_debug ? &debug : NULL, &parts);
		error = make(executables, &parts, executable);
	}
	if (error)
		return error;
	close_files(executables, executable);
	executable->state = CTD_EXECUTABLE_MADE;
	return 1;
}

/* Of those that were not sampled lately. */
static struct ctd_executable *oldest(struct ctd_executables *executables)
{
	struct ctd_executable *found = NULL;

	for (uint32_t i = 1; i < executables->count; i++) {
		struct ctd_executable *one = &executables->executables[i];

		if ((one->state == CTD_EXECUTABLE_MADE || one->state == CTD_EXECUTABLE_PENDING) &&
		    one->used + RECENT_ROUNDS < executables->round &&
		    (!found || one->used < found->used))
			found = one;
	}
	return found;
}

static struct ctd_executable *newest(struct ctd_executables *executables)
{
	struct ctd_executable *found = NULL;

	for (uint32_t i = 1; i < executables->count; i++) {
		struct ctd_executable *one = &executables->executables[i];

		if (one->state == CTD_EXECUTABLE_MADE && ctd_executable_bytes(one) &&
		    (!found || one->made > found->made))
			found = one;
	}
	return found;
}

static void retire(struct ctd_executables *executables, struct ctd_executable *executable)
{
	close_files(executables, executable);
	executable->state = CTD_EXECUTABLE_RETIRED;
	executable->made = 0;
	executables->evicted++;
}

/* What is retired is as good as gone. */
static size_t bytes_that_stay(const struct ctd_executables *executables)
{
	size_t bytes = executables->bytes;

	for (uint32_t i = 1; i < executables->count; i++)
		if (executables->executables[i].state == CTD_EXECUTABLE_RETIRED)
			bytes -= ctd_executable_bytes(&executables->executables[i]);
	return bytes;
}

uint32_t ctd_executables_end_round(struct ctd_executables *executables)
{
	uint32_t wanted = executables->lacks_numbers ? RETIRED_AT_ONCE : 0, retired = 0;
	struct ctd_executable *one;

	executables->round++;
	executables->lacks_numbers = false;
	for (uint32_t i = 1; i < executables->count; i++)
		if (executables->executables[i].state == CTD_EXECUTABLE_RETIRED)
			forget(executables, &executables->executables[i]);
	while ((retired < wanted || bytes_that_stay(executables) > executables->bytes_max) &&
	       (one = oldest(executables))) {
		retire(executables, one);
		retired++;
	}
	while (bytes_that_stay(executables) > executables->bytes_max &&
	       (one = newest(executables))) {
		drop_contents(executables, one);
		executables->refused++;
	}
	return retired;
}

const struct ctd_executable *ctd_executables_get(const struct ctd_executables *executables,
						 uint32_t number)
{
	return number && number < executables->count && executables->executables[number].state
		       ? &executables->executables[number]
		       : NULL;
}

int ctd_executables_bias(const struct ctd_executables *executables, uint32_t number, uint64_t start,
			 uint64_t offset, uint64_t *ret_bias)
{
	if (!ctd_executables_get(executables, number))
		return -ENODATA;
	return ctd_elf_bias(&executables->executables[number].segments, start, offset, ret_bias);
}

uint32_t ctd_executables_count(const struct ctd_executables *executables)
{
	return executables->count;
}

void ctd_executables_give_words(struct ctd_executables *executables, uint32_t number)
{
	struct ctd_unwind_table *table = &executables->executables[number].table;

	free(table->words);
	table->words = NULL;
}

struct ctd_unwind_rules *ctd_executables_rules(struct ctd_executables *executables)
{
	return &executables->rules;
}

void ctd_executables_health(const struct ctd_executables *executables,
			    struct ctd_executables_health *ret_health)
{
	*ret_health = (struct ctd_executables_health){
		.made = executables->makes,
		.evicted = executables->evicted,
		.refused = executables->refused,
		.pending = executables->pending,
		.bytes = executables->bytes,
	};
	for (uint32_t i = 1; i < executables->count; i++)
		ret_health->count += executables->executables[i].state != CTD_EXECUTABLE_NONE;
}
