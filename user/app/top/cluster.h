/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cluster.h - intervals of several machines at once for the screen, as of one. */
#ifndef APP_TOP_CLUSTER_H
#define APP_TOP_CLUSTER_H

#include <stdbool.h>

#include "app/options/options.h"
#include "top/history.h"

struct ctd_top_cluster;

/* Asks each --url, or what --url-command tells, from here on. @p wake_fd: as of a feed. Logs.
 * @return 0 or negative errno; *ret_cluster is to be ended in any case. */
int ctd_top_cluster_begin(const struct ctd_options *options, struct ctd_top_history *history,
			  int wake_fd, struct ctd_top_cluster **ret_cluster);
/* As the program is about to end. NULL is fine. @return true: it had failed. */
bool ctd_top_cluster_end(struct ctd_top_cluster *cluster);

#endif
