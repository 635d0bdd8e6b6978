/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* object.c - loads and attaches any of our BPF objects. */
#include "kern/object.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"

/* Room for the verifier's words about one program, as libbpf has at most. Kernels before 6.4 fail
 * with ENOSPC where it is too small, which would hide the reason. Only pages that are written to
 * take memory. */
#define LOG_BYTES (16u << 20)
/* One buffer serves all programs, and begins so many bytes later for each: where the words begin
 * says whose they are. */
#define LOG_STEP 8

static void log_lines(enum ctd_log_level level, char *text)
{
	char *rest;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ctd_log(level, "%s", line);
}

/* libbpf's words are shown with -v. */
__attribute__((format(printf, 2, 0))) static int print_libbpf(enum libbpf_print_level level,
							      const char *format, va_list arguments)
{
	enum ctd_log_level as = level <= LIBBPF_WARN ? CTD_LOG_INFO : CTD_LOG_DEBUG;
	autofree char *text = NULL;

	if (ctd_log_level() >= as && vasprintf(&text, format, arguments) >= 0)
		log_lines(as, text);
	return 0;
}

int ctd_object_open(struct bpf_object_skeleton *skeleton, const void *elf, size_t elf_bytes)
{
	int error;

	libbpf_set_print(print_libbpf);
	if (elf) {
		skeleton->data = (void *)elf;
		skeleton->data_sz = elf_bytes;
	}
	error = bpf_object__open_skeleton(skeleton, NULL);
	if (error)
		return ctd_log_error(error, "open the BPF object '%s'", skeleton->name);
	return 0;
}

int ctd_object_size(const struct ctd_object_size *sizes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int error = bpf_map__set_max_entries(sizes[i].map, sizes[i].entries);

		if (!error && sizes[i].value_bytes)
			error = bpf_map__set_value_size(sizes[i].map, sizes[i].value_bytes);
		if (error)
			return ctd_log_error(error, "size the BPF map '%s'",
					     bpf_map__name(sizes[i].map));
	}
	return 0;
}

int ctd_object_share(const struct bpf_object_skeleton *skeleton,
		     const struct bpf_object_skeleton *loaded)
{
	struct bpf_map *map = NULL;

	while ((map = bpf_object__next_map(*skeleton->obj, map))) {
		const struct bpf_map *shared =
			bpf_object__find_map_by_name(*loaded->obj, bpf_map__name(map));
		int error;

		if (!shared || bpf_map__is_internal(map))
			continue;
		error = bpf_map__reuse_fd(map, bpf_map__fd(shared));
		if (error)
			return ctd_log_error(error, "share the BPF map '%s'", bpf_map__name(map));
	}
	return 0;
}

/* The verifier's reason: its last line but for the figures of its work. */
static const char *last_sentence(const char *log, int *ret_length)
{
	const char *found = log;

	*ret_length = 0;
	while (*log) {
		int length = (int)strcspn(log, "\n");

		if (length && strncmp(log, "processed ", strlen("processed ")) != 0) {
			found = log;
			*ret_length = length;
		}
		log += length + (log[length] == '\n');
	}
	return found;
}

/* The first program that is refused ends the loading: only one has written to @p log. */
static void tell_failure(const struct bpf_object_skeleton *skeleton, int error, char *log)
{
	struct bpf_program *program = NULL;

	while ((program = bpf_object__next_program(*skeleton->obj, program))) {
		if (log && *log) {
			int length;
			const char *sentence = last_sentence(log, &length);

			ctd_log(CTD_LOG_ERROR,
				"the kernel refuses the BPF program '%s': %.*s (-v shows all that it says; see 'cgtopdown doctor')",
				bpf_program__name(program), length, sentence);
			log_lines(CTD_LOG_INFO, log);
			return;
		}
		log += log ? LOG_STEP : 0;
	}
	ctd_log_error(
		error,
		"load the BPF object '%s' (-v shows what libbpf says; see 'cgtopdown doctor')",
		skeleton->name);
}

int ctd_object_load(struct bpf_object_skeleton *skeleton)
{
	autofree char *log = calloc(1, LOG_BYTES);
	struct bpf_program *program = NULL;
	size_t at = 0;
	int error;

	/* Without it the message has no reason. */
	while ((program = bpf_object__next_program(*skeleton->obj, program))) {
		if (log)
			bpf_program__set_log_buf(program, log + at, LOG_BYTES - at);
		at += LOG_STEP;
	}
	error = bpf_object__load_skeleton(skeleton);
	if (error)
		tell_failure(skeleton, error, log);
	while ((program = bpf_object__next_program(*skeleton->obj, program)))
		bpf_program__set_log_buf(program, NULL, 0);
	return error;
}

int ctd_object_attach(struct bpf_object_skeleton *skeleton)
{
	int error = bpf_object__attach_skeleton(skeleton);

	return error ? ctd_log_error(error, "attach the BPF programs of '%s'", skeleton->name) : 0;
}

void *ctd_object_map(const struct bpf_map *map, size_t *ret_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	/* The kernel rounds values up to 8 bytes. */
	size_t value_bytes = ((size_t)bpf_map__value_size(map) + 7) / 8 * 8;
	size_t bytes = bpf_map__max_entries(map) * value_bytes;
	void *memory;

	bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (memory == MAP_FAILED) {
		ctd_log_error(-errno, "map the BPF array '%s' (%zu bytes)", bpf_map__name(map),
			      bytes);
		return NULL;
	}
	*ret_bytes = bytes;
	return memory;
}

/* 0 where the kernel does not say. */
static uint64_t map_memory(const struct bpf_map *map)
{
	char path[64], line[128];
	uint64_t bytes = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_map__fd(map));
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "memlock:", strlen("memlock:")) == 0)
			bytes = strtoull(line + strlen("memlock:"), NULL, 10);
	}
	if (file)
		fclose(file);
	return bytes;
}

uint64_t ctd_object_memory(const struct bpf_object_skeleton *skeleton)
{
	struct bpf_map *map = NULL;
	uint64_t bytes = 0;

	while ((map = bpf_object__next_map(*skeleton->obj, map)))
		bytes += map_memory(map);
	return bytes;
}
