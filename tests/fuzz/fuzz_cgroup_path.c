/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_cgroup_path.c - whatever the path, the identity is whole and its parts fit each other. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cgtopdown/identity.h>

#include "base/auto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(const char *path, const struct ctd_identity *identity)
{
	size_t id_bytes = strnlen(identity->container_id, sizeof(identity->container_id));
	size_t uid_bytes = strnlen(identity->pod_uid, sizeof(identity->pod_uid));

	assert(id_bytes == (identity->runtime ? 64 : 0));
	assert(strstr(path, identity->container_id));
	assert(uid_bytes == 0 || uid_bytes == 32 || uid_bytes == 36);
	assert((identity->qos == CTD_QOS_UNKNOWN) == !uid_bytes);
	assert((identity->kind == CTD_IS_CONTAINER) == !!id_bytes);
	assert((identity->kind == CTD_IS_POD) == (uid_bytes && !id_bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *path = malloc(bytes + 1);
	struct ctd_identity identity;

	if (!path)
		return 0;
	memcpy(path, data, bytes);
	path[bytes] = '\0';
	memset(&identity, 0xa5, sizeof(identity));
	ctd_identity_parse(path, &identity);
	check(path, &identity);
	return 0;
}
