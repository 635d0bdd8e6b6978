/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_remote_tags.c - no answer of a server breaks the reader of tags, and what it lets through
 * can be shown. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "app/neighbours/neighbours.h"
#include "format/tag_json.h"
#include "remote/tags.h"

#define SHOWN_MAX 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(const struct ctd_neighbour_tag *tag)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_json json = {.out = &out};

	assert(tag->victim && tag->victim->key);
	assert(tag->mechanism < CTD_MECHANISMS && tag->blame < CTD_BLAMES);
	assert(isfinite(tag->loss_cpus) && tag->confidence >= 0 && tag->confidence <= 1);
	ctd_tag_add_json(&json, tag, 0, CTD_TAG_SERIES);
}

/* The first ones, each by the key of its victim. */
static void show(const struct ctd_neighbour_verdicts *verdicts)
{
	const struct ctd_tags_style style = {.unicode = true};
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	ctd_tags_table(&out, verdicts, &style);
	for (size_t i = 0; i < verdicts->tags_count && i < SHOWN_MAX; i++) {
		assert(ctd_tags_explain(&out, verdicts, verdicts->tags[i].victim->key, &style));
		ctd_tags_add_ended(&out, &verdicts->tags[i], &style);
	}
	for (size_t i = 0; i < out.bytes; i++)
		assert((unsigned char)out.text[i] >= ' ' || out.text[i] == '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_tags tags;

	if (ctd_remote_tags_parse((const char *)data, bytes, &tags, why)) {
		assert(*why && memchr(why, '\0', sizeof(why)));
		return 0;
	}
	for (size_t i = 0; i < tags.verdicts.tags_count; i++)
		check(&tags.verdicts.tags[i]);
	show(&tags.verdicts);
	ctd_neighbour_verdicts_release(ctd_neighbour_verdicts_copy(&tags.verdicts));
	ctd_remote_tags_free(&tags);
	return 0;
}
