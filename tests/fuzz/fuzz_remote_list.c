/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_remote_list.c - nothing that a command writes breaks the reader of lists of machines. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "remote/list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* In two pieces, of which the first byte says where the second one begins. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctd_remote_list_reader reader = {0};
	size_t first = bytes > 1 ? data[0] % bytes : 0;
	const char *text = (const char *)data + (bytes > 0);

	bytes -= bytes > 0;
	for (int piece = 0; piece < 2; piece++) {
		char why[CTD_REMOTE_WHY_BYTES] = "";
		struct ctd_remote_list list;
		int result = ctd_remote_list_take(&reader, piece ? text + first : text,
						  piece ? bytes - first : first, &list, why);

		assert(result >= 0 || *why);
		if (result != 1)
			continue;
		for (size_t i = 0; i < list.count; i++) {
			assert(*list.items[i].name);
			assert(!list.items[i].url != !list.items[i].why);
		}
		ctd_remote_list_free(&list);
	}
	ctd_remote_list_reader_free(&reader);
	return 0;
}
