/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collect.h - a measurement as the command line asks for it. */
#ifndef APP_COLLECT_H
#define APP_COLLECT_H

#include <cgtopdown/collect.h>

#include "app/options/options.h"
#include "app/privileges.h"
#include "app/sandbox/sandbox.h"

/* What a command may still do once it is set up. */
struct ctd_confinement {
	struct ctd_sandbox sandbox; /* owned */
	enum ctd_privileges privileges;
};

/*
 * Makes a collector as the options ask for, and starts it; its threads are confined from their
 * beginning. @p ret_collector is set as soon as there is something to free, also where starting
 * fails. @p sampler: stacks are sampled, too; borrowed; NULL: they are not. @p rotations: groups
 * to be counted instead of a source's, of serve beside them; borrowed; NULL: none.
 * @p ret_confinement is set in any case, and stays there as long as the collector. Logs.
 * @return 0 or negative errno.
 */
int ctd_collect_start(const struct ctd_options *options, const struct ctd_sampler_options *sampler,
		      const struct ctd_rotations *rotations,
		      struct ctd_confinement *ret_confinement,
		      struct ctd_collector **ret_collector);
/* Confines this thread, and those that it starts from here on, as what set-up takes is done. */
void ctd_collect_confine(struct ctd_confinement *confinement);
/* Detaches and frees it, in a process that is about to exit with @p status: see
 * ctd_exit_watchdog_start(). */
void ctd_collect_end(struct ctd_collector *collector, struct ctd_confinement *confinement,
		     int status);

#endif
