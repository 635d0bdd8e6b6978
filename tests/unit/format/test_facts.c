/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_facts.c - a row says only what is true for all of it. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"

static struct ctd_identity container = {
	.path = "/pod/c",
	.kind = CTD_IS_CONTAINER,
	.qos = CTD_QOS_BURSTABLE,
	.runtime = "docker",
	.container_id = "abc",
	.pod_uid = "uid",
	.names.namespace_name = "shop",
	.names.pod_name = "cart-0",
	.names.container_name = "web",
	.names.image = "",
	.names.owner_kind = "Deployment",
	.names.owner_name = "cart",
};

static void facts_follow_the_kind_of_the_row(void **state)
{
	struct ctd_report_row row = {.kind = CTD_ROLLUP_CONTAINER, .identity = &container};
	struct ctd_row_facts facts;

	(void)state;
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_string_equal(facts.cgroup, "/pod/c");
	assert_string_equal(facts.container, "web");
	assert_string_equal(facts.container_id, "abc");
	assert_string_equal(facts.qos, "Burstable");
	assert_null(facts.image);

	/* Several containers: neither one's name nor its path is the pod's. */
	row.kind = CTD_ROLLUP_POD;
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_string_equal(facts.pod, "cart-0");
	assert_string_equal(facts.pod_uid, "uid");
	assert_null(facts.container_id);
	assert_null(facts.cgroup);

	row.kind = CTD_ROLLUP_NAMESPACE;
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_string_equal(facts.namespace_name, "shop");
	assert_null(facts.pod);
	assert_null(facts.cgroup);

	/* A namespace has many owners, an owner many pods. */
	assert_null(facts.owner);
	row.kind = CTD_ROLLUP_OWNER;
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_string_equal(facts.namespace_name, "shop");
	assert_string_equal(facts.owner_kind, "Deployment");
	assert_string_equal(facts.owner, "cart");
	assert_null(facts.pod);
	assert_null(facts.node);

	/* Pods of an owner are on several machines. */
	container.node = "node-1";
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_null(facts.node);
	row.kind = CTD_ROLLUP_POD;
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_string_equal(facts.node, "node-1");
	row.kind = CTD_ROLLUP_NODE;
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_string_equal(facts.node, "node-1");
	assert_null(facts.namespace_name);
	container.node = NULL;

	row.identity = NULL;
	ctd_row_facts(row.kind, row.identity, &facts);
	assert_null(facts.namespace_name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_follow_the_kind_of_the_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
