/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file_limit.c - raises the soft limit of open files to the hard one. */
#include "base/file_limit.h"

void ctd_file_limit_raise(struct rlimit *ret_before)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		files = (struct rlimit){0};
	if (ret_before)
		*ret_before = files;
	if (files.rlim_cur == files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}
