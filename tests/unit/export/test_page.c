/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_page.c - the page for people: whole, well-formed, and harmless whatever names there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/export.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "golden.h"

#define ACCOUNTS_MAX 200
#define S 1000000000ull

static struct ctd_account_who who[ACCOUNTS_MAX];
static struct ctd_account accounts[ACCOUNTS_MAX];

static const struct ctd_account_who nobody = {
	.namespace_name = "",
	.pod = "",
	.container = "",
	.cgroup = "",
	.core = "",
	.container_id = "",
	.pod_uid = "",
	.runtime = "",
	.image = "",
	.qos = "",
	.owner_kind = "",
	.owner_name = "",
	.path = "",
	.key_text = "",
};

static struct ctd_ledger_view view = {
	.sequence = 7,
	.realtime_ns = 1700000000 * S,
	.window_ns = S,
	.begun_ns = 1699990000 * S,
	.source = "perf_metrics",
	.hierarchy = "v2",
	.method = "perf_metrics",
	.scope = "thread",
	.level = 2,
	.groups_count = 1,
	.cpus_online = 8,
	.state = CTD_PMU_LIVE,
	.cores_count = 1,
	.health = {.count = {[CTD_HEALTH_SWITCHES] = 12345}, .ns_per_switch = 211.4},
	.totals = {.slots_known = true, .unattributed_slots = 123456, .intervals = 7},
	.accounts = accounts,
};

static const struct ctd_self self = {
	.version = "1.2.3",
	.node = "node-7",
	.started_ns = 1699990000 * S,
	.cpu_ns = 42000000000,
	.resident_bytes = 23000000,
};

/* An account whose shares of level 1 are given in per cent, and of level 2 the halves of those. */
static struct ctd_account *add_account(enum ctd_account_kind kind, double cpus, int dominant,
				       const int *percent)
{
	struct ctd_account *account = &accounts[view.accounts_count];

	who[view.accounts_count] = nobody;
	who[view.accounts_count].kind = kind;
	*account = (struct ctd_account){
		.who = &who[view.accounts_count],
		.model = percent ? ctd_cpu_model_find("golden_cove") : NULL,
		.recent_cpus = cpus,
		.recent_dominant = dominant,
	};
	for (int node = 0; percent && node < account->model->nodes_count; node++) {
		if (account->model->nodes[node].level != 1)
			continue;
		account->recent[node].quality = CTD_OK;
		account->recent[node].ratio = percent[node] / 100.0;
	}
	view.accounts_count++;
	return account;
}

static struct ctd_account_who *last_who(void)
{
	return &who[view.accounts_count - 1];
}

static int start_over(void **state)
{
	(void)state;
	view.accounts_count = 0;
	view.simulated = false;
	view.cores_count = 1;
	view.cores[0] = (struct ctd_ledger_core){.state = CTD_PMU_LIVE};
	view.totals.folded = 0;
	view.totals.residual_slots = 0;
	view.health.ns_per_switch = 211.4;
	return 0;
}

/* What a node may look like. */
static void add_node(void)
{
	static const struct {
		const char *namespace_name, *pod, *container, *qos;
		double cpus;
		int dominant, percent[4];
	} containers[] = {
		{"shop",
		 "checkout-6f7d9c8b5-x2x9q",
		 "checkout",
		 "Burstable",
		 2.31,
		 10,
		 {18, 4, 12, 66}},
		{"shop", "search-5d9f8c7b6-abcde", "search", "Guaranteed", 1.62, 2, {31, 6, 48, 15}},
		{"analytics", "spark-exec-17", "executor", "Burstable", 0.97, -1, {81, 3, 6, 10}},
		{"media",
		 "thumbnailer-7c6b5-qwert",
		 "convert",
		 "BestEffort",
		 0.41,
		 6,
		 {38, 41, 9, 12}},
		{"kube-system",
		 "coredns-5dd5756b68-8zk2p",
		 "coredns",
		 "Burstable",
		 0.02,
		 8,
		 {28, 9, 39, 24}},
	};
	static const int idle[] = {20, 5, 45, 30}, some[] = {30, 8, 27, 35};

	for (size_t i = 0; i < sizeof(containers) / sizeof(*containers); i++) {
		add_account(CTD_ACCOUNT_CONTAINER, containers[i].cpus, containers[i].dominant,
			    containers[i].percent);
		last_who()->namespace_name = containers[i].namespace_name;
		last_who()->pod = containers[i].pod;
		last_who()->container = containers[i].container;
		last_who()->qos = containers[i].qos;
	}
	add_account(CTD_ACCOUNT_CGROUP, 0.13, -1, some);
	last_who()->cgroup = "/system.slice/containerd.service";
	add_account(CTD_ACCOUNT_CGROUP, 0.0007, -1, some)->recent[0].quality = CTD_LOW_CONFIDENCE;
	last_who()->cgroup = "/system.slice/ssh.service";
	add_account(CTD_ACCOUNT_KERNEL, 0.08, 3, some);
	add_account(CTD_ACCOUNT_IDLE, 2.46, 2, idle);
}

/* @return the page, NUL-terminated, the caller's. */
static char *make_page(void)
{
	struct ctd_strbuf text = {0};
	char *page;

	assert_int_equal(ctd_export_page(&view, &self, &text), 0);
	page = strndup(text.text, text.bytes);
	assert_int_equal(strlen(page), text.bytes);
	ctd_strbuf_free(&text);
	return page;
}

static void the_page_is_as_it_was(void **state)
{
	autofree char *page = NULL;

	(void)state;
	add_node();
	page = make_page();
	golden_compare("page.html", page);
}

static int count(const char *page, const char *text)
{
	int found = 0;

	for (const char *at = page; (at = strstr(at, text)); at += strlen(text))
		found++;
	return found;
}

/* Knows elements, attributes in double quotes and entities, which is all that the page has. */
static void assert_well_formed(const char *page)
{
	const char *open[64];
	size_t depth = 0;

	assert_int_equal(strncmp(page, "<!DOCTYPE html>\n", 16), 0);
	for (const char *at = page + 16; (at = strchr(at, '<')); at++) {
		const char *name = at + 1, *end;
		size_t bytes;

		if (*name == '/') {
			name++;
			assert_true(depth > 0);
			bytes = strcspn(open[--depth], " >");
			assert_int_equal(strncmp(open[depth], name, bytes), 0);
			assert_int_equal(name[bytes], '>');
			continue;
		}
		end = strchr(at, '>');
		assert_non_null(end);
		assert_null(memchr(at + 1, '<', (size_t)(end - at - 1)));
		if (end[-1] != '/') {
			assert_true(depth < 64);
			open[depth++] = name;
		}
	}
	assert_int_equal(depth, 0);
	for (const char *at = page; (at = strchr(at, '&')); at++)
		assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
			    strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0 ||
			    strncmp(at, "&#", 2) == 0);
}

static void it_is_well_formed_and_has_no_script(void **state)
{
	autofree char *page = NULL;

	(void)state;
	add_node();
	page = make_page();
	assert_well_formed(page);
	assert_int_equal(count(page, "<script"), 0);
	assert_int_equal(count(page, "http-equiv=\"refresh\""), 1);
	assert_int_equal(count(page, "<tr>"), 1 + 9);
	assert_int_equal(count(page, "href=\"/metrics\""), 1);
	assert_int_equal(count(page, "href=\"/healthz\""), 1);
	assert_int_equal(count(page, "SIMULATED"), 0);
}

static void a_bottleneck_is_in_words_that_are_explained_below(void **state)
{
	autofree char *page = NULL;

	(void)state;
	add_node();
	page = make_page();
	assert_non_null(strstr(page, "<a href=\"#memory_bound\">memory bound</a>"));
	assert_non_null(strstr(page, "<dt id=\"memory_bound\">"));
	/* Nobody's bottleneck is not explained. */
	assert_null(strstr(page, "<dt id=\"core_bound\">"));
}

static void simulated_slots_are_called_so_in_large_letters(void **state)
{
	autofree char *page = NULL;

	(void)state;
	add_node();
	view.simulated = true;
	page = make_page();
	assert_well_formed(page);
	assert_non_null(strstr(page, "<strong>SIMULATED</strong>"));
	assert_non_null(strstr(page, "<title>SIMULATED"));
}

static void names_are_text_whatever_they_are(void **state)
{
	static const int percent[] = {25, 25, 25, 25};
	autofree char *page = NULL;

	(void)state;
	add_account(CTD_ACCOUNT_CONTAINER, 1, 0, percent);
	last_who()->container = "<script>alert(1)</script>";
	last_who()->namespace_name = "\"><img src=x onerror='y'>&";
	last_who()->pod = "\x1b[31m\xff\xfe \xe2\x80\xae\x7f]]>";
	add_account(CTD_ACCOUNT_CGROUP, 1, 0, percent);
	last_who()->cgroup = "/</table>--><!--";
	page = make_page();
	assert_well_formed(page);
	assert_non_null(strstr(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
	assert_null(strstr(page, "<script"));
	assert_null(strstr(page, "<img"));
	assert_null(strchr(page, '\x1b'));
	assert_null(strstr(page, "\xe2\x80\xae"));
	assert_null(strchr(page, '\xff'));
}

static void what_is_not_known_is_a_dash_and_has_no_bar(void **state)
{
	static const int percent[] = {25, 25, 25, 25};
	struct ctd_account *account;
	autofree char *page = NULL;

	(void)state;
	account = add_account(CTD_ACCOUNT_CGROUP, 1, -1, percent);
	for (int node = 0; node < CTD_LEVEL1_MAX; node++)
		account->recent[node].quality = CTD_NO_DATA;
	view.health.ns_per_switch = NAN;
	page = make_page();
	assert_int_equal(count(page, ">-</td>"), 4);
	assert_int_equal(count(page, "style=\"width"), 0);
	assert_null(strstr(page, "nan"));
}

static void without_counters_there_are_cpus_and_a_word_of_what_to_do(void **state)
{
	autofree char *page = NULL;

	(void)state;
	add_account(CTD_ACCOUNT_CGROUP, 1, -1, NULL);
	view.cores[0].state = CTD_PMU_ABSENT;
	page = make_page();
	assert_well_formed(page);
	assert_non_null(strstr(page, "cgtopdown doctor</code> on this machine"));
	assert_null(strstr(page, "class=\"bar\""));
	assert_non_null(strstr(page, ">1.00</td>"));
}

static void each_kind_of_cores_says_what_its_counters_are_good_for(void **state)
{
	autofree char *page = NULL;

	(void)state;
	view.cores_count = 2;
	view.cores[0] = (struct ctd_ledger_core){.name = "P-core", .state = CTD_PMU_LIVE};
	view.cores[1] = (struct ctd_ledger_core){.name = "E<core", .state = CTD_PMU_STARVED};
	page = make_page();
	assert_well_formed(page);
	assert_non_null(strstr(page, "of P-cores live: everything"));
	assert_non_null(strstr(page, "<br/>of E&lt;cores starved: "));
	assert_int_equal(count(page, "class=\"notice\">Counters of E&lt;cores starved: "), 1);
	assert_int_equal(count(page, "class=\"notice\""), 1);
}

static void the_busiest_come_first_and_the_rest_is_counted(void **state)
{
	static const int percent[] = {25, 25, 25, 25};
	static char names[ACCOUNTS_MAX][16];
	autofree char *page = NULL;

	(void)state;
	add_account(CTD_ACCOUNT_IDLE, 100, -1, percent);
	for (int i = 0; i < 120; i++) {
		snprintf(names[i], sizeof(names[i]), "/cgroup-%d;", i);
		add_account(CTD_ACCOUNT_CGROUP, i / 100.0, -1, percent);
		last_who()->cgroup = names[i];
	}
	page = make_page();
	assert_int_equal(count(page, "<tr>"), 1 + 50);
	assert_true(strstr(page, "/cgroup-119;") < strstr(page, "/cgroup-118;"));
	assert_null(strstr(page, "/cgroup-69;"));
	assert_non_null(strstr(page, "71 more"));
}

static void a_page_of_nothing_is_a_page(void **state)
{
	autofree char *page = NULL;

	(void)state;
	page = make_page();
	assert_well_formed(page);
	assert_non_null(strstr(page, "Nothing has run yet"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_page_is_as_it_was, start_over),
		cmocka_unit_test_setup(it_is_well_formed_and_has_no_script, start_over),
		cmocka_unit_test_setup(a_bottleneck_is_in_words_that_are_explained_below,
				       start_over),
		cmocka_unit_test_setup(simulated_slots_are_called_so_in_large_letters, start_over),
		cmocka_unit_test_setup(names_are_text_whatever_they_are, start_over),
		cmocka_unit_test_setup(what_is_not_known_is_a_dash_and_has_no_bar, start_over),
		cmocka_unit_test_setup(without_counters_there_are_cpus_and_a_word_of_what_to_do,
				       start_over),
		cmocka_unit_test_setup(each_kind_of_cores_says_what_its_counters_are_good_for,
				       start_over),
		cmocka_unit_test_setup(the_busiest_come_first_and_the_rest_is_counted, start_over),
		cmocka_unit_test_setup(a_page_of_nothing_is_a_page, start_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
