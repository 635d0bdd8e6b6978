/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pairs.c - names survive the way through a recording, and no text is taken for some. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "identity/lookup/pairs.h"

static void all_names_come_back(void **state)
{
	struct ctd_label labels[] = {{"app", "web"}, {"empty", ""}};
	const struct ctd_names names = {
		.namespace_name = "prod",
		.pod_name = "web-0",
		.container_name = "ma\nin\xff",
		.image = "nginx",
		.owner_kind = "StatefulSet",
		.owner_name = "web",
		.labels = labels,
		.labels_count = 2,
		.started_ns = 1795232210123456789,
		.sandbox = true,
		.runtime = "containerd",
	};
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_names back;

	(void)state;
	ctd_names_to_pairs(&names, &pairs);
	assert_int_equal(ctd_names_from_pairs(pairs.text, pairs.bytes, &back), 0);
	assert_string_equal(back.namespace_name, "prod");
	assert_string_equal(back.pod_name, "web-0");
	assert_string_equal(back.container_name, "ma\nin\xff");
	assert_string_equal(back.image, "nginx");
	assert_string_equal(back.owner_kind, "StatefulSet");
	assert_string_equal(back.owner_name, "web");
	assert_int_equal(back.labels_count, 2);
	assert_string_equal(back.labels[0].name, "app");
	assert_string_equal(back.labels[0].value, "web");
	assert_string_equal(back.labels[1].value, "");
	assert_int_equal(back.started_ns, 1795232210123456789);
	assert_true(back.sandbox);
	assert_string_equal(back.runtime, "containerd");
	ctd_names_free(&back);
}

static void nothing_known_is_no_text_at_all(void **state)
{
	const struct ctd_names names = {0};
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_names back;

	(void)state;
	ctd_names_to_pairs(&names, &pairs);
	assert_int_equal(pairs.bytes, 0);
	assert_int_equal(ctd_names_from_pairs(pairs.text, 0, &back), 0);
	assert_null(back.pod_name);
}

#define PAIRS(text) text, sizeof(text)

static void what_is_not_pairs_is_refused_and_new_keys_are_passed_over(void **state)
{
	static const struct {
		int line;
		const char *text;
		size_t bytes;
		int result;
		const char *pod;
	} cases[] = {
		{__LINE__, PAIRS("pod\0web"), 0, "web"},
		{__LINE__, PAIRS("pod\0a\0pod\0b"), 0, "b"},
		{__LINE__, PAIRS("colour\0red\0pod\0web"), 0, "web"},
		{__LINE__, PAIRS("label:\0"), 0, NULL},
		{__LINE__, PAIRS("pod"), -EINVAL, NULL},
		{__LINE__, PAIRS("pod\0web\0image"), -EINVAL, NULL},
		{__LINE__, "pod\0web", 7, -EINVAL, NULL},
		{__LINE__, PAIRS("started_ns\0x"), -EINVAL, NULL},
		{__LINE__, PAIRS("started_ns\0-1"), -EINVAL, NULL},
		{__LINE__, PAIRS(""), -EINVAL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_names names = {0};
		int result = ctd_names_from_pairs(cases[i].text, cases[i].bytes, &names);

		if (result != cases[i].result || !names.pod_name != !cases[i].pod ||
		    (names.pod_name && strcmp(names.pod_name, cases[i].pod) != 0))
			fail_msg("line %d: %d, pod %s", cases[i].line, result, names.pod_name);
		ctd_names_free(&names);
	}
}

static void filling_up_takes_only_what_is_missing(void **state)
{
	struct ctd_names names = {0}, more = {0};

	(void)state;
	assert_int_equal(ctd_names_from_pairs(PAIRS("pod\0web\0owner_kind\0Job\0label:a\0"
						    "1"),
					      &names),
			 0);
	assert_int_equal(ctd_names_from_pairs(PAIRS("pod\0other\0namespace\0prod\0owner_kind\0Set\0"
						    "owner\0x\0label:b\0"
						    "2\0started_ns\0"
						    "5"),
					      &more),
			 0);
	ctd_names_fill(&names, &more);
	assert_string_equal(names.pod_name, "web");
	assert_string_equal(names.namespace_name, "prod");
	assert_string_equal(names.owner_kind, "Job");
	assert_null(names.owner_name);
	assert_int_equal(names.labels_count, 1);
	assert_string_equal(names.labels[0].name, "a");
	assert_int_equal(names.started_ns, 5);
	assert_null(more.pod_name);
	ctd_names_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_names_come_back),
		cmocka_unit_test(nothing_known_is_no_text_at_all),
		cmocka_unit_test(what_is_not_pairs_is_refused_and_new_keys_are_passed_over),
		cmocka_unit_test(filling_up_takes_only_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
