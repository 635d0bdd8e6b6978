/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* executables.c - the files whose code was sampled: their unwind tables and functions, kept in
 * bounded memory. */
#include "profile/executable/executables.h"

#include <cgtopdown/profile_abi.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/utf8.h"
#include "profile/executable/debug_file.h"
#include "profile/symbols/demangle.h"
#include "profile/symbols/elf_symbols.h"

#define EH_FRAME_BYTES_MAX (128 << 20)
/* Files that are known by their place on disk; then they are forgotten, and read again. */
#define FILES_MAX 16384

/* What tells two files apart without reading them. */
struct file_identity {
	uint64_t device, inode, bytes;
	int64_t changed_s, changed_ns;
};

struct known_file {
	struct file_identity identity;
	uint32_t number;
};

struct ctd_executables {
	size_t bytes_max, bytes;
	struct ctd_unwind_rules rules;
	struct ctd_executable executables[CTD_EXECUTABLES_MAX]; /* 0 is none */
	struct ctd_elf_segments segments[CTD_EXECUTABLES_MAX];
	uint32_t count;
	uint64_t uses;
	struct known_file *files; /* owned, FILES_MAX of them */
	size_t files_count;
	struct ctd_idmap files_by_hash; /* indices into files */
};

int ctd_executables_new(size_t bytes_max, struct ctd_executables **ret_executables)
{
	struct ctd_executables *executables = calloc(1, sizeof(*executables));

	if (!executables)
		return -ENOMEM;
	executables->bytes_max = bytes_max;
	executables->count = 1;
	executables->files = calloc(FILES_MAX, sizeof(*executables->files));
	if (!executables->files || ctd_unwind_rules_begin(&executables->rules)) {
		ctd_executables_free(executables);
		return -ENOMEM;
	}
	*ret_executables = executables;
	return 0;
}

static void executable_free(struct ctd_executable *executable)
{
	free(executable->path);
	ctd_unwind_table_free(&executable->table);
	ctd_symbols_free(&executable->symbols);
}

void ctd_executables_free(struct ctd_executables *executables)
{
	if (!executables)
		return;
	for (uint32_t i = 0; i < executables->count; i++)
		executable_free(&executables->executables[i]);
	ctd_unwind_rules_free(&executables->rules);
	ctd_idmap_free(&executables->files_by_hash);
	free(executables->files);
	free(executables);
}

static struct file_identity identity_of(const struct stat *status)
{
	return (struct file_identity){status->st_dev, status->st_ino, (uint64_t)status->st_size,
				      status->st_ctim.tv_sec, status->st_ctim.tv_nsec};
}

/* Of an open file that was seen before. @return 0: it was not. */
static uint32_t find_file(const struct ctd_executables *executables,
			  const struct file_identity *identity)
{
	uintptr_t at;

	if (!ctd_idmap_get(&executables->files_by_hash, ctd_hash(identity, sizeof(*identity)),
			   &at) ||
	    memcmp(&executables->files[at].identity, identity, sizeof(*identity)) != 0)
		return 0;
	return executables->files[at].number;
}

/* Without memory, or with another of its hash, it is read again the next time. */
static void remember_file(struct ctd_executables *executables, const struct file_identity *identity,
			  uint32_t number)
{
	size_t at = executables->files_count;

	if (at == FILES_MAX) {
		ctd_idmap_free(&executables->files_by_hash);
		at = 0;
	}
	executables->files[at] = (struct known_file){*identity, number};
	executables->files_count = at + 1;
	ctd_idmap_set(&executables->files_by_hash, ctd_hash(identity, sizeof(*identity)), at);
}

static size_t bytes_of(const struct ctd_executable *executable)
{
	return executable->table.words_count * sizeof(*executable->table.words) +
	       ctd_symbols_bytes(&executable->symbols);
}

static int read_table(struct ctd_executables *executables, const struct ctd_elf *file,
		      struct ctd_unwind_table *ret_table)
{
	struct ctd_unwind_source source = {
		.machine = ctd_unwind_machine(file->machine),
		.code_start = file->code_start,
		.code_end = file->code_end,
	};
	struct ctd_elf_section section;
	int err;

	err = ctd_elf_section_named(file, ".eh_frame", EH_FRAME_BYTES_MAX, &section);
	if (err)
		return err;
	if (!source.machine)
		return -ENOTSUP;
	source.eh_frame = section.bytes;
	source.eh_frame_bytes = section.count;
	source.eh_frame_address = section.address;
	return ctd_unwind_table_make(&source, &executables->rules, ret_table);
}

static int read_symbols(const struct ctd_elf *file, int root, struct ctd_symbols *ret_symbols)
{
	auto_ctd_elf struct ctd_elf debug = {0};
	autoclose int fd = -1;

	if (ctd_debug_file_open(root, &file->build_id, &fd) || ctd_elf_open(fd, &debug))
		return ctd_elf_symbols_read(file, NULL, ret_symbols);
	return ctd_elf_symbols_read(file, &debug, ret_symbols);
}

/* A file without .eh_frame still has functions, and one that cannot be read at all a number. */
static int read_executable(struct ctd_executables *executables, const struct ctd_elf *file,
			   const char *path, int root, struct ctd_executable *ret_executable)
{
	struct ctd_executable executable = {.build_id = file->build_id};

	executable.path = strdup(path);
	if (!executable.path || read_table(executables, file, &executable.table) == -ENOMEM ||
	    read_symbols(file, root, &executable.symbols)) {
		executable_free(&executable);
		return -ENOMEM;
	}
	*ret_executable = executable;
	return 0;
}

static bool same_bytes(const void *left, const void *right, size_t bytes)
{
	return !bytes || !memcmp(left, right, bytes);
}

static bool same_content(const struct ctd_executable *left, const struct ctd_executable *right)
{
	const struct ctd_symbols *a = &left->symbols, *b = &right->symbols;

	return left->table.words_count == right->table.words_count &&
	       a->symbols_count == b->symbols_count && a->names_bytes == b->names_bytes &&
	       !memcmp(&left->build_id, &right->build_id, sizeof(left->build_id)) &&
	       same_bytes(left->table.words, right->table.words,
			  left->table.words_count * sizeof(*left->table.words)) &&
	       same_bytes(a->symbols, b->symbols, a->symbols_count * sizeof(*a->symbols)) &&
	       same_bytes(a->names, b->names, a->names_bytes);
}

static uint32_t find_content(const struct ctd_executables *executables,
			     const struct ctd_executable *executable)
{
	for (uint32_t i = 1; i < executables->count; i++)
		if (same_content(&executables->executables[i], executable))
			return i;
	return 0;
}

static void drop_symbols(struct ctd_executables *executables, struct ctd_executable *executable)
{
	executables->bytes -= ctd_symbols_bytes(&executable->symbols);
	ctd_symbols_free(&executable->symbols);
}

static void evict(struct ctd_executables *executables)
{
	while (executables->bytes > executables->bytes_max) {
		struct ctd_executable *oldest = NULL;

		for (uint32_t i = 1; i < executables->count; i++) {
			struct ctd_executable *one = &executables->executables[i];

			if (one->symbols.symbols && (!oldest || one->used < oldest->used))
				oldest = one;
		}
		if (!oldest)
			return;
		drop_symbols(executables, oldest);
	}
}

static int add(struct ctd_executables *executables, const struct ctd_elf *file, const char *path,
	       int root, uint32_t *ret_number)
{
	struct ctd_executable executable;
	uint32_t number;
	int err;

	err = read_executable(executables, file, path, root, &executable);
	if (err)
		return err;
	executable.used = ++executables->uses;
	number = find_content(executables, &executable);
	if (number) {
		executables->executables[number].used = executable.used;
		executable_free(&executable);
		*ret_number = number;
		return 0;
	}
	if (executables->count == CTD_EXECUTABLES_MAX) {
		executable_free(&executable);
		return -ENOSPC;
	}
	number = executables->count++;
	executables->executables[number] = executable;
	executables->segments[number] = file->segments;
	executables->bytes += bytes_of(&executable);
	evict(executables);
	*ret_number = number;
	return 1;
}

int ctd_executables_add(struct ctd_executables *executables, int fd, const char *path, int root,
			uint32_t *ret_number)
{
	auto_ctd_elf struct ctd_elf file = {0};
	struct file_identity identity;
	struct stat status;
	uint32_t number;
	int got;

	if (fstat(fd, &status))
		return -errno;
	identity = identity_of(&status);
	number = find_file(executables, &identity);
	if (number) {
		executables->executables[number].used = ++executables->uses;
		*ret_number = number;
		return 0;
	}
	got = ctd_elf_open(fd, &file);
	if (!got)
		got = add(executables, &file, path, root, ret_number);
	if (got >= 0)
		remember_file(executables, &identity, *ret_number);
	return got;
}

int ctd_executables_add_memory(struct ctd_executables *executables, const void *image, size_t bytes,
			       const char *path, uint32_t *ret_number)
{
	auto_ctd_elf struct ctd_elf file = {0};
	int err = ctd_elf_open_memory(image, bytes, &file);

	return err ? err : add(executables, &file, path, -1, ret_number);
}

const struct ctd_executable *ctd_executables_get(const struct ctd_executables *executables,
						 uint32_t number)
{
	return number && number < executables->count ? &executables->executables[number] : NULL;
}

int ctd_executables_bias(const struct ctd_executables *executables, uint32_t number, uint64_t start,
			 uint64_t offset, uint64_t *ret_bias)
{
	if (!ctd_executables_get(executables, number))
		return -ENODATA;
	return ctd_elf_bias(&executables->segments[number], start, offset, ret_bias);
}

bool ctd_executables_name(struct ctd_executables *executables, uint32_t number, uint64_t address,
			  struct ctd_strbuf *buffer)
{
	const struct ctd_executable *executable = ctd_executables_get(executables, number);
	const char *name = "", *slash;
	uint64_t start = address;

	if (!executable)
		return false;
	executables->executables[number].used = ++executables->uses;
	if (ctd_symbols_find(&executable->symbols, address, &name, &start) && *name) {
		ctd_demangle(buffer, name);
		return true;
	}
	slash = strrchr(executable->path, '/');
	ctd_utf8_add(buffer, slash ? slash + 1 : executable->path, CTD_DEMANGLED_MAX);
	ctd_strbuf_addf(buffer, "+0x%" PRIx64, start);
	return false;
}

uint32_t ctd_executables_count(const struct ctd_executables *executables)
{
	return executables->count;
}

const struct ctd_unwind_rules *ctd_executables_rules(const struct ctd_executables *executables)
{
	return &executables->rules;
}

size_t ctd_executables_bytes(const struct ctd_executables *executables)
{
	return executables->bytes;
}
