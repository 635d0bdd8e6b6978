/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* who_json.c - what an account belongs to, as members of a JSON object: docs/api.md says what each
 * is. */
#include <stdlib.h>

#include "base/json.h"
#include "base/known.h"
#include "ledger/ledger.h"

static void add_labels(struct ctd_json *json, const struct ctd_account_who *who)
{
	if (!who->labels_count)
		return;
	ctd_json_begin_object(json, "labels");
	for (size_t i = 0; i < who->labels_count; i++) {
		ctd_json_name(json, who->labels[i].name);
		ctd_json_string(json, NULL, who->labels[i].value);
	}
	ctd_json_end_object(json);
}

char *ctd_who_json(const struct ctd_account_who *who, size_t *ret_bytes)
{
	struct ctd_strbuf text = {0};
	struct ctd_json json = {.out = &text};
	char *kept = NULL;

	ctd_json_string(&json, "key", who->key_text);
	ctd_json_string(&json, "kind", ctd_account_kind_name(who->kind));
	ctd_json_string(&json, "cgroup", ctd_known(*who->cgroup ? who->cgroup : who->path));
	ctd_json_string(&json, "namespace", ctd_known(who->namespace_name));
	ctd_json_string(&json, "pod", ctd_known(who->pod));
	ctd_json_string(&json, "pod_uid", ctd_known(who->pod_uid));
	ctd_json_string(&json, "qos", ctd_known(who->qos));
	ctd_json_string(&json, "container", ctd_known(who->container));
	ctd_json_string(&json, "container_id", ctd_known(who->container_id));
	ctd_json_string(&json, "runtime", ctd_known(who->runtime));
	ctd_json_string(&json, "image", ctd_known(who->image));
	/* Only the kubelet tells, and not of every pod. */
	if (*who->owner_kind && *who->owner_name) {
		ctd_json_string(&json, "owner_kind", who->owner_kind);
		ctd_json_string(&json, "owner", who->owner_name);
	}
	add_labels(&json, who);
	if (!text.failed) {
		*ret_bytes = text.bytes;
		/* It is kept as long as the account: without the room to grow. */
		kept = realloc(text.text, text.bytes + 1);
	}
	if (!kept)
		ctd_strbuf_free(&text);
	return kept;
}
