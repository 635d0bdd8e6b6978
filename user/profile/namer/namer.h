/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* namer.h - names the frames of samples: of the kernel, of files, of what JITs made. */
#ifndef PROFILE_NAMER_NAMER_H
#define PROFILE_NAMER_NAMER_H

#include <cgtopdown/profile_abi.h>
#include <cgtopdown/stacks.h>

#include "profile/executable/executables.h"
#include "profile/namer/processes.h"

struct ctd_namer;

/* Whose names matter. */
enum ctd_name_rank {
	CTD_NAME_NEVER, /* they are not shown */
	CTD_NAME_LATER,
	CTD_NAME_FIRST, /* somebody asked for them */
};
typedef enum ctd_name_rank ctd_rank_name(uint64_t cgroup_id, uint32_t tgid, void *context);

/* *ret_namer: ctd_namer_free(). @return 0 or -ENOMEM. */
int ctd_namer_new(struct ctd_namer **ret_namer);
void ctd_namer_free(struct ctd_namer *namer);
/* Has frames tell their places, of files that are kept in @p files, borrowed; before the first
 * round. */
void ctd_namer_keep_lines(struct ctd_namer *namer, struct ctd_line_files *files);
/* Separate files of debugging information may be below the host's root directory, too. NULL: ours.
 */
void ctd_namer_see_host(struct ctd_namer *namer, const char *root);
/* NULL, as at first: all matter alike. */
void ctd_namer_prefer(struct ctd_namer *namer, ctd_rank_name *rank, void *context);

/*
 * The steps of a round, in this order, as often as there are samples:
 *
 *   learn    reads what new processes of the samples have mapped, before they end: some 0.1 ms each
 *   work     reads files, those with most samples first, and maps of JITs, those opened first
 *   name     by ctd_stacks_add_samples(); while the namer is behind samples may be held instead, to
 *            be learned and named with those of the next round: then names are not lost
 *   end round says that no samples are held
 */

/* @return 0 or -ENOMEM. */
int ctd_namer_learn(struct ctd_namer *namer, const struct ctd_samples *samples);
/* Until the monotonic clock shows @p until_ns, or there is nothing to do; one file or map may take
 * longer. @return 1 (there is more to do), 0 or -ENOMEM. */
int ctd_namer_work(struct ctd_namer *namer, uint64_t until_ns);
/* Do samples lack names that are to be had? */
bool ctd_namer_is_behind(const struct ctd_namer *namer);
/* The context is the namer. */
ctd_name_frame ctd_namer_name;
void ctd_namer_end_round(struct ctd_namer *namer);

/* Reads the processes of requests at once, those that somebody asked for first: they may end soon.
 * @return 0 or -ENOMEM. */
int ctd_namer_requests(struct ctd_namer *namer, const struct ctd_unwind_request *requests,
		       size_t count);
/* What is known of a process; borrowed until the next round. NULL: nothing. */
const struct ctd_known_process *ctd_namer_process(const struct ctd_namer *namer,
						  uint64_t incarnation);
/* The files that were mapped, by the numbers that mappings have; borrowed. */
struct ctd_executables *ctd_namer_executables(const struct ctd_namer *namer);

/* Totals, but for what there is now. */
struct ctd_namer_health {
	struct ctd_executables_health executables;
	uint64_t processes; /* now */
	uint64_t processes_read, processes_read_again;
	uint64_t processes_gone; /* ended before they could be read */
	uint64_t processes_refused; /* times: too many at once, or without room */
	uint64_t processes_bytes; /* now: mappings and maps of JITs */
	uint64_t maps_evicted, maps_refused; /* of JITs; refused at each reading */
};
void ctd_namer_health(const struct ctd_namer *namer, struct ctd_namer_health *ret_health);

#endif
