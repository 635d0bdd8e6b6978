/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pod.c - reads a pod's uid and quality of service from the names that the kubelet gives cgroups. */
#include "identity/path/pod.h"

#include <string.h>

#include "identity/path/component.h"

/* A uid as the API server makes it, 8-4-4-4-12 hex; a slice's name has '_' in place of '-'. */
static bool copy_uuid(struct ctd_component text, char ret_uid[37])
{
	static const unsigned char group_digits[] = {8, 4, 4, 4, 12};
	char uid[37] = "";
	size_t at = 0;

	if (text.bytes != sizeof(uid) - 1)
		return false;
	for (size_t i = 0; i < sizeof(group_digits); i++) {
		struct ctd_component group = {text.text + at, group_digits[i]};

		if (!ctd_component_is_hex(group, group.bytes))
			return false;
		memcpy(uid + at, group.text, group.bytes);
		at += group.bytes;
		if (at == text.bytes)
			break;
		if (text.text[at] != '-' && text.text[at] != '_')
			return false;
		uid[at++] = '-';
	}
	memcpy(ret_uid, uid, sizeof(uid));
	return true;
}

/* "pod<uid>"; a static pod's uid is the hash of its file, 32 hex. */
static bool copy_uid(struct ctd_component component, char ret_uid[37])
{
	struct ctd_component uid;

	if (!ctd_component_cut(component, "pod", "", &uid))
		return false;
	if (!ctd_component_is_hex(uid, 32))
		return copy_uuid(uid, ret_uid);
	memcpy(ret_uid, uid.text, uid.bytes);
	ret_uid[uid.bytes] = '\0';
	return true;
}

/* Guaranteed pods have no level of their own: they lie beside the levels of the other two. */
static enum ctd_qos qos_of(struct ctd_component level)
{
	struct ctd_component rest;

	if (ctd_component_cut(level, "", "burstable", &rest))
		return CTD_QOS_BURSTABLE;
	if (ctd_component_cut(level, "", "besteffort", &rest))
		return CTD_QOS_BESTEFFORT;
	return CTD_QOS_GUARANTEED;
}

/* systemd: "<any>-<level>-pod<uid>.slice", perhaps with ":<unit>:<id>" behind it. */
static bool parse_slice(struct ctd_component component, struct ctd_pod *ret_pod)
{
	const char *colon = memchr(component.text, ':', component.bytes);
	struct ctd_component name, last;
	const char *dash;

	if (colon)
		component.bytes = (size_t)(colon - component.text);
	if (!ctd_component_cut(component, "", ".slice", &name))
		return false;
	dash = memrchr(name.text, '-', name.bytes);
	if (!dash)
		return false;
	last = (struct ctd_component){dash + 1, (size_t)(name.text + name.bytes - dash - 1)};
	if (!copy_uid(last, ret_pod->uid))
		return false;
	name.bytes = (size_t)(dash - name.text);
	ret_pod->qos = qos_of(name);
	return true;
}

bool ctd_pod_parse(struct ctd_component component, const struct ctd_component *parent,
		   struct ctd_pod *ret_pod)
{
	if (parse_slice(component, ret_pod))
		return true;
	if (!copy_uid(component, ret_pod->uid))
		return false;
	/* Only the level right above: a pod inside a kind node inside a pod has its own. */
	ret_pod->qos = parent ? qos_of(*parent) : CTD_QOS_GUARANTEED;
	return true;
}

const char *ctd_qos_name(enum ctd_qos qos)
{
	switch (qos) {
	case CTD_QOS_GUARANTEED:
		return "Guaranteed";
	case CTD_QOS_BURSTABLE:
		return "Burstable";
	case CTD_QOS_BESTEFFORT:
		return "BestEffort";
	case CTD_QOS_UNKNOWN:
		break;
	}
	return NULL;
}
