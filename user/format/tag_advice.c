/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tag_advice.c - says of each mechanism what it means, and what helps. */
#include "format/tag_advice.h"

/* docs/neighbours.md says more. */
static const char *const advice[CTD_MECHANISMS] = {
	[CTD_MECHANISM_RUN_QUEUE] =
		"Its tasks wait while others have the CPU. Give it more cpu.weight\n  "
		"(requests.cpu), CPUs of its own (cpuset), or move one of the two.",
	[CTD_MECHANISM_SMT] =
		"It retires less while the core's other hardware thread is busy. Core\n  "
		"scheduling or whole cores (cpuset) keep the two apart.",
	[CTD_MECHANISM_MEMORY] =
		"It waits for memory more than its own past expects, when others load cache\n  "
		"and memory. Limit their bandwidth or cache (RDT, MPAM), or move one of the\n  "
		"two to another socket or node.",
	[CTD_MECHANISM_FRONTEND] =
		"It waits for instructions more than its own past expects, when others do so,\n  "
		"too. Keep the two off shared cores and caches.",
	[CTD_MECHANISM_THROTTLING] =
		"A limit of CPU time is used up: its own, or one above it, by all that are in\n  "
		"there. Raise it (limits.cpu), or let them do less at once.",
};

const char *ctd_tag_advice(enum ctd_mechanism mechanism)
{
	return advice[mechanism];
}
