/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_event_answer.c - whatever an API server answers, what is read of it is one line that prints.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "serve/events/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctd_push_answer answer;

	memset(&answer, 0xa5, sizeof(answer));
	ctd_k8s_event_answer_read((const char *)data, bytes, &answer);
	assert(memchr(answer.text, '\0', sizeof(answer.text)));
	for (const char *at = answer.text; *at; at++)
		assert(*at >= ' ' && *at < 0x7f);
	return 0;
}
