/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_otlp_answer.c - whatever a receiver answers, what is read of it is one line that prints. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "serve/push/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	for (int kind = 0; kind < 4; kind++) {
		struct ctd_push_answer answer;

		memset(&answer, 0xa5, sizeof(answer));
		ctd_push_answer_read((const char *)data, bytes, kind & 1, kind & 2, &answer);
		assert(memchr(answer.text, '\0', sizeof(answer.text)));
		for (const char *at = answer.text; *at; at++)
			assert(*at >= ' ' && *at < 0x7f);
		assert(answer.rejected_points <= INT64_MAX);
		assert((kind & 1) || !answer.rejected_points);
	}
	return 0;
}
