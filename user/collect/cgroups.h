/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cgroups.h - knows the cgroups of one hierarchy and their names: by a walk, then by events. */
#ifndef COLLECT_CGROUPS_H
#define COLLECT_CGROUPS_H

#include <cgtopdown/collect.h>
#include <cgtopdown/kern.h>

#include "base/idmap.h"
#include "collect/names.h"

struct ctd_cgroups {
	struct ctd_cgroup_hierarchy hierarchy;
	struct ctd_identities *identities; /* owned */
	struct ctd_name_search names; /* owned */
	struct ctd_kern *kern; /* borrowed; whose programs tell of cgroups now */
	struct ctd_idmap full; /* ids of tenants that the log knows as having their share of rows */
	struct ctd_record_writer *writer; /* borrowed; told what is learnt; NULL: nobody is */
	uint64_t lost_events; /* as of the last snapshot */
	bool walk_due; /* events were lost, and the hierarchy was not walked since */
	uint64_t walk_ns; /* monotonic time from which it may be walked, after that failed */
};

/* Starts to look for names, and finds the hierarchy. Logs. @return 0 or negative errno. */
int ctd_cgroups_open(struct ctd_cgroups *cgroups, const struct ctd_collect_options *options);
void ctd_cgroups_free(struct ctd_cgroups *cgroups);

/* A ctd_cgroup_notice; the context is the ctd_cgroups. */
void ctd_cgroups_notice(enum ctd_cgroup_change change, uint64_t cgroup_id, const char *path,
			void *context);
/* A ctd_tenant_notice; the context is the ctd_cgroups. */
void ctd_cgroups_notice_tenant(uint64_t cgroup_id, uint64_t rows, void *context);
/* Walks the hierarchy: learns cgroups that are new, and tells the programs of those that are gone,
 * unless only a part of it is mounted. Logs. @return 0 or negative errno. */
int ctd_cgroups_walk(struct ctd_cgroups *cgroups);
/* Walks it again if events were lost by the time of a snapshot. @return 0 or negative errno; a
 * failure that may pass is none. */
int ctd_cgroups_catch_up(struct ctd_cgroups *cgroups, uint64_t lost_events);

/* Tells programs that are not attached yet whose rows to count. */
void ctd_cgroups_tell_tenants(struct ctd_cgroups *cgroups, struct ctd_kern *kern);
/* Other programs tell of the hierarchy from now on, and count lost events from 0: they are told of
 * cgroups that are gone and not forgotten yet. */
void ctd_cgroups_hand_over(struct ctd_cgroups *cgroups);

/* Waits a moment for names that are just being looked up, so that short runs have them, too. */
void ctd_cgroups_wait_for_names(struct ctd_cgroups *cgroups);
/* Puts names that were found since the last call into the table, and into the recording. */
void ctd_cgroups_take_names(struct ctd_cgroups *cgroups);
/* See ctd_collector_record_names(). */
int ctd_cgroups_record(struct ctd_cgroups *cgroups, struct ctd_record_writer *writer);

#endif
