/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* waits.h - arithmetic of waits for a CPU, which every stage adds up. */
#ifndef CGTOPDOWN_WAITS_H
#define CGTOPDOWN_WAITS_H

#include <cgtopdown/waits_abi.h>
#include <stdbool.h>
#include <stdint.h>

/* Where these are among the CTD_WAITS_FIGURES; first come the causes. */
#define CTD_WAITS_PREEMPTED_BY_OTHER (CTD_WAIT_CAUSES + 1)
#define CTD_WAITS_PREEMPTED_OTHERS (CTD_WAIT_CAUSES + 2)

/* Any of the CTD_WAITS_FIGURES, in their order in the struct. */
uint64_t ctd_waits_get(const struct ctd_waits *waits, int figure);
void ctd_waits_set(struct ctd_waits *waits, int figure, uint64_t value);
void ctd_waits_add(struct ctd_waits *to, const struct ctd_waits *from);
/* @return false if a total shrank: then the difference means nothing. */
bool ctd_waits_subtract(const struct ctd_waits *after, const struct ctd_waits *before,
			struct ctd_waits *ret_waits);
/* All that was waited, and how often. */
uint64_t ctd_waits_ns(const struct ctd_waits *waits);
uint64_t ctd_waits_count(const struct ctd_waits *waits);
/* Did anything happen? */
bool ctd_waits_any(const struct ctd_waits *waits);

/* "own", "other", ... "short": the spelling of every sink. */
const char *ctd_wait_cause_name(enum ctd_wait_cause cause);
/* What a bucket's waits are shorter than; 0: the last one, without a limit. */
uint64_t ctd_wait_bucket_ns(int bucket);

#endif
