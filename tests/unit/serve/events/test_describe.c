/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_describe.c - the words of an event, and which tags and victims have one. */
#include "serve/events/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/serve/events/cluster.h"

/* Valid until the next one. */
static const char *note_of(const struct cluster *cluster, struct ctd_k8s_event *ret_event)
{
	static char copy[2 * CTD_K8S_EVENT_NOTE_BYTES];
	auto_ctd_strbuf struct ctd_strbuf note = {0};

	ctd_k8s_event_stands(&cluster->tag, &cluster->web_who, &cluster->view, cluster->node, &note,
			     ret_event);
	snprintf(copy, sizeof(copy), "%s", ret_event->note);
	ret_event->note = copy;
	return copy;
}

static void a_neighbour_is_named_by_its_owner_with_what_to_do(void **state)
{
	struct ctd_k8s_event event;
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	assert_string_equal(
		note_of(&cluster, &event),
		"Container main loses 0.42 CPUs to Deployment analytics/batch (container worker of "
		"pod batch-7d9f-xk2, 83 %), by run_queue, since 2026-08-30T12:00:00Z. Its tasks wait "
		"while others have the CPU. Give it more cpu.weight (requests.cpu), CPUs of its own "
		"(cpuset), or move one of the two. Evidence, on node node1: cgtopdown neighbours "
		"--explain web-0");
	assert_true(event.warning);
	assert_string_equal(event.reason, "NoisyNeighbour");
	assert_string_equal(event.action, "run_queue");
	assert_string_equal(event.regarding.namespace_name, "shop");
	assert_string_equal(event.regarding.name, "web-0");
	assert_string_equal(event.regarding.uid, UID_WEB);
	assert_string_equal(event.related.namespace_name, "analytics");
	assert_string_equal(event.related.name, "batch-7d9f-xk2");
	assert_string_equal(event.related.uid, UID_BATCH);
}

static void assert_begins(const struct cluster *cluster, const char *begin)
{
	struct ctd_k8s_event event;
	const char *note = note_of(cluster, &event);

	if (strncmp(note, begin, strlen(begin)) != 0)
		fail_msg("'%s' does not begin with '%s'", note, begin);
}

static void an_antagonist_is_named_by_what_is_known_of_it(void **state)
{
	struct ctd_k8s_event event;
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	cluster.batch_who.owner_name = "";
	cluster.tag.antagonists_count = 3;
	assert_begins(&cluster, "Container main loses 0.42 CPUs to pod analytics/batch-7d9f-xk2 "
				"(container worker, 83 %) and 2 more, by run_queue, since ");
	cluster.tag.antagonists_count = 1;
	cluster.tag.antagonists[0].names = &cluster.unit;
	assert_begins(&cluster, "Container main loses 0.42 CPUs to /system.slice/backup.service "
				"(83 %), by ");
	note_of(&cluster, &event);
	assert_null(event.related.name);
}

static void a_small_loss_has_a_digit_more(void **state)
{
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	cluster.tag.loss_cpus = 0.00749;
	assert_begins(&cluster, "Container main loses 0.007 CPUs to Deployment ");
}

static void others_than_a_neighbour_have_reasons_of_their_own(void **state)
{
	static const struct {
		int line;
		enum ctd_mechanism mechanism;
		enum ctd_blame blame;
		size_t limit_bytes;
		const char *reason, *to; /* NULL: no event */
	} cases[] = {
		{__LINE__, CTD_MECHANISM_SMT, CTD_BLAME_NEIGHBOUR, 0, "NoisyNeighbour",
		 "a neighbour, by smt,"},
		{__LINE__, CTD_MECHANISM_MEMORY, CTD_BLAME_MACHINE, 0, "NodeContended",
		 "many others on the node, none of which stands out, by memory,"},
		{__LINE__, CTD_MECHANISM_THROTTLING, CTD_BLAME_SELF, 0, "CPUThrottled",
		 "its own limit, by throttling,"},
		{__LINE__, CTD_MECHANISM_THROTTLING, CTD_BLAME_SELF, 9, "CPUThrottled",
		 "the limit of a cgroup above it, as its pod's, by throttling,"},
		{__LINE__, CTD_MECHANISM_THROTTLING, CTD_BLAME_MACHINE, 9, "CPUThrottled",
		 "a limit above it that others use up, too, by throttling,"},
		{__LINE__, CTD_MECHANISM_RUN_QUEUE, CTD_BLAME_SELF, 0, NULL, NULL},
		{__LINE__, CTD_MECHANISM_MEMORY, CTD_BLAME_INPUT, 0, NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_k8s_event event;
		struct cluster cluster;
		const char *reason;

		make_cluster(&cluster);
		cluster.tag.mechanism = cases[i].mechanism;
		cluster.tag.blame = cases[i].blame;
		cluster.tag.limit_bytes = cases[i].limit_bytes;
		cluster.tag.antagonists_count = 0;
		reason = ctd_k8s_event_reason(&cluster.tag);
		if (!reason != !cases[i].reason ||
		    (reason && (strcmp(reason, cases[i].reason) != 0 ||
				!strstr(note_of(&cluster, &event), cases[i].to))))
			fail_msg("case of line %d: %s", cases[i].line, reason ? event.note : "");
	}
}

static void an_end_is_normal_and_says_of_what(void **state)
{
	static const char *const reasons[][2] = {{"NoisyNeighbour", "NoisyNeighbourEnded"},
						 {"NodeContended", "NodeContendedEnded"},
						 {"CPUThrottled", "CPUThrottledEnded"}};
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		auto_ctd_strbuf struct ctd_strbuf note = {0};
		struct ctd_k8s_event event;

		ctd_k8s_event_ended(CTD_MECHANISM_RUN_QUEUE, SINCE_NS, reasons[i][0],
				    &cluster.web_who, &note, &event);
		assert_string_equal(event.note, "Container main is not tagged any more: it was, by "
						"run_queue, since 2026-08-30T12:00:00Z.");
		assert_false(event.warning);
		assert_string_equal(event.reason, reasons[i][1]);
		assert_string_equal(event.regarding.uid, UID_WEB);
		assert_null(event.related.name);
	}
}

static void a_note_is_never_longer_than_the_api_server_takes(void **state)
{
	struct ctd_k8s_event event;
	struct cluster cluster;
	char name[600] = "";

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	make_cluster(&cluster);
	cluster.batch_who.owner_kind = cluster.batch_who.owner_name = name;
	cluster.batch_who.namespace_name = cluster.batch_who.container = name;
	cluster.batch_who.pod = cluster.web_who.container = cluster.web_who.pod = name;
	cluster.node = name;
	cluster.tag.mechanism = CTD_MECHANISM_MEMORY;
	assert_true(strlen(note_of(&cluster, &event)) < CTD_K8S_EVENT_NOTE_BYTES);
	assert_non_null(strstr(event.note, "since 2026-08-30T12:00:00Z. It waits for memory"));
	assert_null(event.related.name);
}

static void only_containers_of_pods_that_are_there_have_events(void **state)
{
	struct cluster cluster;

	(void)state;
	make_cluster(&cluster);
	assert_ptr_equal(ctd_k8s_event_pod(&cluster.view, "web"), &cluster.web_who);
	assert_ptr_equal(ctd_k8s_event_pod(&cluster.view, "batch"), &cluster.batch_who);
	assert_null(ctd_k8s_event_pod(&cluster.view, "unit"));
	assert_null(ctd_k8s_event_pod(&cluster.view, "gone"));
	cluster.accounts[1].ended = true;
	assert_null(ctd_k8s_event_pod(&cluster.view, "web"));
	cluster.accounts[1].ended = false;
	cluster.web_who.pod_uid = "";
	assert_null(ctd_k8s_event_pod(&cluster.view, "web"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_neighbour_is_named_by_its_owner_with_what_to_do),
		cmocka_unit_test(an_antagonist_is_named_by_what_is_known_of_it),
		cmocka_unit_test(a_small_loss_has_a_digit_more),
		cmocka_unit_test(others_than_a_neighbour_have_reasons_of_their_own),
		cmocka_unit_test(an_end_is_normal_and_says_of_what),
		cmocka_unit_test(a_note_is_never_longer_than_the_api_server_takes),
		cmocka_unit_test(only_containers_of_pods_that_are_there_have_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
