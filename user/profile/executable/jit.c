/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* jit.c - the functions that a process's JIT says it has made, in a file of the process. */
#include "profile/executable/jit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/root.h"
#include "profile/process/open.h"
#include "profile/symbols/text_lines.h"

/* A file of any size is opened: its end is enough. */
#define FILE_BYTES_MAX UINT64_MAX

/* The last of "NSpid:	1234	7": the pid in the innermost namespace. */
static int inner_pid(pid_t pid, long *ret_pid)
{
	char text[8192];
	const char *line, *end, *number;
	ssize_t got = ctd_root_read(text, sizeof(text), "/proc/%d/status", (int)pid);

	if (got < 0)
		return (int)got;
	line = strstr(text, "\nNSpid:");
	if (!line)
		return -ENODATA;
	end = strchrnul(line + 1, '\n');
	number = memrchr(line, '\t', (size_t)(end - line));
	if (!number)
		return -ENODATA;
	*ret_pid = strtol(number + 1, NULL, 10);
	return 0;
}

int ctd_jit_symbols_read(pid_t pid, struct ctd_symbols *ret_symbols)
{
	autofree char *text = NULL;
	autoclose int root = -1, fd = -1;
	char path[64];
	size_t bytes;
	long inner;
	int err;

	err = inner_pid(pid, &inner);
	if (err)
		return err;
	err = ctd_open_process_root(pid, &root);
	if (err)
		return err;
	snprintf(path, sizeof(path), "/tmp/perf-%ld.map", inner);
	err = ctd_open_within(root, path, FILE_BYTES_MAX, &fd);
	if (err)
		return err;
	err = ctd_read_end(fd, CTD_PERF_MAP_BYTES_MAX, &text, &bytes);
	return err ? err : ctd_perf_map_parse(text, bytes, ret_symbols);
}
