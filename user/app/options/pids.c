/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pids.c - a list of processes, "12,345". */
#include "app/options/pids.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/num.h"

int ctd_pids_parse(const char *text, struct ctd_pids *ret_pids)
{
	autofree char *copy = strdup(text);
	struct ctd_pids pids = {0};
	char *rest = copy, *one;

	if (!copy)
		return -ENOMEM;
	while ((one = strsep(&rest, ","))) {
		long long pid;

		if (pids.count == CTD_PIDS_MAX || ctd_parse_integer(one, 1, INT_MAX, &pid))
			return -EINVAL;
		pids.pids[pids.count++] = (uint32_t)pid;
	}
	*ret_pids = pids;
	return 0;
}

bool ctd_pids_have(const struct ctd_pids *pids, uint32_t pid)
{
	for (size_t i = 0; i < pids->count; i++)
		if (pids->pids[i] == pid)
			return true;
	return false;
}
