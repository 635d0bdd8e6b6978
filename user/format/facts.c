/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* facts.c - what of an identity is true for all that a row adds up. */
#include "base/known.h"
#include "format/format.h"

void ctd_row_facts(enum ctd_rollup_kind kind, const struct ctd_identity *identity,
		   struct ctd_row_facts *ret_facts)
{
	struct ctd_row_facts facts = {0};
	bool pod = kind == CTD_ROLLUP_POD;

	*ret_facts = facts;
	if (!identity)
		return;
	if (kind == CTD_ROLLUP_NODE) {
		ret_facts->node = ctd_known(identity->node);
		return;
	}
	facts.namespace_name = ctd_known(identity->names.namespace_name);
	if (kind == CTD_ROLLUP_NAMESPACE) {
		*ret_facts = facts;
		return;
	}
	facts.owner_kind = ctd_known(identity->names.owner_kind);
	facts.owner = ctd_known(identity->names.owner_name);
	if (kind == CTD_ROLLUP_OWNER) {
		*ret_facts = facts;
		return;
	}
	facts.node = ctd_known(identity->node);
	facts.pod = ctd_known(identity->names.pod_name);
	facts.pod_uid = ctd_known(identity->pod_uid);
	facts.qos = ctd_qos_name(identity->qos);
	/* A pod whose own cgroup is not known is described by one of its containers. */
	if (!pod || !identity->container_id[0])
		facts.cgroup = identity->path;
	if (!pod) {
		facts.container = ctd_known(identity->names.container_name);
		facts.container_id = ctd_known(identity->container_id);
		facts.runtime = identity->runtime;
		facts.image = ctd_known(identity->names.image);
	}
	*ret_facts = facts;
}
