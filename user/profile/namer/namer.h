/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* namer.h - names the frames of samples: of the kernel, of files, of what JITs made. */
#ifndef PROFILE_NAMER_NAMER_H
#define PROFILE_NAMER_NAMER_H

#include <cgtopdown/profile_abi.h>
#include <cgtopdown/stacks.h>

struct ctd_namer;
struct ctd_executables; /* profile/executable/executables.h */

/* *ret_namer: ctd_namer_free(). @return 0 or -ENOMEM. */
int ctd_namer_new(struct ctd_namer **ret_namer);
void ctd_namer_free(struct ctd_namer *namer);
/* Reads what processes of @p samples that are new have mapped, before they end. @return 0 or
 * -ENOMEM. */
int ctd_namer_learn(struct ctd_namer *namer, const struct ctd_samples *samples);
/* What a process has mapped, which is read if it is new; borrowed until another one is asked for.
 * None where it is gone. @return 0 or -ENOMEM. */
int ctd_namer_mappings(struct ctd_namer *namer, uint32_t tgid, uint64_t incarnation,
		       const struct ctd_mapping **ret_mappings, size_t *ret_count);
/* The files that were mapped, by the numbers that mappings have; borrowed. */
const struct ctd_executables *ctd_namer_executables(const struct ctd_namer *namer);
/* The context is the namer. */
ctd_name_frame ctd_namer_name;

#endif
