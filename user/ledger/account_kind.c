/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* account_kind.c - the word for each kind of account, in all that is given out. */
#include <cgtopdown/ledger.h>

const char *ctd_account_kind_name(enum ctd_account_kind kind)
{
	static const char *const names[CTD_ACCOUNT_KINDS] = {
		[CTD_ACCOUNT_CONTAINER] = "container", [CTD_ACCOUNT_SANDBOX] = "sandbox",
		[CTD_ACCOUNT_CGROUP] = "cgroup",       [CTD_ACCOUNT_KERNEL] = "kernel",
		[CTD_ACCOUNT_IDLE] = "idle",	       [CTD_ACCOUNT_OTHER] = "other",
	};

	return names[kind];
}
