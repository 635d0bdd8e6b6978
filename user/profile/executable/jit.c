/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* jit.c - the functions that a process's JIT says it has made, in a file of the process. */
#include "profile/executable/jit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/status.h"
#include "profile/process/open.h"
#include "profile/symbols/text_lines.h"

/* A file of any size is opened: its end is enough. */
#define FILE_BYTES_MAX UINT64_MAX

int ctd_jit_symbols_open(pid_t pid, int *ret_fd)
{
	autoclose int root = -1;
	char path[64];
	uint32_t inner; /* the pid in the innermost namespace, by which the JIT knows itself */
	int err;

	err = ctd_status_number((uint32_t)pid, "NSpid", &inner);
	if (err)
		return err;
	err = ctd_open_process_root(pid, &root);
	if (err)
		return err;
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", inner);
	return ctd_open_within(root, path, FILE_BYTES_MAX, ret_fd);
}

static const char *last_lines(const char *text, size_t bytes)
{
	const char *at = text + bytes;

	/* One more: the last of them has an end, too. */
	for (size_t i = 0; at && i <= CTD_PERF_MAP_LINES_MAX; i++)
		at = memrchr(text, '\n', (size_t)(at - text));
	return at ? at + 1 : text;
}

int ctd_jit_symbols_read(int fd, struct ctd_symbols *ret_symbols)
{
	autofree char *text = NULL;
	const char *first;
	size_t bytes;
	int err = ctd_read_end(fd, CTD_PERF_MAP_BYTES_MAX, &text, &bytes);

	if (err)
		return err;
	first = last_lines(text, bytes);
	return ctd_perf_map_parse(first, (size_t)(text + bytes - first), ret_symbols);
}
