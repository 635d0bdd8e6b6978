/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_tag_json.c - a tag in JSON has what is known, and leaves out the rest. */
#include "format/tag_json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_tag_is_written_with_what_is_known(void **state)
{
	const struct ctd_neighbour_names victim = {.key = "v", .pod = "p\x1b"},
					 other = {.key = "o"};
	const struct ctd_neighbour_series series = {
		.count = 2, .excess = {-.12346F, NAN}, .pressure = {12346000000.0F, 0}};
	struct ctd_neighbour_tag tag = {
		.victim = &victim,
		.mechanism = CTD_MECHANISM_RUN_QUEUE,
		.antagonists = {{&other, .75}},
		.antagonists_count = 1,
		.loss_cpus = .125,
		.confidence = 1,
		.since_ns = 1500000000,
		.evidence = {{"slowed_ratio", .5}},
		.evidence_count = 1,
		.series = &series,
	};
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_json json = {.out = &out};

	(void)state;
	ctd_tag_add_json(&json, &tag, 2000000000, CTD_TAG_EVIDENCE);
	assert_string_equal(
		out.text,
		"{\"time\":\"1970-01-01T00:00:02.000Z\",\"victim\":{\"key\":\"v\",\"pod\":\"p\\u001B\"},\"mechanism\":\"run_queue\",\"blame\":\"neighbour\",\"antagonists\":[{\"key\":\"o\",\"share\":0.75}],\"loss_cpus\":0.125,\"confidence\":1.0,\"since\":\"1970-01-01T00:00:01.500Z\",\"evidence\":{\"slowed_ratio\":0.5}}");
	/* What it shares with who presses on it, where that is known. */
	ctd_strbuf_free(&out);
	json = (struct ctd_json){.out = &out};
	tag.scope = CTD_SCOPE_CACHE;
	ctd_tag_add_json(&json, &tag, 2000000000, CTD_TAG_EVIDENCE);
	assert_non_null(strstr(out.text, "\"share\":0.75}],\"shared\":\"cache\",\"loss_cpus\""));
	tag.scope = CTD_SCOPE_UNKNOWN;
	/* Only where it is asked for. */
	ctd_strbuf_free(&out);
	json = (struct ctd_json){.out = &out};
	ctd_tag_add_json(&json, &tag, 2000000000, CTD_TAG_SERIES);
	assert_non_null(strstr(
		out.text,
		"\"evidence\":{\"slowed_ratio\":0.5},\"series\":{\"excess\":[-0.1235,null],\"pressure\":[1.235e10,0.0]}}"));
	/* One that has ended has the numbers of before no more. */
	ctd_strbuf_free(&out);
	json = (struct ctd_json){.out = &out};
	ctd_tag_add_json(&json, &tag, 2000000000, CTD_TAG_ENDED);
	assert_non_null(strstr(out.text, "\"since\":\"1970-01-01T00:00:01.500Z\",\"ended\":true}"));
}

static void a_limit_above_is_named_by_its_cgroup(void **state)
{
	const struct ctd_neighbour_names victim = {.key = "v", .cgroup = "/pod/container"};
	const struct ctd_neighbour_tag tag = {.victim = &victim,
					      .mechanism = CTD_MECHANISM_THROTTLING,
					      .blame = CTD_BLAME_SELF,
					      .limit_bytes = 4};
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_json json = {.out = &out};

	(void)state;
	ctd_tag_add_json(&json, &tag, 2000000000, CTD_TAG_EVIDENCE);
	assert_non_null(
		strstr(out.text, "\"antagonists\":[],\"limit_cgroup\":\"/pod\",\"loss_cpus\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tag_is_written_with_what_is_known),
		cmocka_unit_test(a_limit_above_is_named_by_its_cgroup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
