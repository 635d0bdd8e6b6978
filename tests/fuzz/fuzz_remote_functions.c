/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_remote_functions.c - no answer of a server breaks the reader of profiles, and what it lets
 * through can be shown. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "remote/functions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(const struct ctd_remote_functions *functions,
		  const struct ctd_remote_function *function)
{
	assert(function->name && function->file);
	assert(function->share >= 0 && function->share <= 1);
	assert(function->cpus >= 0);
	for (int i = 0; i < functions->nodes_count; i++)
		assert(functions->nodes[i] &&
		       (isnan(function->nodes[i]) ||
			(function->nodes[i] >= 0 && function->nodes[i] <= 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_functions functions;

	if (ctd_remote_functions_parse((const char *)data, bytes, &functions, why)) {
		assert(*why && memchr(why, '\0', sizeof(why)));
		return 0;
	}
	assert(functions.items_count >= 0 && functions.items_count <= CTD_REMOTE_FUNCTIONS_MAX);
	assert(functions.nodes_count >= 0 && functions.nodes_count <= CTD_NODES_MAX);
	assert(functions.others_share >= 0 && functions.others_share <= 1);
	for (int i = 0; i < functions.items_count; i++)
		check(&functions, &functions.items[i]);
	ctd_remote_functions_free(&functions);
	return 0;
}
