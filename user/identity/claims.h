/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* claims.h - which place in the hierarchy has a container's id: one, whatever else is called so. */
#ifndef IDENTITY_CLAIMS_H
#define IDENTITY_CLAIMS_H

#include <cgtopdown/identity.h>

#include "base/idmap.h"

struct ctd_claim {
	struct ctd_claim *next; /* of the same hash */
	char container_id[65];
	char *place; /* owned; the container's own cgroup */
	int rank; /* how good the best evidence for it is */
	size_t cgroups, live; /* that hold it: the container's, and those below; not removed */
};

/* By hash of the container id. */
struct ctd_claims {
	struct ctd_idmap by_id; /* owned struct ctd_claim */
};

void ctd_claims_free(struct ctd_claims *claims);
/*
 * Gives the identity the claim on its id: a new one, that of its place, or one whose place is gone.
 * @return 0; -EEXIST: *ret_rival has it, with better evidence or sooner; -EBUSY: *ret_rival has it,
 * with less evidence; -ENOMEM.
 */
int ctd_claims_take(struct ctd_claims *claims, struct ctd_identity *identity,
		    struct ctd_claim **ret_rival);
void ctd_claims_leave(struct ctd_claims *claims, struct ctd_identity *identity);
/* More may be known of it than before. */
void ctd_claims_rank(struct ctd_identity *identity);

#endif
