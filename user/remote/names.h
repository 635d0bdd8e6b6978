/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.h - the identity of a row of a view. Private to user/remote/. */
#ifndef REMOTE_NAMES_H
#define REMOTE_NAMES_H

#include <cgtopdown/identity.h>

#include "base/idmap.h"
#include "remote/view.h"

/* Adds the row's cgroup under an id that is made up, the same for all rows of that cgroup. @p ids:
 * those that there are of its machine, @p node; NULL: there is one. @return 0 or -ENOMEM. */
int ctd_remote_name(struct ctd_identities *identities, const char *node, struct ctd_idmap *ids,
		    const struct ctd_remote_row *row, uint64_t *ret_id);

#endif
