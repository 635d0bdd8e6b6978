/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* facts.c - what of an identity is true for all that a row adds up. */
#include "format/format.h"

static const char *known(const char *text)
{
	return text && text[0] ? text : NULL;
}

void ctd_row_facts(enum ctd_rollup_kind kind, const struct ctd_identity *identity,
		   struct ctd_row_facts *ret_facts)
{
	struct ctd_row_facts facts = {0};
	bool pod = kind == CTD_ROLLUP_POD;

	*ret_facts = facts;
	if (!identity)
		return;
	facts.namespace_name = known(identity->names.namespace_name);
	if (kind == CTD_ROLLUP_NAMESPACE) {
		*ret_facts = facts;
		return;
	}
	facts.owner_kind = known(identity->names.owner_kind);
	facts.owner = known(identity->names.owner_name);
	if (kind == CTD_ROLLUP_OWNER) {
		*ret_facts = facts;
		return;
	}
	facts.pod = known(identity->names.pod_name);
	facts.pod_uid = known(identity->pod_uid);
	facts.qos = ctd_qos_name(identity->qos);
	/* A pod whose own cgroup is not known is described by one of its containers. */
	if (!pod || !identity->container_id[0])
		facts.cgroup = identity->path;
	if (!pod) {
		facts.container = known(identity->names.container_name);
		facts.container_id = known(identity->container_id);
		facts.runtime = identity->runtime;
		facts.image = known(identity->names.image);
	}
	*ret_facts = facts;
}
