/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.h - where the names of cgroups are asked for: files of the host, and a kubelet. */
#ifndef COLLECT_NAMES_H
#define COLLECT_NAMES_H

#include <cgtopdown/collect.h>

#include "identity/kubelet/kubelet.h"
#include "identity/lookup/resolve.h"

struct ctd_name_search {
	struct ctd_resolver *resolver; /* owned; NULL: there are no names */
	struct ctd_kubelet *kubelet; /* owned; NULL: none is asked */
};

/* Names are worth having, not more: a failure is a warning, and measuring goes on without. */
void ctd_name_search_start(struct ctd_name_search *search, const struct ctd_name_options *from);
/* Waits for the threads. */
void ctd_name_search_stop(struct ctd_name_search *search);
/* Asks for the names of a cgroup that came; without a resolver there are none. */
void ctd_name_search_ask(struct ctd_name_search *search, struct ctd_identities *identities,
			 uint64_t cgroup_id);
void ctd_name_search_count(struct ctd_name_search *search, struct ctd_name_counts *ret_counts);

#endif
