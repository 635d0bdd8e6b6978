/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_otlp.c - a ledger as a protobuf message, read back by protoc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cgtopdown/export.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "golden.h"
#include "otlp/view.h"
#include "protoc.h"

static const struct ctd_self self = {
	.version = "1.2.3",
	.started_ns = VIEW_BEGUN_NS - 5,
	.cpu_ns = 250000000,
	.resident_bytes = 4096,
	.virtual_bytes = 8192,
	.names_found = 3,
	.otlp = true,
	.otlp_sent = 7,
	.otlp_queued = 1,
};
static const struct ctd_otlp_resource place = {
	.host_name = "host-1", .node_name = "node-1", .cluster_name = ""};

static char *export_as(const struct made_view *made, const struct ctd_self *sender, size_t first,
		       size_t accounts_max)
{
	struct ctd_strbuf message = {0};
	char *text;

	assert_int_equal(
		ctd_export_otlp(&made->view, sender, &place, first, accounts_max, &message), 0);
	text = protoc_decode("cat", "otlp/metrics.proto", "otlp.ExportMetricsServiceRequest",
			     &message);
	ctd_strbuf_free(&message);
	return text;
}

static char *export_text(const struct made_view *made, size_t first, size_t accounts_max)
{
	return export_as(made, &self, first, accounts_max);
}

static size_t occurrences(const char *text, const char *part)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		count++;
	return count;
}

/* An attribute or a point is a line. */
static void shorten(char *text)
{
	size_t indent = 0;
	char *out = text;

	for (char *line = text, *end; *line; line = end) {
		size_t spaces = strspn(line, " ");

		end = strchrnul(line, '\n');
		end += *end == '\n';
		if (indent && spaces >= indent) {
			out[-1] = ' ';
			line += spaces;
		}
		if (indent && spaces == indent)
			indent = 0;
		else if (!indent && (strncmp(line + spaces, "attributes {", 12) == 0 ||
				     strncmp(line + spaces, "data_points {", 13) == 0))
			indent = spaces;
		memmove(out, line, (size_t)(end - line));
		out += end - line;
	}
	*out = '\0';
}

/* One account, not of a container's or with all that can be known of one. */
static char *export_one(struct ctd_account_who *who)
{
	struct made_view *made = make_view(1, 1);
	char *text;

	view_count(&made->accounts[0], who, 800);
	text = export_text(made, 0, 1);
	free_view(made);
	return text;
}

static void everything_there_is_to_know_of_a_node_is_in_its_message(void **state)
{
	static const struct ctd_label labels[] = {
		{.name = (char *)"app.kubernetes.io/name", .value = (char *)"cart"}};
	static struct ctd_account_who whos[] = {
		{.kind = CTD_ACCOUNT_CONTAINER,
		 .namespace_name = "shop",
		 .pod = "cart-0",
		 .container = "web",
		 .container_id = VIEW_ID,
		 .pod_uid = "11112222-3333-4444",
		 .runtime = "containerd",
		 .image = "registry.example:5000/web:1@sha256:ab",
		 .qos = "Burstable",
		 .owner_kind = "StatefulSet",
		 .owner_name = "cart",
		 .path = "/kubepods/a",
		 .labels = labels,
		 .labels_count = 1},
		{.kind = CTD_ACCOUNT_CONTAINER,
		 .container = "d\xff"
			      "b",
		 .container_id = "d",
		 .runtime = "docker"},
		{.kind = CTD_ACCOUNT_CGROUP,
		 .cgroup = "/system.slice/ssh.service",
		 .core = "P-core"},
		{.kind = CTD_ACCOUNT_IDLE},
	};
	struct made_view *made = make_view(1, 4);
	autofree char *text = NULL;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		view_count(&made->accounts[i], &whos[i], 800000000 * (i + 1));
	/* Its counters never counted. */
	made->accounts[1].slots_known = false;
	made->accounts[1].counted_ns = 0;
	/* Of these only a part is known. */
	for (size_t i = 2; i < 4; i++)
		made->accounts[i].node_slots_known = 1;
	made->accounts[3].begun_ns += 500;
	made->view.totals = (struct ctd_node_totals){.slots_known = true,
						     .unattributed_slots = 24,
						     .residual_slots = -3,
						     .unattributed_ns = 1500000000,
						     .intervals = 1,
						     .health = {[CTD_HEALTH_SWITCHES] = 12345},
						     .bpf_ns = 1000};
	made->view.core_types[0].totals = (struct ctd_core_totals){
		.slots_known = true, .unattributed_slots = 24, .residual_slots = -3};
	text = export_text(made, 0, 10);
	shorten(text);
	golden_compare("otlp-node.txt", text);
	free_view(made);
}

static void what_is_not_known_is_left_out(void **state)
{
	struct made_view *made = make_view(1, 1);
	static struct ctd_account_who who = {.container = "a"};
	autofree char *text = NULL;

	(void)state;
	view_count(&made->accounts[0], &who, 800);
	made->accounts[0].slots_known = false;
	made->accounts[0].node_slots_known = 0;
	made->view.core_types[0] = core_type_of("", NULL);
	made->view.level = 0;
	text = export_text(made, 0, 1);
	assert_int_equal(occurrences(text, "slots"), 0);
	assert_int_equal(occurrences(text, "counted_time"), 0);
	assert_int_equal(occurrences(text, "k8s.pod"), 0);
	assert_int_equal(occurrences(text, "kubelet"), 0);
	assert_int_equal(occurrences(text, "container.cpu.time"), 1);
	assert_int_equal(occurrences(text, "string_value: \"\""), 0);
	free_view(made);
}

static void parts_of_a_view_have_each_account_once_and_the_node_first(void **state)
{
	struct made_view *made = make_node_view(3, 5);
	size_t containers = 0, nodes = 0, cgroups = 0;

	(void)state;
	for (size_t first = 0; first < made->view.accounts_count; first += 3) {
		autofree char *text = export_text(made, first, 3);

		containers += occurrences(text, "\"container.cpu.time\"");
		nodes += occurrences(text, "\"process.cpu.time\"");
		cgroups += occurrences(text, "string_value: \"/system.slice/ssh.service\"") > 0;
		assert_int_equal(occurrences(text, "cgtopdown.simulated"),
				 occurrences(text, "resource {"));
		assert_int_equal(occurrences(text, "\"process.cpu.time\""), first == 0);
	}
	assert_int_equal(containers, 5);
	assert_int_equal(nodes, 1);
	assert_int_equal(cgroups, 1);
	free_view(made);
}

static void an_empty_ledger_still_has_a_node(void **state)
{
	struct made_view *made = make_view(1, 0);
	autofree char *text = export_text(made, 0, 10);

	(void)state;
	assert_int_equal(occurrences(text, "resource {"), 1);
	assert_int_equal(occurrences(text, "\"cgtopdown.pmu.state\""), 1);
	free_view(made);
}

static void kinds_of_cores_have_points_of_their_own(void **state)
{
	struct made_view *made = make_view(1, 2);
	static struct ctd_account_who whos[] = {{.container = "a", .core = "P-core"},
						{.container = "a", .core = "E-core"}};
	struct ctd_ledger_core_type *types = made->view.core_types;
	autofree char *text = NULL;

	(void)state;
	made->view.core_types_count = 3;
	types[1] = types[2] = types[0];
	snprintf(types[0].name, sizeof(types[0].name), "P-core");
	snprintf(types[1].name, sizeof(types[1].name), "E-core");
	snprintf(types[2].name, sizeof(types[2].name), "other");
	types[1].state = CTD_PMU_STARVED;
	types[2].model = NULL;
	types[2].state = CTD_PMU_ABSENT;
	types[0].totals = (struct ctd_core_totals){.slots_known = true, .residual_slots = -3};
	types[1].totals = (struct ctd_core_totals){.slots_known = true, .residual_slots = 3};
	for (size_t i = 0; i < 2; i++)
		view_count(&made->accounts[i], &whos[i], 800);
	made->accounts[1].core_type = 1;
	text = export_text(made, 0, 2);
	/* One point of each figure and node, five totals, as many states as there are, CPUs,
	 * info, and the time of ended rows, which takes no counters. */
	assert_int_equal(occurrences(text, "\"other\""), CTD_PMU_STATES + 2);
	assert_int_equal(occurrences(text, "\"P-core\""), occurrences(text, "\"E-core\""));
	assert_true(occurrences(text, "\"P-core\"") > CTD_PMU_STATES + 6);
	assert_int_equal(occurrences(text, "as_int: -3\n"), 1);
	assert_int_equal(occurrences(text, "\"sim+sim\""), 1);
	free_view(made);
}

static void ipc_counts_come_with_the_time_that_they_are_of(void **state)
{
	struct made_view *made = make_view(1, 1);
	static struct ctd_account_who who = {.container = "a"};
	autofree char *text = NULL;

	(void)state;
	view_count(&made->accounts[0], &who, 800);
	made->view.core_types[0] = core_type_of("", ctd_cpu_model_find("golden_cove"));
	made->accounts[0].node_slots_known = 0;
	made->accounts[0].ipc = (struct ctd_ipc_counts){4, {4001, 5001, 61, 71}, 375000000};
	text = export_text(made, 0, 1);
	assert_int_equal(occurrences(text, "as_int: 4001\n"), 1);
	assert_int_equal(occurrences(text, "as_int: 5001\n"), 1);
	assert_int_equal(occurrences(text, "as_int: 61\n"), 1);
	assert_int_equal(occurrences(text, "as_int: 71\n"), 1);
	assert_int_equal(occurrences(text, "\"llc\""), 1);
	assert_int_equal(occurrences(text, "as_double: 0.375\n"), 1);
	assert_int_equal(occurrences(text, "\"container.cpu.general.counted_time\""), 1);
	assert_int_equal(occurrences(text, "\"container.cpu.instructions\""), 1);
	free_view(made);
}

/* Eight buckets of waits that are counted in 19, without those before them. */
static void a_histogram_of_waits_comes_if_asked_for(void **state)
{
	static const char figures[] =
		"count: 26 sum: 1.5 bucket_counts: 10 bucket_counts: 0 bucket_counts: 0 "
		"bucket_counts: 9 bucket_counts: 0 bucket_counts: 0 bucket_counts: 0 "
		"bucket_counts: 7 explicit_bounds: 6.5536e-05 explicit_bounds: 0.000262144 "
		"explicit_bounds: 0.001048576 explicit_bounds: 0.004194304 "
		"explicit_bounds: 0.016777216 explicit_bounds: 0.067108864 "
		"explicit_bounds: 0.268435456 attributes {";
	static struct ctd_account_who who = {.kind = CTD_ACCOUNT_KERNEL};
	struct made_view *made = make_view(1, 1);
	struct ctd_self asking = self;

	(void)state;
	view_count(&made->accounts[0], &who, 800);
	made->accounts[0].waits_known = true;
	made->accounts[0].waits =
		(struct ctd_waits){.ns = {[CTD_WAIT_OTHER] = 1500000000},
				   .histogram = {[0] = 4, [4] = 6, [10] = 9, [17] = 2, [18] = 5}};
	for (int asked = 0; asked < 2; asked++) {
		autofree char *text = NULL;

		asking.wait_histogram = asked;
		text = export_as(made, &asking, 0, 1);
		shorten(text);
		assert_int_equal(occurrences(text, "\"cgroup.cpu.waits\""), 1);
		assert_int_equal(occurrences(text, "\"cgroup.cpu.wait_duration\""), asked);
		if (asked && !strstr(text, figures))
			fail_msg("%s", strstr(text, "wait_duration"));
		assert_int_equal(occurrences(text, "histogram {"), asked);
	}
	free_view(made);
}

static void totals_of_pairs_are_points_of_the_node(void **state)
{
	static struct ctd_account_who victim = {.pod = "cart-0", .container = "web"};
	static struct ctd_account_who occupier = {.kind = CTD_ACCOUNT_CGROUP, .cgroup = "/hog"};
	struct ctd_pair_total totals[] = {
		{.pair = {.wait_ns = 1500000000, .waits = 17, .preempted = 13},
		 .begun_ns = VIEW_BEGUN_NS + 250000000,
		 .what = "shown",
		 .victim = view_who(&victim),
		 .occupier = view_who(&occupier)},
		{.pair = {.wait_ns = 125000000, .waits = 5},
		 .begun_ns = VIEW_BEGUN_NS + 125000000,
		 .what = "other"},
	};
	struct made_view *made = make_view(1, 0);
	autofree char *text = NULL;

	(void)state;
	made->view.pair_totals = totals;
	made->view.pair_totals_count = 2;
	text = export_text(made, 0, 1);
	assert_int_equal(occurrences(text, "\"cgtopdown.pair.wait_time\""), 1);
	assert_int_equal(occurrences(text, "as_double: 1.5\n"), 1);
	assert_int_equal(occurrences(text, "as_double: 0.125\n"), 1);
	assert_int_equal(occurrences(text, "as_int: 17\n"), 1);
	assert_int_equal(occurrences(text, "as_int: 13\n"), 1);
	/* Of each of three metrics one point has both names, and one has none. */
	assert_int_equal(occurrences(text, "\"cgtopdown.pair\""), 6);
	assert_int_equal(occurrences(text, "\"cgtopdown.victim.container\""), 3);
	assert_int_equal(occurrences(text, "\"cgtopdown.occupier.cgroup\""), 3);
	assert_int_equal(occurrences(text, "\"cgtopdown.occupier.container\""), 0);
	/* A pair that comes again begins anew: each says since when it counts. */
	assert_int_equal(occurrences(text, "start_time_unix_nano: 1767323000250000000\n"), 3);
	assert_int_equal(occurrences(text, "start_time_unix_nano: 1767323000125000000\n"), 3);
	free_view(made);
}

static void functions_are_points_of_their_container_or_row(void **state)
{
	static struct ctd_account_who web = {
		.kind = CTD_ACCOUNT_CONTAINER, .pod = "cart-0", .container = "web"};
	static struct ctd_account_who kernel = {.kind = CTD_ACCOUNT_KERNEL};
	const struct ctd_function_total totals[] = {
		{CTD_FUNCTION_OTHER, VIEW_BEGUN_NS + 125000000, {.cpu_ns = 125000000}},
		{"parse<\"a\">", VIEW_BEGUN_NS + 250000000, {1500000000, {17, 0, 0, 13}}},
	};
	const struct ctd_account_functions both = {totals, 2, 1u << 0 | 1u << 3};
	const struct ctd_account_functions first = {totals, 1, 0};
	struct made_view *made = make_view(1, 2);
	autofree char *text = NULL;

	(void)state;
	view_count(&made->accounts[0], &web, 100);
	view_count(&made->accounts[1], &kernel, 100);
	made->accounts[0].functions = &both;
	made->accounts[1].functions = &first;
	text = export_text(made, 0, 2);
	assert_int_equal(occurrences(text, "\"container.cpu.function.time\""), 1);
	assert_int_equal(occurrences(text, "\"cgroup.cpu.function.time\""), 1);
	assert_int_equal(occurrences(text, "as_double: 1.5\n"), 1);
	assert_int_equal(occurrences(text, "as_double: 0.125\n"), 2);
	/* Of the kernel no slots are known. */
	assert_int_equal(occurrences(text, "cpu.topdown.function.slots\""), 1);
	assert_int_equal(occurrences(text, "as_int: 17\n"), 1);
	assert_int_equal(occurrences(text, "as_int: 13\n"), 1);
	assert_int_equal(occurrences(text, "\"parse<\\\"a\\\">\""), 3);
	assert_int_equal(occurrences(text, "\"code.function.name\""), 7);
	/* Each since it has its place. */
	assert_int_equal(occurrences(text, "start_time_unix_nano: 1767323000250000000\n"), 3);
	free_view(made);
}

static void owners_and_images_have_the_names_of_the_conventions(void **state)
{
	static struct {
		int line;
		struct ctd_account_who who;
		const char *wanted[3], *not_wanted;
	} cases[] = {
		{__LINE__,
		 {.owner_kind = "Job", .owner_name = "backup"},
		 {"k8s.job.name", "\"backup\""},
		 "cgtopdown.owner"},
		{__LINE__,
		 {.owner_kind = "Rollout", .owner_name = "shop"},
		 {"cgtopdown.owner.kind", "\"Rollout\"", "\"shop\""},
		 "k8s."},
		{__LINE__, {.owner_kind = "Job"}, {0}, "k8s.job"},
		{__LINE__, {.image = "host:5000/a"}, {"\"host:5000/a\""}, "image.tag"},
		{__LINE__,
		 {.image = "host:5000/a:b"},
		 {"\"host:5000/a\"", "container.image.tag", "\"b\""},
		 "digest"},
		{__LINE__, {.image = "a@sha256:0"}, {"\"a\"", "\"sha256:0\""}, "image.tag"},
		{__LINE__, {.image = "sha256:0"}, {"container.image.id"}, "image.tag"},
		{__LINE__,
		 {.container = "a", .pod = "p"},
		 {"k8s.container.name"},
		 "\"container.name"},
		{__LINE__, {.container = "a"}, {"\"container.name\""}, "k8s."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		autofree char *all = export_one(&cases[i].who);
		char *node = strstr(all, "service.name");

		assert_non_null(node);
		*node = '\0';
		for (size_t at = 0; at < 3 && cases[i].wanted[at]; at++)
			if (!strstr(all, cases[i].wanted[at]))
				fail_msg("case of line %d lacks %s:\n%s", cases[i].line,
					 cases[i].wanted[at], all);
		if (strstr(strstr(all, "cgtopdown.kind"), cases[i].not_wanted))
			fail_msg("case of line %d has %s:\n%s", cases[i].line, cases[i].not_wanted,
				 all);
	}
}

static void totals_beyond_signed_integers_still_grow(void **state)
{
	struct made_view *made = make_view(1, 1);
	static struct ctd_account_who who = {.kind = CTD_ACCOUNT_IDLE};
	autofree char *text = NULL;

	(void)state;
	view_count(&made->accounts[0], &who, 0x9000000000000000);
	text = export_text(made, 0, 1);
	assert_non_null(strstr(text, "as_double: 1.0376293541461623e+19"));
	assert_null(strstr(text, "as_int: -"));
	free_view(made);
}

static void no_point_ends_before_it_began(void **state)
{
	struct made_view *made = make_view(1, 1);
	static struct ctd_account_who who = {.container = "a"};
	autofree char *text = NULL;

	(void)state;
	view_count(&made->accounts[0], &who, 800);
	made->accounts[0].begun_ns = made->view.realtime_ns + 1000;
	text = export_text(made, 0, 1);
	assert_non_null(strstr(text, "start_time_unix_nano: 1767323001000000000"));
	assert_null(strstr(text, "1767323001000001000"));
	free_view(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_there_is_to_know_of_a_node_is_in_its_message),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(parts_of_a_view_have_each_account_once_and_the_node_first),
		cmocka_unit_test(an_empty_ledger_still_has_a_node),
		cmocka_unit_test(kinds_of_cores_have_points_of_their_own),
		cmocka_unit_test(ipc_counts_come_with_the_time_that_they_are_of),
		cmocka_unit_test(a_histogram_of_waits_comes_if_asked_for),
		cmocka_unit_test(totals_of_pairs_are_points_of_the_node),
		cmocka_unit_test(functions_are_points_of_their_container_or_row),
		cmocka_unit_test(owners_and_images_have_the_names_of_the_conventions),
		cmocka_unit_test(totals_beyond_signed_integers_still_grow),
		cmocka_unit_test(no_point_ends_before_it_began),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
