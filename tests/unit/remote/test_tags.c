/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_tags.c - tags of a serve are read as they were written, and what is no tag is left out. */
#include "remote/tags.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "format/tag_json.h"

static int parse(const char *text, struct ctd_remote_tags *ret_tags)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	int error = ctd_remote_tags_parse(text, strlen(text), ret_tags, why);

	assert_int_equal(!error, !*why);
	return error;
}

static void what_is_written_is_read(void **state)
{
	static const char tag[] =
		"{\"time\":\"2026-08-30T12:00:01.250Z\",\"victim\":{\"key\":\"v\",\"namespace\":\"n\",\"pod\":\"p\",\"container\":\"c\",\"container_id\":\"11\",\"cgroup\":\"/x\"},\"mechanism\":\"memory\",\"blame\":\"neighbour\",\"antagonists\":[{\"key\":\"o\",\"share\":0.75},{\"key\":\"q\",\"share\":0.25}],\"shared\":\"node\",\"loss_cpus\":0.125,\"loss_slots\":4711.0,\"confidence\":0.5,\"since\":\"2026-08-30T11:00:00.007Z\",\"evidence\":{\"lost_ratio\":0.5,\"share\":1.0},\"series\":{\"excess\":[-0.25,null,0.5],\"pressure\":[1e6,0.0,2.5e10]}}";
	auto_ctd_strbuf struct ctd_strbuf text = {0}, again = {0};
	struct ctd_json json = {.out = &again};
	struct ctd_remote_tags tags;

	(void)state;
	ctd_strbuf_addf(
		&text,
		"{\"sample_period_s\":0.5,\"time\":\"2026-08-30T12:00:01.250Z\",\"containers\":7,\"learning\":3,\"caches\":8,\"nodes\":2,\"tags\":[%s]}",
		tag);
	assert_int_equal(parse(text.text, &tags), 0);
	assert_true(tags.judged);
	assert_int_equal(tags.sample_period_ns, 500000000);
	assert_int_equal(tags.verdicts.status.subjects, 7);
	assert_int_equal(tags.verdicts.status.learning, 3);
	assert_int_equal(tags.verdicts.status.caches, 8);
	assert_int_equal(tags.verdicts.status.nodes, 2);
	assert_int_equal(tags.verdicts.tags_count, 1);
	ctd_tag_add_json(&json, &tags.verdicts.tags[0], tags.verdicts.time_ns, CTD_TAG_SERIES);
	ctd_strbuf_add_bytes(&again, "", 1);
	assert_string_equal(again.text, tag);
	ctd_remote_tags_free(&tags);
}

static void what_is_no_tag_is_left_out(void **state)
{
	static const char *const elements[] = {
		"5", "{}", "{\"victim\":{},\"mechanism\":\"memory\",\"blame\":\"self\"}",
		"{\"victim\":{\"key\":\"v\"},\"mechanism\":\"magic\",\"blame\":\"self\"}",
		"{\"victim\":{\"key\":\"v\"},\"mechanism\":\"memory\",\"blame\":\"me\"}"};

	(void)state;
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		struct ctd_remote_tags tags;

		ctd_strbuf_addf(
			&text,
			"{\"time\":\"2026-08-30T12:00:01.250Z\",\"tags\":[%s,{\"victim\":{\"key\":\"w\"},\"mechanism\":\"smt\",\"blame\":\"self\",\"loss_cpus\":-1,\"confidence\":7,\"evidence\":{\"\\u001b[31m\":1,\"fine\":2,\"text\":\"x\"}}]}",
			elements[i]);
		assert_int_equal(parse(text.text, &tags), 0);
		assert_int_equal(tags.verdicts.tags_count, 1);
		assert_string_equal(tags.verdicts.tags[0].victim->key, "w");
		assert_true(tags.verdicts.tags[0].loss_cpus >= 0);
		assert_true(tags.verdicts.tags[0].confidence <= 1);
		/* Its name is shown. */
		assert_int_equal(tags.verdicts.tags[0].evidence_count, 1);
		assert_string_equal(tags.verdicts.tags[0].evidence[0].name, "fine");
		ctd_remote_tags_free(&tags);
	}
}

/* Neither more samples than there can be, nor samples of one but not of the other. */
static void series_that_cannot_be_drawn_are_left_out(void **state)
{
	static const char *const members[] = {
		"7",
		"{}",
		"{\"excess\":[],\"pressure\":[]}",
		"{\"excess\":[1,2],\"pressure\":[1]}",
		"{\"excess\":7,\"pressure\":7}",
	};
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_remote_tags tags;

	(void)state;
	ctd_strbuf_add(&text, "{\"time\":\"2026-08-30T12:00:01.250Z\",\"tags\":[");
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		ctd_strbuf_addf(
			&text,
			"{\"victim\":{\"key\":\"v\"},\"mechanism\":\"memory\",\"blame\":\"self\",\"series\":%s},",
			members[i]);
	/* 40 tags with 121 samples or with one that is there, in turn. */
	for (int i = 0; i < 80; i++) {
		ctd_strbuf_add(
			&text,
			"{\"victim\":{\"key\":\"w\"},\"mechanism\":\"memory\",\"blame\":\"self\",\"series\":{\"excess\":[\"x\"");
		for (int j = 0; j < CTD_NEIGHBOUR_SERIES && i % 2; j++)
			ctd_strbuf_add(&text, ",1");
		ctd_strbuf_add(&text, "],\"pressure\":[1e300");
		for (int j = 0; j < CTD_NEIGHBOUR_SERIES && i % 2; j++)
			ctd_strbuf_add(&text, ",1");
		ctd_strbuf_addf(&text, "]}}%s", i == 79 ? "]}" : ",");
	}
	assert_int_equal(parse(text.text, &tags), 0);
	assert_int_equal(tags.verdicts.tags_count, 5 + 80);
	for (size_t i = 0; i < tags.verdicts.tags_count; i++) {
		const struct ctd_neighbour_series *series = tags.verdicts.tags[i].series;

		assert_int_equal(!!series,
				 i >= 5 && i % 2 && i < 5 + 2 * CTD_NEIGHBOUR_SERIES_TAGS);
		assert_true(!series || (series->count == 1 && isnan(series->excess[0]) &&
					isnan(series->pressure[0])));
	}
	ctd_remote_tags_free(&tags);
}

static void a_limit_is_of_the_cgroup_itself_or_of_one_above(void **state)
{
	static const struct {
		const char *limit;
		size_t bytes;
	} cases[] = {{"/pod", 4}, {"/pod/one", 8}, {"/po", 0}, {"/pod/two", 0}, {"/pod/one/1", 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		struct ctd_remote_tags tags;

		ctd_strbuf_addf(
			&text,
			"{\"time\":\"2026-08-30T12:00:01.250Z\",\"tags\":[{\"victim\":{\"key\":\"v\",\"cgroup\":\"/pod/one\"},\"mechanism\":\"throttling\",\"blame\":\"self\",\"limit_cgroup\":\"%s\"}]}",
			cases[i].limit);
		assert_int_equal(parse(text.text, &tags), 0);
		assert_int_equal(tags.verdicts.tags[0].limit_bytes, cases[i].bytes);
		ctd_remote_tags_free(&tags);
	}
}

static void an_answer_without_tags_has_none(void **state)
{
	struct ctd_remote_tags tags;

	(void)state;
	assert_int_equal(parse("{\"tags\":null}", &tags), 0);
	assert_false(tags.judged);
	assert_int_equal(tags.sample_period_ns, 0);
	ctd_remote_tags_free(&tags);
	assert_int_equal(parse("", &tags), -EBADMSG);
	assert_int_equal(parse("[]", &tags), -EBADMSG);
	assert_int_equal(parse("{\"tags\":7}", &tags), -EBADMSG);
	assert_int_equal(parse("{\"tags\":[]}", &tags), -EBADMSG);
	assert_int_equal(parse("{\"time\":\"then\",\"tags\":[]}", &tags), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_is_no_tag_is_left_out),
		cmocka_unit_test(series_that_cannot_be_drawn_are_left_out),
		cmocka_unit_test(a_limit_is_of_the_cgroup_itself_or_of_one_above),
		cmocka_unit_test(an_answer_without_tags_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
