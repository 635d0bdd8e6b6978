/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_on_disk.c - what is written on a host of each kind gives the right names, or none. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "identity/lookup/on_disk.h"
#include "unit/identity/tree.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The hosts' ids: a letter per host, and a number. */
#define ZEROS "000000000000000000000000000000000000000000000000000000"
#define ID(letter, number) letter letter letter letter letter letter letter letter ZEROS "0" number
#define A(number) ID("a", number)
#define B(number) ID("b", number)
#define C(number) ID("c", number)
#define D(number) ID("d", number)
#define E(number) ID("e", number)
#define UID "d954e009-383d-4570-8831-ab9f5ada1781"
#define STATIC_UID "42327637369f97ce7be9827ec349ebf2"
#define POD "/kubepods/burstable/pod" UID
#define SLICE                                            \
	"/kubepods.slice/kubepods-burstable.slice/"      \
	"kubepods-burstable-podd954e009_383d_4570_8831_" \
	"ab9f5ada1781.slice"

struct name_case {
	int line;
	const char *host, *path;
	int result;
	/* NULL: not known */
	const char *namespace_name, *pod_name, *container_name, *image;
	bool sandbox;
};

static const struct name_case cases[] = {
	/* containerd, by both drivers, and where the kubelet's differs from the runtime's */
	{__LINE__, "containerd", POD "/" A("2"), 0, "prod", "web-0", "main",
	 "docker.io/library/nginx:1.25", false},
	{__LINE__, "containerd", SLICE "/cri-containerd-" A("2") ".scope", 0, "prod", "web-0",
	 "main", "docker.io/library/nginx:1.25", false},
	{__LINE__, "containerd", "/kubepods-pod" STATIC_UID ".slice:cri-containerd:" A("2"), 0,
	 "prod", "web-0", "main", "docker.io/library/nginx:1.25", false},
	{__LINE__, "containerd", POD "/" A("1"), 0, "prod", "web-0", NULL, NULL, true},
	{__LINE__, "containerd", POD "/" A("3"), 0, "prod", "web-0", "prepare",
	 "docker.io/library/busybox:1.36", false},
	{__LINE__, "containerd", POD "/" A("4"), 0, "prod", "web-0", "debugger-x7k2p",
	 "sha256:0000000000000000000000000000000000000000000000000000000000000000", false},
	/* its sub-cgroups are its own */
	{__LINE__, "containerd", POD "/" A("2") "/system.slice/cron.service", 0, "prod", "web-0",
	 "main", "docker.io/library/nginx:1.25", false},
	/* k3s; nerdctl; ctr, which names nothing */
	{__LINE__, "containerd", POD "/" A("7"), 0, "kube-system", "router", "edge", "rancher/x:1",
	 false},
	{__LINE__, "containerd", "/system.slice/nerdctl-" A("5") ".scope", 0, NULL, NULL, "cache",
	 NULL, false},
	{__LINE__, "containerd", "/default/" A("5"), 0, NULL, NULL, "cache", NULL, false},
	{__LINE__, "containerd", "/default/" A("6"), -ENOENT, NULL, NULL, NULL, NULL, false},
	/* a name that somebody gave: of its cgroup, not of all that are called so */
	{__LINE__, "containerd", "/default/c1", 0, NULL, NULL, "c1", NULL, false},
	{__LINE__, "containerd", "/default/c1/system.slice/a", 0, NULL, NULL, "c1", NULL, false},
	{__LINE__, "containerd", "/default/c", 0, NULL, NULL, "c", NULL, false},
	{__LINE__, "containerd", "/default/elsewhere", -ENOENT, NULL, NULL, NULL, NULL, false},
	{__LINE__, "containerd", "/default/half", -EAGAIN, NULL, NULL, NULL, NULL, false},
	{__LINE__, "containerd", "/a/default/c1", -ENOENT, NULL, NULL, NULL, NULL, false},
	{__LINE__, "containerd", "/default/../default/c1", -ENOENT, NULL, NULL, NULL, NULL, false},
	{__LINE__, "containerd", "/k8s.io/..", -ENOENT, NULL, NULL, NULL, NULL, false},
	/* a pod's own cgroup, and a container that nobody knows */
	{__LINE__, "containerd", POD, -ENOENT, NULL, NULL, NULL, NULL, false},
	{__LINE__, "containerd", POD "/" A("9"), -ENOENT, NULL, NULL, NULL, NULL, false},
	/* CRI-O: its own words count, not those of others that a pod's owner may write */
	{__LINE__, "crio", SLICE "/crio-" B("2") ".scope", 0, "prod", "web-0", "main",
	 "quay.io/example/web:2", false},
	{__LINE__, "crio", SLICE "/crio-" B("2") ".scope/container", 0, "prod", "web-0", "main",
	 "quay.io/example/web:2", false},
	{__LINE__, "crio", POD "/crio-" B("1"), 0, "prod", "web-0", NULL, "quay.io/example/web:2",
	 true},
	{__LINE__, "crio", POD "/crio-" B("3"), 0, "prod", "web-0", "sidecar",
	 "quay.io/example/web:2", false},
	{__LINE__, "crio", SLICE "/crio-conmon-" B("2") ".scope", -ENOENT, NULL, NULL, NULL, NULL,
	 false},
	/* Docker alone, with a parent of its own, under cri-dockerd */
	{__LINE__, "docker", "/system.slice/docker-" C("1") ".scope", 0, NULL, NULL, "database",
	 "postgres:16", false},
	{__LINE__, "docker", "/docker/" C("1"), 0, NULL, NULL, "database", "postgres:16", false},
	{__LINE__, "docker", "/elsewhere/" C("1"), 0, NULL, NULL, "database", "postgres:16", false},
	{__LINE__, "docker", POD "/" C("3"), 0, "prod", "web-0", "main", "nginx:1.25", false},
	{__LINE__, "docker", SLICE "/docker-" C("3") ".scope", 0, "prod", "web-0", "main",
	 "nginx:1.25", false},
	{__LINE__, "docker", POD "/" C("2"), 0, "prod", "web-0", NULL, "registry.k8s.io/pause:3.9",
	 true},
	/* Podman */
	{__LINE__, "podman", "/machine.slice/libpod-" D("1") ".scope/container", 0, NULL, NULL,
	 "builder", "localhost/builder:1", false},
	{__LINE__, "podman", "/libpod_parent/libpod-" D("2"), 0, NULL, NULL, "brave_kirch",
	 "docker.io/library/alpine:3", false},
	{__LINE__, "podman", "/machine.slice/libpod-" D("3") ".scope", 0, NULL, NULL, "4f5e-infra",
	 "localhost/podman-pause:5", true},
	/* logs alone: any runtime, pods, static pods, and a pod's sandbox, which has none itself */
	{__LINE__, "logs", POD "/" E("1"), 0, "prod", "web-0", "main", NULL, false},
	{__LINE__, "logs", POD "/crio-" E("1"), 0, "prod", "web-0", "main", NULL, false},
	{__LINE__, "logs", "/kubepods/pod" STATIC_UID "/" E("2"), 0, "kube-system", "etcd-node1",
	 "etcd-main", NULL, false},
	{__LINE__, "logs", POD, 0, "prod", "web-0", NULL, NULL, false},
	{__LINE__, "logs", "/kubepods.slice/kubepods-pod" STATIC_UID ".slice", 0, "kube-system",
	 "etcd-node1", NULL, NULL, false},
	{__LINE__, "logs", POD "/" E("9"), -ENOENT, "prod", "web-0", NULL, NULL, false},
	/* in a kind node: its containers are not ours to see, the node is */
	{__LINE__, "docker", "/docker/" C("1") "/kubelet/kubepods/pod" UID "/" A("2"), -ENOENT,
	 NULL, NULL, NULL, NULL, false},
	{__LINE__, "docker", "/docker/" C("1") "/kubelet.slice/kubelet.service", 0, NULL, NULL,
	 "database", "postgres:16", false},
	/* seen from within a private cgroup namespace */
	{__LINE__, "containerd", "/../../pod" UID "/" A("2"), 0, "prod", "web-0", "main",
	 "docker.io/library/nginx:1.25", false},
};

static bool same(const char *got, const char *want)
{
	return got && want ? !strcmp(got, want) : got == want;
}

static void each_kind_of_host_tells_its_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct name_case *wanted = &cases[i];
		struct ctd_identity identity = {.path = (char *)cases[i].path};
		struct ctd_names names = {0};
		struct ctd_disk *disk;
		char root[64];
		int result;

		snprintf(root, sizeof(root), "tests/hosts/%s", wanted->host);
		assert_int_equal(ctd_disk_new(root, &disk), 0);
		ctd_identity_parse(wanted->path, &identity);
		result = ctd_names_look_up(disk, &identity, &names);
		if (result != wanted->result ||
		    !same(names.namespace_name, wanted->namespace_name) ||
		    !same(names.pod_name, wanted->pod_name) ||
		    !same(names.container_name, wanted->container_name) ||
		    !same(names.image, wanted->image) || names.sandbox != wanted->sandbox)
			fail_msg("line %d: %d, %s/%s/%s of %s%s", wanted->line, result,
				 names.namespace_name, names.pod_name, names.container_name,
				 names.image, names.sandbox ? ", sandbox" : "");
		/* The runtime whose files have the names; none if only the kubelet's have them. */
		if (names.runtime && strcmp(names.runtime, wanted->host) != 0)
			fail_msg("line %d: of %s", wanted->line, names.runtime);
		if (!names.runtime && names.container_name && strcmp(wanted->host, "logs") != 0)
			fail_msg("line %d: of no runtime", wanted->line);
		ctd_names_free(&names);
		ctd_disk_free(disk);
	}
}

static void labels_that_were_asked_for_and_times_are_taken_where_files_have_them(void **state)
{
	static const struct {
		int line;
		const char *host, *path, *label, *value; /* NULL: none */
		uint64_t started_s;
	} known[] = {
		{__LINE__, "crio", SLICE "/crio-" B("2") ".scope", "app", "web", 0},
		{__LINE__, "crio", SLICE "/crio-" B("1") ".scope", "app", "web", 0},
		{__LINE__, "docker", SLICE "/docker-" C("3") ".scope", "app", "web", 1788091201},
		{__LINE__, "docker", "/docker/" C("1"), "app", "x", 1788091201},
		{__LINE__, "containerd", POD "/" A("2"), NULL, NULL, 0},
	};
	static const char *const patterns[] = {"ap*"};
	const struct ctd_podlist_labels wanted = {patterns, 1};

	(void)state;
	for (size_t i = 0; i < COUNT(known); i++) {
		struct ctd_identity identity = {.path = (char *)known[i].path};
		struct ctd_names names = {0};
		struct ctd_disk *disk;
		char root[64];

		snprintf(root, sizeof(root), "tests/hosts/%s", known[i].host);
		assert_int_equal(ctd_disk_new(root, &disk), 0);
		ctd_disk_want_labels(disk, &wanted);
		ctd_identity_parse(known[i].path, &identity);
		assert_int_equal(ctd_names_look_up(disk, &identity, &names), 0);
		if (names.labels_count != (known[i].label ? 1 : 0) ||
		    names.started_ns != known[i].started_s * 1000000000 ||
		    (known[i].label && (strcmp(names.labels[0].name, known[i].label) != 0 ||
					strcmp(names.labels[0].value, known[i].value) != 0)))
			fail_msg("line %d: %zu labels, started %llu", known[i].line,
				 names.labels_count, (unsigned long long)names.started_ns);
		ctd_names_free(&names);
		ctd_disk_free(disk);
	}
}

#define BUNDLE "/run/containerd/io.containerd.runtime.v2.task/k8s.io/" A("1")
#define CONFIG BUNDLE "/config.json"
#define WHOLE                                                                                 \
	"{\"annotations\":{\"io.kubernetes.cri.container-name\":\"main\","                    \
	"\"io.kubernetes.cri.sandbox-name\":\"web\",\"io.kubernetes.cri.sandbox-namespace\":" \
	"\"prod\"}}"

/* What a host with this one file says of its container. */
static int look_up(const struct tree *tree, struct ctd_names *ret_names)
{
	struct ctd_identity identity = {0};
	struct ctd_disk *disk;
	int result;

	assert_int_equal(ctd_disk_new(tree->root, &disk), 0);
	ctd_identity_parse(POD "/" A("1"), &identity);
	result = ctd_names_look_up(disk, &identity, ret_names);
	ctd_disk_free(disk);
	return result;
}

static void a_half_written_bundle_is_asked_for_again(void **state)
{
	struct ctd_names names = {0};
	char half[sizeof(WHOLE)] = WHOLE;
	struct tree tree;

	(void)state;
	tree_new(&tree);
	tree_directory(&tree, BUNDLE);
	assert_int_equal(look_up(&tree, &names), -ENOENT);
	for (size_t bytes = 0; bytes < strlen(WHOLE); bytes++) {
		strcpy(half, WHOLE);
		half[bytes] = '\0';
		tree_file(&tree, CONFIG, half);
		assert_int_equal(look_up(&tree, &names), -EAGAIN);
		assert_null(names.container_name);
	}
	tree_file(&tree, CONFIG, WHOLE);
	assert_int_equal(look_up(&tree, &names), 0);
	assert_string_equal(names.container_name, "main");
	ctd_names_free(&names);
	tree_free(&tree);
}

static void names_are_taken_as_they_are_but_for_those_with_a_nul(void **state)
{
	struct ctd_names names = {0};
	struct tree tree;

	(void)state;
	tree_new(&tree);
	tree_directory(&tree, BUNDLE);
	tree_file(&tree, CONFIG,
		  "{\"annotations\":{\"io.kubernetes.cri.container-name\":\"../../etc/passwd\\n\","
		  "\"io.kubernetes.cri.sandbox-name\":\"a\\u0000b\","
		  "\"io.kubernetes.cri.sandbox-namespace\":17,\"x\":\"\\u0000\"}}");
	assert_int_equal(look_up(&tree, &names), -ENOENT);
	assert_string_equal(names.container_name, "../../etc/passwd\n");
	assert_null(names.pod_name);
	assert_null(names.namespace_name);
	ctd_names_free(&names);
	tree_free(&tree);
}

static void what_is_no_document_gives_no_names(void **state)
{
	static const char *const texts[] = {"[]", "{\"annotations\":[]}", "{\"annotations\":null}",
					    "{}", "{\"annotations\":{\"a\":{}}}"};
	static const char *const broken[] = {"\xff\xfe", "{\"annotations\":{\"a\":\"\xc3\"}}",
					     "{} {}", "17", "null"};
	struct ctd_names names = {0};
	struct tree tree;

	(void)state;
	tree_new(&tree);
	tree_directory(&tree, BUNDLE);
	for (size_t i = 0; i < COUNT(texts); i++) {
		tree_file(&tree, CONFIG, texts[i]);
		assert_int_equal(look_up(&tree, &names), -ENOENT);
	}
	for (size_t i = 0; i < COUNT(broken); i++) {
		tree_file(&tree, CONFIG, broken[i]);
		assert_int_equal(look_up(&tree, &names), -EAGAIN);
	}
	tree_free(&tree);
}

static void a_bundle_beyond_all_measure_is_refused(void **state)
{
	struct ctd_names names = {0};
	char path[PATH_MAX];
	struct tree tree;

	(void)state;
	tree_new(&tree);
	tree_directory(&tree, BUNDLE);
	tree_file(&tree, CONFIG, WHOLE);
	snprintf(path, sizeof(path), "%s" CONFIG, tree.root);
	assert_int_equal(truncate(path, CTD_DOCUMENT_BYTES_MAX + 1), 0);
	assert_int_equal(look_up(&tree, &names), -ENOENT);
	assert_null(names.container_name);
	tree_free(&tree);
}

/* Links among directories are followed, but never out of the root; the file itself is none. */
static void links_lead_nowhere_else(void **state)
{
	struct ctd_names names = {0};
	char outside[PATH_MAX], inside[PATH_MAX];
	struct tree tree, other;

	(void)state;
	tree_new(&tree);
	tree_new(&other);
	tree_directory(&tree, BUNDLE);
	tree_directory(&other, "/bundle");
	tree_file(&other, "/bundle/config.json", WHOLE);
	snprintf(outside, sizeof(outside), "%s/bundle/config.json", other.root);
	snprintf(inside, sizeof(inside), "%s" CONFIG, tree.root);
	assert_int_equal(symlink(outside, inside), 0);
	assert_int_equal(look_up(&tree, &names), -ENOENT);
	assert_int_equal(unlink(inside), 0);

	assert_int_equal(mkfifo(inside, 0600), 0);
	assert_int_equal(look_up(&tree, &names), -ENOENT);
	assert_int_equal(unlink(inside), 0);

	snprintf(inside, sizeof(inside), "%s" BUNDLE, tree.root);
	snprintf(outside, sizeof(outside), "%s/bundle", other.root);
	assert_int_equal(rmdir(inside), 0);
	assert_int_equal(symlink(outside, inside), 0);
	assert_int_equal(look_up(&tree, &names), -ENOENT);
	assert_int_equal(unlink(inside), 0);

	/* Absolute, as /var/lib/docker on another disk: it is the host's, whose / is here. */
	tree_directory(&tree, "/data/bundle");
	tree_file(&tree, "/data/bundle/config.json", WHOLE);
	assert_int_equal(symlink("/data/bundle", inside), 0);
	assert_int_equal(look_up(&tree, &names), 0);
	ctd_names_free(&names);
	tree_free(&tree);
	tree_free(&other);
}

static void a_root_that_is_not_there_is_an_error(void **state)
{
	struct ctd_disk *disk = NULL;

	(void)state;
	assert_int_equal(ctd_disk_new("/nonexistent", &disk), -ENOENT);
	assert_null(disk);
	ctd_disk_free(disk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_host_tells_its_names),
		cmocka_unit_test(
			labels_that_were_asked_for_and_times_are_taken_where_files_have_them),
		cmocka_unit_test(a_half_written_bundle_is_asked_for_again),
		cmocka_unit_test(names_are_taken_as_they_are_but_for_those_with_a_nul),
		cmocka_unit_test(what_is_no_document_gives_no_names),
		cmocka_unit_test(a_bundle_beyond_all_measure_is_refused),
		cmocka_unit_test(links_lead_nowhere_else),
		cmocka_unit_test(a_root_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
