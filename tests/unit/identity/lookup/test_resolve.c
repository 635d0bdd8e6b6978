/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_resolve.c - names come to the table by the resolver's thread: at once, later, or not at all.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/root.h"
#include "identity/lookup/resolve.h"
#include "unit/identity/tree.h"

#define ID "0000000000000000000000000000000000000000000000000000000000000001"
#define OTHER "0000000000000000000000000000000000000000000000000000000000000002"
#define THIRD "0000000000000000000000000000000000000000000000000000000000000003"
#define FOURTH "0000000000000000000000000000000000000000000000000000000000000004"
#define FIFTH "0000000000000000000000000000000000000000000000000000000000000005"
#define SIXTH "0000000000000000000000000000000000000000000000000000000000000006"
#define OTHER_UID "64579b12-2b76-470d-b871-3ddb056b24db"
#define UID "d954e009-383d-4570-8831-ab9f5ada1781"
#define POD "/kubepods/burstable/pod" UID
#define DOCKER "/var/lib/docker/containers/"
#define DEFAULT_TASKS "/run/containerd/io.containerd.runtime.v2.task/default/"
#define TASKS "/run/containerd/io.containerd.runtime.v2.task/k8s.io/"
#define BUNDLE(container)                                                                     \
	"{\"annotations\":{\"io.kubernetes.cri.container-name\":\"" container "\","           \
	"\"io.kubernetes.cri.sandbox-name\":\"web\",\"io.kubernetes.cri.sandbox-namespace\":" \
	"\"prod\"}}"
#define PLACED_BUNDLE(container, id)                                                          \
	"{\"linux\":{\"cgroupsPath\":\"" POD "/" id                                           \
	"\"},\"annotations\":{\"io.kubernetes.cri.container-name\":\"" container "\","        \
	"\"io.kubernetes.cri.sandbox-name\":\"web\",\"io.kubernetes.cri.sandbox-namespace\":" \
	"\"prod\"}}"
/* A thread that is not let run for so long is broken: none waits it out. */
#define PATIENCE_NS 20000000000ull

struct fixture {
	struct tree tree;
	struct ctd_identities *identities;
	struct ctd_resolver *resolver;
	int notices;
};

static struct fixture open_fixture(const struct ctd_name_source *source)
{
	struct ctd_resolver_options options = {.source = source};
	struct fixture fixture = {0};

	tree_new(&fixture.tree);
	tree_directory(&fixture.tree, TASKS ID);
	options.root = fixture.tree.root;
	assert_int_equal(ctd_identities_new(&fixture.identities), 0);
	assert_int_equal(ctd_resolver_new(&options, &fixture.resolver), 0);
	return fixture;
}

static void close_fixture(struct fixture *fixture)
{
	ctd_resolver_free(fixture->resolver);
	ctd_identities_free(fixture->identities);
	tree_free(&fixture->tree);
}

static void ask(struct fixture *fixture, uint64_t id, const char *path)
{
	assert_int_equal(ctd_identities_add(fixture->identities, id, path), 0);
	assert_int_equal(ctd_resolver_ask(fixture->resolver,
					  ctd_identities_get(fixture->identities, id)),
			 0);
}

static void take_notice(const struct ctd_identity *identity, void *context)
{
	struct fixture *fixture = context;

	(void)identity;
	fixture->notices++;
}

static const struct ctd_identity *answer_of(struct fixture *fixture, uint64_t id)
{
	ctd_resolver_wait(fixture->resolver, PATIENCE_NS);
	ctd_resolver_apply(fixture->resolver, fixture->identities, take_notice, fixture);
	return ctd_identities_get(fixture->identities, id);
}

/* Until there is a container's name; the pauses of the resolver are in it. */
static const struct ctd_identity *await_name(struct fixture *fixture, uint64_t id, const char *name)
{
	const struct ctd_identity *identity;

	do {
		sched_yield();
		identity = answer_of(fixture, id);
	} while (!identity->names.container_name || strcmp(identity->names.container_name, name));
	return identity;
}

static void what_is_written_is_known_after_the_first_look(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	const struct ctd_identity *identity;
	struct ctd_resolver_counts counts;

	(void)state;
	tree_file(&fixture.tree, TASKS ID "/config.json", BUNDLE("main"));
	ask(&fixture, 7, POD "/" ID);
	identity = answer_of(&fixture, 7);
	assert_string_equal(identity->names.namespace_name, "prod");
	assert_string_equal(identity->names.pod_name, "web");
	assert_string_equal(identity->names.container_name, "main");
	assert_true(identity->names_settled);
	assert_int_equal(fixture.notices, 1);
	ctd_resolver_counts(fixture.resolver, &counts);
	assert_int_equal(counts.waiting, 0);
	assert_int_equal(counts.found, 1);
	assert_int_equal(counts.missing, 0);
	/* What is asked for twice is answered once. */
	ask(&fixture, 7, POD "/" ID);
	answer_of(&fixture, 7);
	assert_int_equal(fixture.notices, 1);
	close_fixture(&fixture);
}

static void what_is_half_written_comes_later(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	struct ctd_resolver_counts counts;
	const struct ctd_identity *identity;

	(void)state;
	tree_file(&fixture.tree, TASKS ID "/config.json", "{\"annotations\":{");
	ask(&fixture, 7, POD "/" ID);
	identity = answer_of(&fixture, 7);
	assert_null(identity->names.container_name);
	assert_false(identity->names_settled);
	ctd_resolver_counts(fixture.resolver, &counts);
	assert_int_equal(counts.waiting, 1);
	assert_int_equal(counts.found, 0);
	tree_file(&fixture.tree, TASKS ID "/config.json", BUNDLE("main"));
	identity = await_name(&fixture, 7, "main");
	assert_true(identity->names_settled);
	ctd_resolver_counts(fixture.resolver, &counts);
	assert_int_equal(counts.found, 1);
	close_fixture(&fixture);
}

static void what_nobody_knows_is_settled_in_the_end(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	struct ctd_resolver_counts counts;

	(void)state;
	ask(&fixture, 7, POD "/" OTHER);
	assert_false(answer_of(&fixture, 7)->names_settled);
	while (!answer_of(&fixture, 7)->names_settled)
		sched_yield();
	ctd_resolver_counts(fixture.resolver, &counts);
	assert_int_equal(counts.waiting, 0);
	assert_int_equal(counts.found, 0);
	assert_int_equal(counts.missing, 1);
	assert_int_equal(fixture.notices, 0);
	close_fixture(&fixture);
}

/* Without logs a pod is named as its containers are; asked for first, it is so at a later look. */
static void a_pod_has_the_names_that_its_containers_say(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	const struct ctd_identity *pod;

	(void)state;
	tree_file(&fixture.tree, TASKS ID "/config.json", BUNDLE("main"));
	ask(&fixture, 7, POD "/" ID);
	answer_of(&fixture, 7);
	ask(&fixture, 8, POD);
	pod = answer_of(&fixture, 8);
	assert_string_equal(pod->names.namespace_name, "prod");
	assert_string_equal(pod->names.pod_name, "web");
	assert_null(pod->names.container_name);
	assert_true(pod->names_settled);
	close_fixture(&fixture);
}

static void the_removed_keep_their_names_and_are_looked_for_once_at_least(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	struct ctd_resolver_counts counts;

	(void)state;
	tree_file(&fixture.tree, TASKS ID "/config.json", BUNDLE("main"));
	ask(&fixture, 7, POD "/" ID);
	ctd_identities_remove(fixture.identities, 7);
	ctd_resolver_leave(fixture.resolver, 7);
	assert_string_equal(answer_of(&fixture, 7)->names.container_name, "main");
	ask(&fixture, 8, POD "/" OTHER);
	ctd_resolver_leave(fixture.resolver, 8);
	answer_of(&fixture, 8);
	assert_true(ctd_identities_get(fixture.identities, 8)->names_settled);
	ctd_identities_forget(fixture.identities, 7);
	ctd_resolver_leave(fixture.resolver, 7);
	ctd_resolver_leave(fixture.resolver, 12345);
	ctd_resolver_counts(fixture.resolver, &counts);
	assert_int_equal(counts.waiting, 0);
	close_fixture(&fixture);
}

static void an_id_under_another_path_is_another_container(void **state)
{
	struct fixture fixture = open_fixture(NULL);

	(void)state;
	tree_directory(&fixture.tree, TASKS OTHER);
	tree_file(&fixture.tree, TASKS ID "/config.json", BUNDLE("main"));
	tree_file(&fixture.tree, TASKS OTHER "/config.json", BUNDLE("side"));
	ask(&fixture, 7, POD "/" ID);
	ask(&fixture, 7, POD "/" OTHER);
	assert_string_equal(answer_of(&fixture, 7)->names.container_name, "side");
	close_fixture(&fixture);
}

static void units_and_paths_have_nothing_to_be_asked_for(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	struct ctd_resolver_counts counts;

	(void)state;
	ask(&fixture, 7, "/system.slice/ssh.service");
	assert_true(answer_of(&fixture, 7)->names_settled);
	ctd_resolver_counts(fixture.resolver, &counts);
	assert_int_equal(counts.waiting + counts.found + counts.missing, 0);
	close_fixture(&fixture);
}

/* Who may make cgroups within its own could call them like any container of the node. */
static void a_container_cannot_pass_for_another(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	const struct ctd_identity *identity;

	(void)state;
	tree_directory(&fixture.tree, TASKS FOURTH);
	tree_directory(&fixture.tree, TASKS FIFTH);
	tree_directory(&fixture.tree, TASKS SIXTH);
	tree_file(&fixture.tree, TASKS SIXTH "/config.json", BUNDLE("inner"));
	tree_directory(&fixture.tree, TASKS OTHER);
	tree_file(&fixture.tree, TASKS ID "/config.json", BUNDLE("main"));
	tree_file(&fixture.tree, TASKS OTHER "/config.json", BUNDLE("side"));
	ask(&fixture, 7, POD "/" ID);
	ask(&fixture, 8, "/kubepods/pod" OTHER_UID "/" OTHER "/pod" UID "/" ID);
	ask(&fixture, 9, "/kubepods/pod" OTHER_UID "/" OTHER POD);
	ask(&fixture, 10, "/system.slice/docker-" ID ".scope/docker/" OTHER);
	tree_file(&fixture.tree, TASKS FOURTH "/config.json", PLACED_BUNDLE("inner", FOURTH));
	ask(&fixture, 11, "/system.slice/docker-" THIRD ".scope" POD "/" FOURTH);
	/* It is not where its files say; nor is that which they say nothing of. */
	tree_file(&fixture.tree, TASKS FIFTH "/config.json", PLACED_BUNDLE("inner", FIFTH));
	ask(&fixture, 12, "/system.slice/docker-" THIRD ".scope/x/" FIFTH);
	ask(&fixture, 13, "/system.slice/docker-" THIRD ".scope" POD "/" SIXTH);
	assert_string_equal(answer_of(&fixture, 7)->names.container_name, "main");
	for (uint64_t id = 8; id <= 10; id++) {
		identity = answer_of(&fixture, id);
		assert_true(identity->names_settled);
		assert_null(identity->names.pod_name);
		assert_null(identity->names.container_name);
	}
	/* As a node of kind sees its own: nothing here tells of the container that it is. */
	assert_string_equal(answer_of(&fixture, 11)->names.container_name, "inner");
	for (uint64_t id = 12; id <= 13; id++) {
		identity = answer_of(&fixture, id);
		assert_null(identity->names.pod_name);
		assert_null(identity->names.container_name);
		assert_false(identity->names.refused);
	}
	close_fixture(&fixture);
}

/* A path that looks like others is a container's from when its runtime says so. */
static void a_container_that_people_named_becomes_one(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	const struct ctd_identity *identity;
	struct ctd_resolver_counts counts;

	(void)state;
	tree_directory(&fixture.tree, DEFAULT_TASKS "c");
	tree_file(&fixture.tree, DEFAULT_TASKS "c/config.json",
		  "{\"linux\":{\"cgroupsPath\":\"/default/c\"}}");
	assert_int_equal(ctd_identities_add(fixture.identities, 7, "/default/c"), 0);
	assert_false(ctd_identities_get(fixture.identities, 7)->names_settled);
	ask(&fixture, 7, "/default/c");
	ask(&fixture, 8, "/default/d");
	identity = answer_of(&fixture, 7);
	assert_int_equal(identity->kind, CTD_IS_CONTAINER);
	assert_string_equal(identity->container_id, "c");
	assert_string_equal(identity->runtime, "containerd");
	assert_string_equal(identity->names.container_name, "c");
	assert_true(identity->names_settled);
	identity = answer_of(&fixture, 8);
	assert_int_equal(identity->kind, CTD_IS_CGROUP);
	assert_true(identity->names_settled);
	ctd_resolver_counts(fixture.resolver, &counts);
	assert_int_equal(counts.found, 1);
	assert_int_equal(counts.missing + counts.waiting, 0);
	close_fixture(&fixture);
}

static void more_than_the_limit_are_refused(void **state)
{
	struct fixture fixture = open_fixture(NULL);
	int error;

	(void)state;
	for (uint64_t id = 1; id <= CTD_RESOLVER_CGROUPS_MAX; id++)
		ask(&fixture, id, POD);
	assert_int_equal(ctd_identities_add(fixture.identities, 99999, POD), 0);
	assert_int_equal(ctd_resolver_ask(fixture.resolver,
					  ctd_identities_get(fixture.identities, 99999)),
			 -ENOSPC);
	/* One that goes makes room; if it is being looked up just then, when that is over. */
	ctd_resolver_wait(fixture.resolver, PATIENCE_NS);
	ctd_resolver_leave(fixture.resolver, 1);
	do {
		answer_of(&fixture, 1);
		error = ctd_resolver_ask(fixture.resolver,
					 ctd_identities_get(fixture.identities, 99999));
	} while (error == -ENOSPC && !sched_yield());
	assert_int_equal(error, 0);
	close_fixture(&fixture);
}

/* A kubelet that knows its pods from its second list on. */
struct kubelet {
	atomic_uint generation;
};

static int find_in_list(void *context, const char *container_id, const char *pod_uid,
			struct ctd_names *ret_names, enum ctd_qos *ret_qos)
{
	struct kubelet *kubelet = context;

	if (atomic_load(&kubelet->generation) < 2 || strcmp(pod_uid, UID) != 0)
		return -ENOENT;
	*ret_names = (struct ctd_names){
		.namespace_name = strdup("prod"),
		.pod_name = strdup("other"),
		.container_name = *container_id ? strdup("main") : NULL,
		.owner_kind = strdup("Deployment"),
		.owner_name = strdup("web"),
	};
	*ret_qos = CTD_QOS_GUARANTEED;
	return *container_id ? 0 : 1;
}

static unsigned generation_of_list(void *context)
{
	struct kubelet *kubelet = context;

	return atomic_load(&kubelet->generation);
}

static void the_kubelet_adds_what_is_on_no_disk_when_it_knows(void **state)
{
	struct kubelet kubelet = {.generation = 1};
	const struct ctd_name_source source = {find_in_list, generation_of_list, &kubelet};
	struct fixture fixture = open_fixture(&source);
	const struct ctd_identity *identity;

	(void)state;
	tree_file(&fixture.tree, TASKS ID "/config.json", BUNDLE("main"));
	ask(&fixture, 7, POD "/" ID);
	identity = answer_of(&fixture, 7);
	assert_string_equal(identity->names.container_name, "main");
	assert_null(identity->names.owner_kind);
	assert_int_equal(identity->qos, CTD_QOS_BURSTABLE);
	assert_true(identity->names_settled);
	atomic_store(&kubelet.generation, 2);
	do {
		sched_yield();
		identity = answer_of(&fixture, 7);
	} while (!identity->names.owner_kind);
	assert_string_equal(identity->names.owner_kind, "Deployment");
	assert_string_equal(identity->names.owner_name, "web");
	/* What the disk says stays. */
	assert_string_equal(identity->names.pod_name, "web");
	assert_int_equal(identity->qos, CTD_QOS_GUARANTEED);
	assert_int_equal(fixture.notices, 2);
	close_fixture(&fixture);
}

/* In a pod's list there are no sandboxes, but the pod. */
static void a_sandbox_has_what_the_kubelet_says_of_its_pod(void **state)
{
	struct kubelet kubelet = {.generation = 2};
	const struct ctd_name_source source = {find_in_list, generation_of_list, &kubelet};
	struct fixture fixture = open_fixture(&source);
	const struct ctd_identity *identity;

	(void)state;
	tree_file(&fixture.tree, TASKS ID "/config.json",
		  "{\"annotations\":{\"io.kubernetes.cri.container-type\":\"sandbox\"}}");
	ask(&fixture, 7, POD "/" ID);
	identity = answer_of(&fixture, 7);
	assert_true(identity->names.sandbox);
	assert_null(identity->names.container_name);
	assert_string_equal(identity->names.owner_name, "web");
	close_fixture(&fixture);
}

static void the_kubelet_alone_is_enough(void **state)
{
	struct kubelet kubelet = {.generation = 2};
	const struct ctd_name_source source = {find_in_list, generation_of_list, &kubelet};
	struct fixture fixture = open_fixture(&source);

	(void)state;
	ask(&fixture, 7, POD "/" OTHER);
	assert_string_equal(answer_of(&fixture, 7)->names.pod_name, "other");
	assert_true(ctd_identities_get(fixture.identities, 7)->names_settled);
	close_fixture(&fixture);
}

static void without_a_root_there_is_no_resolver(void **state)
{
	const struct ctd_resolver_options options = {.root = "/nonexistent"};
	struct ctd_resolver *resolver = NULL;

	(void)state;
	assert_int_equal(ctd_resolver_new(&options, &resolver), -ENOENT);
	ctd_resolver_free(resolver);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_known_after_the_first_look),
		cmocka_unit_test(what_is_half_written_comes_later),
		cmocka_unit_test(what_nobody_knows_is_settled_in_the_end),
		cmocka_unit_test(a_pod_has_the_names_that_its_containers_say),
		cmocka_unit_test(the_removed_keep_their_names_and_are_looked_for_once_at_least),
		cmocka_unit_test(an_id_under_another_path_is_another_container),
		cmocka_unit_test(units_and_paths_have_nothing_to_be_asked_for),
		cmocka_unit_test(a_container_cannot_pass_for_another),
		cmocka_unit_test(a_container_that_people_named_becomes_one),
		cmocka_unit_test(more_than_the_limit_are_refused),
		cmocka_unit_test(the_kubelet_adds_what_is_on_no_disk_when_it_knows),
		cmocka_unit_test(a_sandbox_has_what_the_kubelet_says_of_its_pod),
		cmocka_unit_test(the_kubelet_alone_is_enough),
		cmocka_unit_test(without_a_root_there_is_no_resolver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
