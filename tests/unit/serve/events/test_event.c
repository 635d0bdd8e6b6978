/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_event.c - what is sent has all that events.k8s.io/v1 wants of an event. */
#include "serve/events/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static const struct ctd_k8s_event event = {
	.name = "web-0.0123456789abcdef",
	.warning = true,
	.reason = "NoisyNeighbour",
	.action = "run_queue",
	.regarding = {"shop", "web-0", "64579b12-2b76-470d-b871-3ddb056b24db"},
	.related = {"analytics", "batch-1", "99999999-2b76-470d-b871-3ddb056b24db"},
	.note = "it says \"hello\"\x1b",
	.time_ns = 1788091200000042999ull,
	.node = "node1",
};

static json_t *write(const struct ctd_k8s_event *what)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	json_t *root;

	ctd_k8s_event_add_json(&out, what);
	assert_false(out.failed);
	root = json_loadb(out.text, out.bytes, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	return root;
}

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	assert_non_null(text);
	return text;
}

/* pkg/apis/core/validation/events.go of Kubernetes: strict where the API group is events.k8s.io. */
static void it_has_what_the_api_server_insists_on(void **state)
{
	static const char *const empty[] = {"deprecatedSource", "deprecatedFirstTimestamp",
					    "deprecatedLastTimestamp", "deprecatedCount", "series"};
	json_t *root = write(&event), *metadata = json_object_get(root, "metadata");

	(void)state;
	assert_string_equal(text_of(root, "apiVersion"), "events.k8s.io/v1");
	assert_string_equal(text_of(root, "kind"), "Event");
	assert_string_equal(text_of(metadata, "name"), event.name);
	assert_string_equal(text_of(metadata, "namespace"), "shop");
	assert_string_equal(text_of(root, "eventTime"), "2026-08-30T12:00:00.000042Z");
	assert_string_equal(text_of(root, "type"), "Warning");
	assert_string_equal(text_of(root, "reason"), "NoisyNeighbour");
	assert_string_equal(text_of(root, "action"), "run_queue");
	assert_string_equal(text_of(root, "reportingController"), "cgtopdown");
	assert_string_equal(text_of(root, "reportingInstance"), "node1");
	assert_string_equal(text_of(root, "note"), event.note);
	for (size_t i = 0; i < sizeof(empty) / sizeof(*empty); i++)
		assert_null(json_object_get(root, empty[i]));
	json_decref(root);
}

static void a_long_name_is_cut_between_letters(void **state)
{
	struct ctd_k8s_event named = event;
	char pod[254] = "web-";

	(void)state;
	ctd_k8s_event_set_name(&named, 0x123456789abcdef);
	assert_string_equal(named.name, "web-0.0123456789abcdef");
	named.regarding.name = pod;
	memset(pod + 4, 'a', 249);
	memcpy(pod + 197, "-.-b", 4);
	ctd_k8s_event_set_name(&named, 1);
	assert_int_equal(strlen(named.name), 197 + 17);
	assert_string_equal(named.name + 190, "aaaaaaa.0000000000000001");
}

static void it_is_about_the_pod_and_names_the_other_one(void **state)
{
	json_t *root = write(&event), *pod = json_object_get(root, "regarding");

	(void)state;
	assert_string_equal(text_of(pod, "apiVersion"), "v1");
	assert_string_equal(text_of(pod, "kind"), "Pod");
	assert_string_equal(text_of(pod, "namespace"), "shop");
	assert_string_equal(text_of(pod, "name"), "web-0");
	assert_string_equal(text_of(pod, "uid"), event.regarding.uid);
	pod = json_object_get(root, "related");
	assert_string_equal(text_of(pod, "namespace"), "analytics");
	assert_string_equal(text_of(pod, "name"), "batch-1");
	json_decref(root);
}

static void what_is_over_is_normal_and_an_unknown_antagonist_is_left_out(void **state)
{
	struct ctd_k8s_event over = event;
	json_t *root;

	(void)state;
	over.warning = false;
	over.related = (struct ctd_k8s_pod){0};
	root = write(&over);
	assert_string_equal(text_of(root, "type"), "Normal");
	assert_null(json_object_get(root, "related"));
	json_decref(root);
}

static void a_long_name_of_a_node_is_cut_to_what_is_taken(void **state)
{
	struct ctd_k8s_event longer = event;
	char node[300] = "";
	json_t *root;

	(void)state;
	memset(node, 'n', sizeof(node) - 1);
	longer.node = node;
	root = write(&longer);
	assert_int_equal(strlen(text_of(root, "reportingInstance")), CTD_K8S_EVENT_REPORTER_BYTES);
	json_decref(root);
}

static void names_that_lead_elsewhere_in_a_path_are_no_pods(void **state)
{
	static const struct {
		int line;
		struct ctd_k8s_pod pod;
		bool valid;
	} cases[] = {
		{__LINE__, {"shop", "web-0.a", "0123456789abcdef0123456789abcdef"}, true},
		{__LINE__, {"", "web", "1"}, false},
		{__LINE__, {"shop", "", "1"}, false},
		{__LINE__, {"shop", "web", ""}, false},
		{__LINE__, {NULL, "web", "1"}, false},
		{__LINE__, {"..", "web", "1"}, false},
		{__LINE__, {"a/../kube-system", "web", "1"}, false},
		{__LINE__, {"shop?dryRun=All", "web", "1"}, false},
		{__LINE__, {"shop", "../web", "1"}, false},
		{__LINE__, {"shop", "Web", "1"}, false},
		{__LINE__, {"shop", "web", "1\n"}, false},
		{__LINE__, {"shop", "web", "64579b12-2b76-470d-b871-3ddb056b24db0"}, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (ctd_k8s_pod_is_valid(&cases[i].pod) != cases[i].valid)
			fail_msg("case of line %d", cases[i].line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_what_the_api_server_insists_on),
		cmocka_unit_test(a_long_name_is_cut_between_letters),
		cmocka_unit_test(it_is_about_the_pod_and_names_the_other_one),
		cmocka_unit_test(what_is_over_is_normal_and_an_unknown_antagonist_is_left_out),
		cmocka_unit_test(a_long_name_of_a_node_is_cut_to_what_is_taken),
		cmocka_unit_test(names_that_lead_elsewhere_in_a_path_are_no_pods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
