/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_history.c - no file of a history makes its reader crash, and what it takes can be added up. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "history/coarsen.h"
#include "history/parts.h"
#include "sealed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void read_segment(const uint8_t *data, size_t bytes)
{
	const struct ctd_strbuf segment = {.text = (char *)data, .bytes = bytes};
	struct ctd_segment_writer writer = {0};
	struct ctd_segment_damage damage;
	struct ctd_record_header header;
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	uint64_t begin_ns, end_ns;
	int error = ctd_coarsen(&segment, 10000000000ull, &writer, &header, &out, &damage);

	assert(!error || (error == -EBADMSG && *damage.why));
	ctd_segment_end(&writer);
	assert(ctd_segment_span(data, bytes, &begin_ns, &end_ns, &damage) == error);
	/* What was written of it is whole. */
	if (!error)
		assert(!ctd_segment_span(out.text, out.bytes, &begin_ns, &end_ns, &damage) &&
		       !*damage.why);
}

static void read_name(const uint8_t *data, size_t bytes)
{
	autofree char *name = strndup((const char *)data, bytes);
	char again[CTD_PART_NAME_BYTES];
	struct ctd_part part;

	if (!name || !ctd_part_parse(name, &part))
		return;
	ctd_part_name(&part, again);
	assert(strcmp(name, again) == 0 && part.first <= part.last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	read_name(data, bytes);
	read_sealed_too(data, bytes, read_segment);
	return 0;
}
