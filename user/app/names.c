/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.c - lets the collector's cgroups have names, which recordings keep. */
#include "app/collector.h"

#include <errno.h>

#include "identity/pairs.h"

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

int ctd_collector_record_facts(struct ctd_collector *collector, const struct ctd_identity *identity)
{
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_record_facts facts = {.cgroup_id = identity->cgroup_id};

	if (!collector->writer)
		return 0;
	ctd_names_to_pairs(&identity->names, &pairs);
	if (pairs.failed)
		return -ENOMEM;
	/* Labels beyond all measure are not worth a recording. */
	if (!pairs.bytes || pairs.bytes > CTD_RECORD_FACTS_BYTES_MAX)
		return 0;
	facts.pairs = pairs.text;
	facts.bytes = pairs.bytes;
	return ctd_record_write_facts(collector->writer, &facts);
}

/* The writer remembers what failed, and the next snapshot says so. */
static void take_names(const struct ctd_identity *identity, void *context)
{
	ctd_collector_record_facts(context, identity);
}

void ctd_collector_take_names(struct ctd_collector *collector)
{
	if (collector->resolver)
		ctd_resolver_apply(collector->resolver, collector->identities, take_names,
				   collector);
}
