/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hotplug.h - keeps up with CPUs that come and go, and with counters that die. */
#ifndef COLLECT_HOTPLUG_H
#define COLLECT_HOTPLUG_H

#include <cgtopdown/kern.h>

#include "collect/cpu_set.h"
#include "collect/source.h"

struct ctd_hotplug {
	struct ctd_cpu_set *cpus; /* borrowed */
	struct ctd_source *source; /* borrowed */
	struct ctd_kern *kern; /* borrowed */
	bool unseen; /* the last look at the CPUs failed, which was logged */
	uint64_t renew_ns; /* monotonic time from which failing counters may be renewed again */
	uint64_t *read_errors; /* owned, an entry for each CPU: as of the last snapshot */
};

/* CPUs that came get counters, those that went give them back. A look that fails for want of memory
 * or descriptors changes nothing. Logs. @return 0 or negative errno. */
int ctd_hotplug_follow(struct ctd_hotplug *hotplug);
/*
 * Opens counters anew where readings have failed since the last snapshot: a pinned group that once
 * was not on the PMU stays off, and one whose CPU went and came between two looks (suspend) is dead.
 */
void ctd_hotplug_revive(struct ctd_hotplug *hotplug, const struct ctd_snapshot *snapshot);
void ctd_hotplug_free(struct ctd_hotplug *hotplug);

#endif
