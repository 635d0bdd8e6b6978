/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_caches.c - CPUs that share their last cache, as sysfs tells of them. */
#include "collect/caches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"
#include "unit/identity/tree.h"

#define CPUS 8
#define SYSTEM "/sys/devices/system/"

static struct tree tree;

static void put_cache(int cpu, int index, int level, const char *shared)
{
	char path[96], text[16];

	snprintf(path, sizeof(path), SYSTEM "cpu/cpu%d/cache/index%d", cpu, index);
	tree_directory(&tree, path);
	snprintf(path, sizeof(path), SYSTEM "cpu/cpu%d/cache/index%d/level", cpu, index);
	snprintf(text, sizeof(text), "%d\n", level);
	tree_file(&tree, path, text);
	snprintf(path, sizeof(path), SYSTEM "cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
	tree_file(&tree, path, shared);
}

/* A CPU with caches of its own, and one that it shares. */
static void put_cpu(int cpu, const char *shared)
{
	char own[16];

	snprintf(own, sizeof(own), "%d\n", cpu);
	put_cache(cpu, 0, 1, own);
	put_cache(cpu, 1, 1, own);
	put_cache(cpu, 2, 2, own);
	if (shared)
		put_cache(cpu, 3, 3, shared);
}

static void put_nodes(const char *first, const char *third)
{
	tree_directory(&tree, SYSTEM "node/node0");
	tree_directory(&tree, SYSTEM "node/node2");
	tree_file(&tree, SYSTEM "node/online", "0,2\n");
	tree_file(&tree, SYSTEM "node/node0/cpulist", first);
	tree_file(&tree, SYSTEM "node/node2/cpulist", third);
}

static int make_root(void **state)
{
	(void)state;
	tree_new(&tree);
	ctd_root_set(tree.root);
	return 0;
}

static int remove_root(void **state)
{
	(void)state;
	ctd_root_set(NULL);
	tree_free(&tree);
	return 0;
}

static struct ctd_caches find(uint8_t cache_of[CPUS])
{
	struct ctd_caches caches;

	assert_int_equal(ctd_caches_find(CPUS, NULL, &caches, cache_of), 0);
	return caches;
}

static void cpus_are_told_apart_by_the_cache_that_cores_share(void **state)
{
	static const uint8_t wanted[CPUS] = {0, 0, 1, 1, 0, 0, 2, 3};
	uint8_t cache_of[CPUS];
	struct ctd_caches caches;

	(void)state;
	for (int cpu = 0; cpu < 6; cpu++)
		put_cpu(cpu, cpu == 2 || cpu == 3 ? "2-3\n" : "0-1,4-5\n");
	put_cpu(6, "6\n");
	/* CPU 7 is offline. */
	put_nodes("0-1,4-5\n", "2-3,6-7\n");
	caches = find(cache_of);
	assert_int_equal(caches.count, 3);
	assert_memory_equal(cache_of, wanted, sizeof(wanted));
	assert_int_equal(caches.node[0], 0);
	assert_int_equal(caches.node[1], 2);
	assert_int_equal(caches.node[2], 2);
	assert_int_equal(ctd_caches_nodes(&caches), 2);
	assert_int_equal(ctd_caches_parts(&caches), 4);
}

/* As with sub-NUMA clusters: what is said to be one cache is divided between the nodes. */
static void a_cache_of_two_nodes_is_two(void **state)
{
	static const uint8_t wanted[CPUS] = {0, 0, 1, 1, 0, 0, 1, 1};
	uint8_t cache_of[CPUS];
	struct ctd_caches caches;

	(void)state;
	for (int cpu = 0; cpu < CPUS; cpu++)
		put_cpu(cpu, "0-7\n");
	put_nodes("0-1,4-5\n", "2-3,6-7\n");
	caches = find(cache_of);
	assert_int_equal(caches.count, 2);
	assert_int_equal(caches.node[1], 2);
	assert_memory_equal(cache_of, wanted, sizeof(wanted));
}

/* As where the firmware does not tell of them. */
static void nodes_are_told_apart_where_caches_are_not_known(void **state)
{
	static const uint8_t wanted[CPUS] = {0, 0, 0, 0, 1, 1, 1, 2};
	uint8_t cache_of[CPUS];
	struct ctd_caches caches;

	(void)state;
	for (int cpu = 0; cpu < CPUS; cpu++)
		put_cpu(cpu, NULL);
	/* The last CPU is offline. */
	put_nodes("0-3\n", "4-6\n");
	caches = find(cache_of);
	assert_int_equal(caches.count, 2);
	assert_int_equal(caches.node[0], 0);
	assert_int_equal(caches.node[1], 2);
	assert_memory_equal(cache_of, wanted, sizeof(wanted));
}

#define MANY 80

static struct ctd_caches find_many(int caches, uint8_t cache_of[MANY])
{
	struct ctd_caches found;

	for (int cpu = 0; cpu < MANY; cpu++) {
		char shared[32];
		int each = MANY / caches, first = cpu - cpu % each;

		snprintf(shared, sizeof(shared), "%d-%d\n", first, first + each - 1);
		put_cpu(cpu, shared);
	}
	put_nodes("0-39\n", "40-79\n");
	assert_int_equal(ctd_caches_find(MANY, NULL, &found, cache_of), 0);
	return found;
}

static void nodes_are_told_apart_where_caches_are_too_many(void **state)
{
	uint8_t cache_of[MANY];
	struct ctd_caches caches;

	(void)state;
	caches = find_many(40, cache_of);
	assert_int_equal(caches.count, 2);
	assert_int_equal(cache_of[39], 0);
	assert_int_equal(cache_of[40], 1);
	caches = find_many(20, cache_of);
	assert_int_equal(caches.count, 20);
	assert_int_equal(ctd_caches_nodes(&caches), 2);
	assert_int_equal(cache_of[79], 19);
}

static void one_cache_is_nothing_to_tell_apart(void **state)
{
	uint8_t cache_of[CPUS];

	(void)state;
	for (int cpu = 0; cpu < CPUS; cpu++)
		put_cpu(cpu, "0-7\n");
	assert_int_equal(find(cache_of).count, 0);
	for (int cpu = 0; cpu < CPUS; cpu++)
		assert_int_equal(cache_of[cpu], 0);
}

/* Where cores share no cache that sysfs knows of, as on Arm, or as in a virtual machine that makes
 * a socket of each, they may share one for all that. */
static void caches_of_single_cores_are_none(void **state)
{
	static const uint8_t by_node[CPUS] = {0, 0, 0, 0, 1, 1, 1, 1};
	static const int siblings[CPUS] = {1, 0, 3, 2, 5, 4, 7, 6};
	static const int others[CPUS] = {4, 5, 6, 7, 0, 1, 2, 3};
	uint8_t cache_of[CPUS];
	struct ctd_caches caches;

	(void)state;
	for (int cpu = 0; cpu < CPUS; cpu++)
		put_cpu(cpu, NULL);
	assert_int_equal(find(cache_of).count, 0);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		char shared[16];

		snprintf(shared, sizeof(shared), "%d\n", cpu);
		put_cache(cpu, 3, 3, shared);
	}
	assert_int_equal(find(cache_of).count, 0);
	put_nodes("0-3\n", "4-7\n");
	assert_int_equal(find(cache_of).count, 2);
	assert_memory_equal(cache_of, by_node, sizeof(by_node));
	/* The hardware threads of a core are one. */
	for (int cpu = 0; cpu < CPUS; cpu++) {
		char shared[16];

		snprintf(shared, sizeof(shared), "%d-%d\n", cpu & ~1, cpu | 1);
		put_cache(cpu, 3, 3, shared);
	}
	assert_int_equal(ctd_caches_find(CPUS, siblings, &caches, cache_of), 0);
	assert_int_equal(caches.count, 2);
	assert_memory_equal(cache_of, by_node, sizeof(by_node));
	assert_int_equal(ctd_caches_find(CPUS, others, &caches, cache_of), 0);
	assert_int_equal(caches.count, 4);
}

static void what_is_not_there_or_no_list_is_not_known(void **state)
{
	uint8_t cache_of[CPUS];

	(void)state;
	assert_int_equal(find(cache_of).count, 0);
	/* Each says that others share it, and not itself; or nonsense. */
	for (int cpu = 0; cpu < CPUS; cpu++)
		put_cpu(cpu, cpu % 2 ? "nonsense\n" : "1\n");
	assert_int_equal(find(cache_of).count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cpus_are_told_apart_by_the_cache_that_cores_share,
						make_root, remove_root),
		cmocka_unit_test_setup_teardown(a_cache_of_two_nodes_is_two, make_root,
						remove_root),
		cmocka_unit_test_setup_teardown(nodes_are_told_apart_where_caches_are_not_known,
						make_root, remove_root),
		cmocka_unit_test_setup_teardown(nodes_are_told_apart_where_caches_are_too_many,
						make_root, remove_root),
		cmocka_unit_test_setup_teardown(one_cache_is_nothing_to_tell_apart, make_root,
						remove_root),
		cmocka_unit_test_setup_teardown(caches_of_single_cores_are_none, make_root,
						remove_root),
		cmocka_unit_test_setup_teardown(what_is_not_there_or_no_list_is_not_known,
						make_root, remove_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
