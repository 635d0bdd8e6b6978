/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_podlist.c - no answer of a kubelet breaks the parser; what is in the list can be found. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "identity/kubelet/podlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check_found(const struct ctd_podlist *list, const char *container_id, const char *uid,
			int wanted)
{
	struct ctd_names names;
	enum ctd_qos qos;

	assert(ctd_podlist_find(list, container_id, uid, &names, &qos) == wanted);
	ctd_names_free(&names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const char *const patterns[] = {"app*", "pod-template-hash"};
	static const struct ctd_podlist_labels wanted = {patterns, 2};
	char why[CTD_PODLIST_WHY_BYTES] = "";
	struct ctd_podlist list;

	if (ctd_podlist_parse((const char *)data, bytes, &wanted, &list, why)) {
		assert(*why && memchr(why, '\0', sizeof(why)));
		return 0;
	}
	for (size_t i = 0; i < list.pods_count; i++) {
		assert(i == 0 || strcmp(list.pods[i - 1]->uid, list.pods[i]->uid) <= 0);
		check_found(&list, "", list.pods[i]->uid, 0);
	}
	for (size_t i = 0; i < list.containers_count; i++)
		check_found(&list, list.containers[i].id, "", 0);
	ctd_podlist_free(&list);
	return 0;
}
