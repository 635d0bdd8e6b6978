/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.c - lets the collector's cgroups have names. */
#include "app/collector.h"

void ctd_collector_ask_names(struct ctd_collector *collector, uint64_t cgroup_id)
{
	const struct ctd_identity *identity = ctd_identities_get(collector->identities, cgroup_id);

	if (!identity || identity->names_settled)
		return;
	/* Who cannot be asked for, is not waited for. */
	if (!collector->resolver || ctd_resolver_ask(collector->resolver, identity))
		ctd_identities_set_names(collector->identities, cgroup_id, NULL, CTD_QOS_UNKNOWN,
					 true);
}

void ctd_collector_take_names(struct ctd_collector *collector)
{
	if (collector->resolver)
		ctd_resolver_apply(collector->resolver, collector->identities, NULL, NULL);
}
