/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_podlist.c - what the kubelet's list says of pods and containers, and what is no list. */
#include "identity/kubelet/podlist.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/root.h"
#include "base/strbuf.h"

#define ID_OF(digit) digit digit digit digit digit digit digit digit
#define LONG_ID(digit) \
	ID_OF(digit)   \
	ID_OF(digit) ID_OF(digit) ID_OF(digit) ID_OF(digit) ID_OF(digit) ID_OF(digit) ID_OF(digit)
#define LIST(pods) \
	"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[" pods "]}\n"

static const struct ctd_podlist_labels no_labels;

static struct ctd_podlist parse(const char *text, const struct ctd_podlist_labels *wanted)
{
	struct ctd_podlist list;
	char why[CTD_PODLIST_WHY_BYTES] = "";

	if (ctd_podlist_parse(text, strlen(text), wanted, &list, why))
		fail_msg("refused: %s: %s", why, text);
	return list;
}

/* The list of a node as a kubelet wrote it, shortened: see its first line. */
static struct ctd_podlist parse_file(const struct ctd_podlist_labels *wanted)
{
	autofree char *text = NULL;
	size_t bytes;

	assert_int_equal(ctd_read_file("tests/fuzz/corpus/podlist/node", 1 << 20, &text, &bytes),
			 0);
	return parse(text, wanted);
}

static void add(struct ctd_strbuf *text, const char *name, const char *value)
{
	if (value)
		ctd_strbuf_addf(text, " %s=%s", name, value);
}

/* What is found of a container, as a text; of its pod only: after "pod". */
static void expect_found(const struct ctd_podlist *list, int line, const char *container_id,
			 const char *pod_uid, const char *wanted)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_names names = {0};
	enum ctd_qos qos = CTD_QOS_UNKNOWN;
	int found = ctd_podlist_find(list, container_id, pod_uid, &names, &qos);

	ctd_strbuf_add(&text, found == 0 ? "found" : found == 1 ? "pod" : "none");
	add(&text, "ns", names.namespace_name);
	add(&text, "pod", names.pod_name);
	add(&text, "container", names.container_name);
	add(&text, "image", names.image);
	add(&text, "kind", names.owner_kind);
	add(&text, "owner", names.owner_name);
	if (names.started_ns)
		ctd_strbuf_addf(&text, " started=%llu",
				(unsigned long long)names.started_ns / 1000000000);
	add(&text, "qos", ctd_qos_name(qos));
	for (size_t i = 0; i < names.labels_count; i++)
		add(&text, names.labels[i].name, names.labels[i].value);
	ctd_names_free(&names);
	if (strcmp(text.text, wanted) != 0)
		fail_msg("line %d: got\n%s\nnot\n%s", line, text.text, wanted);
}

static void every_container_of_a_node_is_found_with_what_is_known_of_its_pod(void **state)
{
	static const struct {
		int line;
		const char *id, *uid, *wanted;
	} cases[] = {
		{__LINE__, "d73f0fe0680339673c9170b78381ce1c746a79348c8c9c4ec122cf030a911c4c", "",
		 "found ns=prod pod=web-5d4f7c9b6-x2k4z container=main image=localhost/busybox:test "
		 "kind=Deployment owner=web started=1795230614 qos=Burstable"},
		{__LINE__, "b0a993cad8d183606d6cd03029d9fb2f0f76e45159b7b5bee2b92f02f0d1e32b",
		 "d954e009-383d-4570-8831-ab9f5ada1781",
		 "found ns=prod pod=web-5d4f7c9b6-x2k4z container=side image=localhost/side:1 "
		 "kind=Deployment owner=web started=1795230614 qos=Burstable"},
		{__LINE__, "0d69ef496f291e954f42ab8bda7a6a3c2f6f3201678ffb47c643eb3f22cbb08e", "",
		 "found ns=default pod=be-0 container=init image=localhost/busybox:test "
		 "started=1795230614 qos=BestEffort"},
		{__LINE__, "1767b29fa40d03a4bdd44948de88aa186ce92cda3977aee41ac18535ca2b6aa1", "",
		 "found ns=default pod=be-0 container=main image=localhost/busybox:test "
		 "started=1795230616 qos=BestEffort"},
		/* The one before its last restart. */
		{__LINE__, "2767b29fa40d03a4bdd44948de88aa186ce92cda3977aee41ac18535ca2b6aa2", "",
		 "found ns=default pod=be-0 container=main image=localhost/busybox:test "
		 "started=1795230574 qos=BestEffort"},
		{__LINE__, "3767b29fa40d03a4bdd44948de88aa186ce92cda3977aee41ac18535ca2b6aa3", "",
		 "found ns=default pod=be-0 container=debugger-x image=localhost/debug:2 "
		 "qos=BestEffort"},
		{__LINE__, "261585017d6cf8328084641cce1985751b1182e23759e53edf938a78df9c3e22", "",
		 "found ns=kube-system pod=cgtopdown-npxmw container=agent "
		 "image=localhost/busybox:test kind=DaemonSet owner=cgtopdown started=1795230735 "
		 "qos=BestEffort"},
		{__LINE__, "8ebcc1892766ed94fef5019e2489d448192d53163f1e7790f6588622ed9e3a32",
		 "7492dcc025c4f80860f5d41b08cfeab0",
		 "found ns=kube-system pod=static-node1 container=c image=localhost/busybox:test "
		 "kind=Node owner=node1 started=1795230772 qos=BestEffort"},
		{__LINE__, "", "64579b12-2b76-470d-b871-3ddb056b24db",
		 "found ns=prod pod=guar-0 started=1795230573 qos=Guaranteed"},
		/* A sandbox is in no list; its pod is. */
		{__LINE__, LONG_ID("0"), "64579b12-2b76-470d-b871-3ddb056b24db",
		 "pod ns=prod pod=guar-0 started=1795230573 qos=Guaranteed"},
		{__LINE__, LONG_ID("0"), "", "none"},
		{__LINE__, "", "", "none"},
		{__LINE__, "", "74579b12-2b76-470d-b871-3ddb056b24db", "none"},
		/* The path says another pod. */
		{__LINE__, "d73f0fe0680339673c9170b78381ce1c746a79348c8c9c4ec122cf030a911c4c",
		 "64579b12-2b76-470d-b871-3ddb056b24db", "none"},
	};
	struct ctd_podlist list = parse_file(&no_labels);

	(void)state;
	assert_int_equal(list.pods_count, 5);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect_found(&list, cases[i].line, cases[i].id, cases[i].uid, cases[i].wanted);
	ctd_podlist_free(&list);
}

static void labels_are_kept_by_name_or_glob_and_only_those(void **state)
{
	static const char *const patterns[] = {"app", "app.kubernetes.io/*"};
	static const struct ctd_podlist_labels wanted = {patterns, 2};
	struct ctd_podlist list = parse_file(&wanted);

	(void)state;
	expect_found(&list, __LINE__, "", "d954e009-383d-4570-8831-ab9f5ada1781",
		     "found ns=prod pod=web-5d4f7c9b6-x2k4z kind=Deployment owner=web "
		     "started=1795230573 qos=Burstable app=burst app.kubernetes.io/name=web "
		     "app.kubernetes.io/part-of=");
	ctd_podlist_free(&list);
}

/* Annotations are anybody's to set; that of the source is the kubelet's. */
static void only_a_static_pod_goes_by_its_hash(void **state)
{
	static const char text[] = LIST(
		"{\"metadata\":{\"uid\":\"u1\",\"name\":\"forger\",\"annotations\":"
		"{\"kubernetes.io/config.hash\":\"stolen\",\"kubernetes.io/config.source\":\"api\"}}},"
		"{\"metadata\":{\"uid\":\"u2\",\"name\":\"bare\",\"annotations\":"
		"{\"kubernetes.io/config.hash\":\"stolen2\"}}},"
		"{\"metadata\":{\"uid\":\"u3\",\"name\":\"mirror\",\"annotations\":"
		"{\"kubernetes.io/config.hash\":\"h\",\"kubernetes.io/config.source\":\"file\"}},"
		"\"spec\":{\"nodeName\":\"n\"}}");
	struct ctd_podlist list = parse(text, &no_labels);

	(void)state;
	expect_found(&list, __LINE__, "", "stolen", "none");
	expect_found(&list, __LINE__, "", "stolen2", "none");
	expect_found(&list, __LINE__, "", "u1", "found pod=forger");
	expect_found(&list, __LINE__, "", "u3", "none");
	expect_found(&list, __LINE__, "", "h", "found pod=mirror kind=Node owner=n");
	ctd_podlist_free(&list);
}

static void what_is_missing_or_of_another_type_is_not_known(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, LIST("{\"metadata\":{\"uid\":\"u\"}}"), "found"},
		{__LINE__, LIST("{\"metadata\":{\"uid\":\"u\",\"name\":7,\"namespace\":\"\"}}"),
		 "found"},
		{__LINE__, LIST("{\"metadata\":{\"uid\":\"u\"},\"status\":[]}"), "found"},
		{__LINE__,
		 LIST("{\"metadata\":{\"uid\":\"u\"},\"status\":{\"qosClass\":\"Best\",\"startTime\":\"soon\"}}"),
		 "found"},
		{__LINE__,
		 LIST("{\"metadata\":{\"uid\":\"u\"},\"status\":{\"startTime\":\"2026-11-21T03:09:33.5Z\"}}"),
		 "found started=1795230573"},
		{__LINE__,
		 LIST("{\"metadata\":{\"uid\":\"u\"},\"status\":{\"startTime\":\"2026-11-21T03:09:33+01:00\"}}"),
		 "found"},
		{__LINE__,
		 LIST("{\"metadata\":{\"uid\":\"u\",\"ownerReferences\":[{\"kind\":\"Job\",\"name\":\"j\"}]}}"),
		 "found"},
		{__LINE__,
		 LIST("{\"metadata\":{\"uid\":\"u\",\"ownerReferences\":[{\"kind\":\"Job\",\"controller\":true}]}}"),
		 "found"},
		{__LINE__, LIST("{\"metadata\":{\"uid\":\"\"}},{\"metadata\":{}},{},7,null"),
		 "none"},
		{__LINE__,
		 LIST("{\"metadata\":{\"uid\":\"0123456789012345678901234567890123456\"}}"),
		 "none"},
		{__LINE__, LIST(""), "none"},
		{__LINE__, " { \"items\" : [ ] , \"kind\" : \"PodList\" } ", "none"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_podlist list = parse(cases[i].text, &no_labels);

		expect_found(&list, cases[i].line, "", "u", cases[i].wanted);
		ctd_podlist_free(&list);
	}
}

static void a_container_needs_an_id_that_can_be_one(void **state)
{
	static const char text[] = LIST(
		"{\"metadata\":{\"uid\":\"u\",\"name\":\"p\"},\"status\":{\"containerStatuses\":["
		"{\"name\":\"waiting\"},{\"name\":\"bare\",\"containerID\":\"x\"},"
		"{\"name\":\"empty\",\"containerID\":\"containerd://\"},"
		"{\"name\":\"long\",\"containerID\":\"cri-o://" LONG_ID(
			"a") "b\"},"
			     "{\"name\":\"fits\",\"containerID\":\"cri-o://" LONG_ID(
				     "a") "\"},"
					  "{\"containerID\":\"docker://c1\"}]}}");
	struct ctd_podlist list = parse(text, &no_labels);

	(void)state;
	assert_int_equal(list.containers_count, 2);
	expect_found(&list, __LINE__, LONG_ID("a"), "u", "found pod=p container=fits");
	expect_found(&list, __LINE__, "c1", "", "found pod=p");
	ctd_podlist_free(&list);
}

static void what_is_no_list_is_refused_with_a_reason(void **state)
{
	static const struct {
		int line;
		const char *text, *why;
	} cases[] = {
		{__LINE__, "", "no JSON object"},
		{__LINE__, "<html>", "no JSON object"},
		{__LINE__, "[]", "no JSON object"},
		{__LINE__, "{", "end of file"},
		{__LINE__, "{}", "no PodList"},
		{__LINE__, "{\"kind\":\"PodList\"}", "no PodList"},
		{__LINE__, "{\"kind\":\"Status\",\"items\":[]}", "no PodList"},
		{__LINE__, "{\"kind\":7,\"items\":[]}", "no PodList"},
		{__LINE__, "{\"items\":[]}", "no PodList"},
		{__LINE__, "{\"kind\":\"PodList\",\"items\":null}", "no array"},
		{__LINE__, "{\"kind\":\"PodList\",\"items\":[{\"metadata\":{\"uid\":\"u\"}}",
		 "does not end"},
		{__LINE__, "{\"kind\":\"PodList\",\"items\":[{\"metadata\":{\"uid\":\"u\"",
		 "near end of file"},
		{__LINE__, "{\"kind\":\"PodList\",\"items\":[]", "cut off"},
		{__LINE__, "{\"kind\":\"PodList\",\"items\":[]}{}", "follows its end"},
		{__LINE__, "{7:8}", "a name and ':' are missing"},
		{__LINE__, "{\"kind\":}", "near '}'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_podlist list = {.left_out = 77};
		char why[CTD_PODLIST_WHY_BYTES] = "";
		int error = ctd_podlist_parse(cases[i].text, strlen(cases[i].text), &no_labels,
					      &list, why);

		if (error != -EBADMSG || !strstr(why, cases[i].why) || list.left_out != 77)
			fail_msg("line %d: %d: %s", cases[i].line, error, why);
	}
}

/* A node that was made up by somebody does not take all memory. */
static void more_pods_than_a_node_can_have_are_counted_but_left_out(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_podlist list;

	(void)state;
	ctd_strbuf_add(&text, "{\"kind\":\"PodList\",\"items\":[{}");
	for (int i = 0; i < 10000; i++)
		ctd_strbuf_addf(&text, ",{\"metadata\":{\"uid\":\"u%d\"}}", i);
	ctd_strbuf_add(&text, "]}");
	list = parse(text.text, &no_labels);
	assert_int_equal(list.pods_count, 8192);
	assert_int_equal(list.left_out, 10001 - 8192);
	expect_found(&list, __LINE__, "", "u8191", "found");
	expect_found(&list, __LINE__, "", "u8192", "none");
	ctd_podlist_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_container_of_a_node_is_found_with_what_is_known_of_its_pod),
		cmocka_unit_test(labels_are_kept_by_name_or_glob_and_only_those),
		cmocka_unit_test(only_a_static_pod_goes_by_its_hash),
		cmocka_unit_test(what_is_missing_or_of_another_type_is_not_known),
		cmocka_unit_test(a_container_needs_an_id_that_can_be_one),
		cmocka_unit_test(what_is_no_list_is_refused_with_a_reason),
		cmocka_unit_test(more_pods_than_a_node_can_have_are_counted_but_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
