/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_cpu_list.c - no text makes the number parsers crash or break their promises. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/num.h"

#define CPUS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check_cpu_list(const char *text, size_t bytes)
{
	bool set[CPUS + 1] = {false};

	set[CPUS] = true;
	ctd_parse_cpu_list(text, bytes, set, CPUS);
	assert(set[CPUS]); /* not ours to write */
}

static void check_numbers(const char *text)
{
	uint64_t ns = 0;
	long long integer = 0;

	if (!ctd_parse_duration_ns(text, 1000, 1000000000, &ns))
		assert(ns >= 1000 && ns <= 1000000000);
	ctd_parse_duration_ns(text, 0, UINT64_MAX, &ns);
	if (!ctd_parse_integer(text, -1000, 1000, &integer))
		assert(integer >= -1000 && integer <= 1000 && integer == atoll(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	autofree char *text = malloc(bytes + 1);

	if (!text)
		return 0;
	check_cpu_list((const char *)data, bytes);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	check_numbers(text);
	return 0;
}
