/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_log_name.c - whatever the name of a log, its parts lie within it and are not empty. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "identity/lookup/logs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(const char *name, struct ctd_component part)
{
	assert(part.bytes > 0);
	assert(part.text >= name && part.text + part.bytes <= name + strlen(name));
	assert(!memchr(part.text, '_', part.bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *name = malloc(bytes + 1);
	struct ctd_log_name parts;

	if (!name)
		return 0;
	memcpy(name, data, bytes);
	name[bytes] = '\0';
	if (ctd_log_link_parse(name, &parts)) {
		check(name, parts.pod_name);
		check(name, parts.namespace_name);
		check(name, parts.container_name);
		assert(parts.container_id.bytes == CTD_CONTAINER_ID_CHARS);
		check(name, parts.container_id);
	}
	if (ctd_log_directory_parse(name, &parts)) {
		check(name, parts.namespace_name);
		check(name, parts.pod_name);
		check(name, parts.pod_uid);
	}
	return 0;
}
