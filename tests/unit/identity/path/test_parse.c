/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_parse.c - every known form of a cgroup path, and many hostile ones, give the right identity.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/identity.h>
#include <cgtopdown/runtime.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"
#define NODE "27cc36e6afb1b5da74826cd9040b74276bac77dd7f12efa47d6cf8ae11e1e39d"
#define UID "d954e009-383d-4570-8831-ab9f5ada1781"
#define UID_IN_SLICE "d954e009_383d_4570_8831_ab9f5ada1781"
#define OTHER_UID "64579b12-2b76-470d-b871-3ddb056b24db"
#define OTHER_UID_IN_SLICE "64579b12_2b76_470d_b871_3ddb056b24db"
#define STATIC_UID "42327637369f97ce7be9827ec349ebf2"

#define GUARANTEED_SLICE "/kubepods.slice/kubepods-pod" UID_IN_SLICE ".slice"
#define BURSTABLE_SLICE \
	"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_IN_SLICE ".slice"
#define BESTEFFORT_SLICE \
	"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_IN_SLICE ".slice"
#define KIND_SLICE                                                               \
	"/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice" \
	"/kubelet-kubepods-burstable-pod" UID_IN_SLICE ".slice"

struct path_case {
	int line;
	const char *path;
	const char *runtime; /* NULL: not in a container */
	const char *container_id;
	const char *pod_uid; /* "": not in a pod */
	enum ctd_qos qos;
};

static const struct path_case kubernetes[] = {
	/* containerd, cgroupfs driver */
	{__LINE__, "/kubepods/pod" UID "/" ID, "cri", ID, UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/kubepods/burstable/pod" UID "/" ID, "cri", ID, UID, CTD_QOS_BURSTABLE},
	{__LINE__, "/kubepods/besteffort/pod" UID "/" ID, "cri", ID, UID, CTD_QOS_BESTEFFORT},
	/* containerd, systemd driver */
	{__LINE__, GUARANTEED_SLICE "/cri-containerd-" ID ".scope", "containerd", ID, UID,
	 CTD_QOS_GUARANTEED},
	{__LINE__, BURSTABLE_SLICE "/cri-containerd-" ID ".scope", "containerd", ID, UID,
	 CTD_QOS_BURSTABLE},
	{__LINE__, BESTEFFORT_SLICE "/cri-containerd-" ID ".scope", "containerd", ID, UID,
	 CTD_QOS_BESTEFFORT},
	/* static pods, both drivers: the uid is the hash of the file */
	{__LINE__, "/kubepods/pod" STATIC_UID "/" ID, "cri", ID, STATIC_UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/kubepods/burstable/pod" STATIC_UID "/" ID, "cri", ID, STATIC_UID,
	 CTD_QOS_BURSTABLE},
	{__LINE__,
	 "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" STATIC_UID
	 ".slice/cri-containerd-" ID ".scope",
	 "containerd", ID, STATIC_UID, CTD_QOS_BESTEFFORT},
	/* kubelet with systemd, runtime with cgroupfs: the unit's name taken literally */
	{__LINE__, "/kubepods-burstable-pod" UID_IN_SLICE ".slice:cri-containerd:" ID, "containerd",
	 ID, UID, CTD_QOS_BURSTABLE},
	{__LINE__, "/kubepods-pod" STATIC_UID ".slice:cri-containerd:" ID, "containerd", ID,
	 STATIC_UID, CTD_QOS_GUARANTEED},
	{__LINE__,
	 "/system.slice/containerd.service/kubepods-besteffort-pod" UID_IN_SLICE
	 ".slice:cri-containerd:" ID,
	 "containerd", ID, UID, CTD_QOS_BESTEFFORT},
	/* CRI-O; with crun the processes are one deeper */
	{__LINE__, BURSTABLE_SLICE "/crio-" ID ".scope", "crio", ID, UID, CTD_QOS_BURSTABLE},
	{__LINE__, GUARANTEED_SLICE "/crio-" ID ".scope/container", "crio", ID, UID,
	 CTD_QOS_GUARANTEED},
	{__LINE__, "/kubepods/besteffort/pod" UID "/crio-" ID, "crio", ID, UID, CTD_QOS_BESTEFFORT},
	{__LINE__, "/crio/crio-" ID, "crio", ID, "", CTD_QOS_UNKNOWN},
	/* its monitor belongs to the pod, not to the container */
	{__LINE__, BURSTABLE_SLICE "/crio-conmon-" ID ".scope", NULL, "", UID, CTD_QOS_BURSTABLE},
	{__LINE__, "/kubepods/pod" UID "/crio-conmon-" ID, NULL, "", UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/crio/crio-conmon-" ID, NULL, "", "", CTD_QOS_UNKNOWN},
	/* Docker under a kubelet */
	{__LINE__, BESTEFFORT_SLICE "/docker-" ID ".scope", "docker", ID, UID, CTD_QOS_BESTEFFORT},
	/* pods, their levels, the kubelet's other slices */
	{__LINE__, "/kubepods/pod" UID, NULL, "", UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/kubepods/burstable/pod" STATIC_UID, NULL, "", STATIC_UID, CTD_QOS_BURSTABLE},
	{__LINE__, BESTEFFORT_SLICE, NULL, "", UID, CTD_QOS_BESTEFFORT},
	{__LINE__, "/kubepods", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubepods/burstable", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubepods.slice/kubepods-besteffort.slice", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubelet.slice/kubelet.service", NULL, "", "", CTD_QOS_UNKNOWN},
};

static const struct path_case nested[] = {
	/* a container's own sub-cgroups: crun, init systems, an agent's delegation */
	{__LINE__, BURSTABLE_SLICE "/cri-containerd-" ID ".scope/init", "containerd", ID, UID,
	 CTD_QOS_BURSTABLE},
	{__LINE__, "/kubepods/pod" UID "/" ID "/system.slice/cron.service", "cri", ID, UID,
	 CTD_QOS_GUARANTEED},
	{__LINE__, "/docker/" ID "/init.scope", "docker", ID, "", CTD_QOS_UNKNOWN},
	/* kind: seen inside the node, and on the host in both of Docker's forms */
	{__LINE__, KIND_SLICE "/cri-containerd-" ID ".scope", "containerd", ID, UID,
	 CTD_QOS_BURSTABLE},
	{__LINE__, "/docker/" NODE KIND_SLICE "/cri-containerd-" ID ".scope", "containerd", ID, UID,
	 CTD_QOS_BURSTABLE},
	{__LINE__, "/system.slice/docker-" NODE ".scope" KIND_SLICE "/cri-containerd-" ID ".scope",
	 "containerd", ID, UID, CTD_QOS_BURSTABLE},
	{__LINE__, "/docker/" NODE "/kubelet/kubepods/besteffort/pod" UID "/" ID, "cri", ID, UID,
	 CTD_QOS_BESTEFFORT},
	/* what the node runs itself is the node's; a pod's cgroup is the pod's, not the node's */
	{__LINE__, "/docker/" NODE "/kubelet.slice/kubelet.service", "docker", NODE, "",
	 CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/" NODE KIND_SLICE, NULL, "", UID, CTD_QOS_BURSTABLE},
	/* minikube */
	{__LINE__, "/docker/" NODE BESTEFFORT_SLICE "/crio-" ID ".scope", "crio", ID, UID,
	 CTD_QOS_BESTEFFORT},
	{__LINE__, "/docker/" NODE "/kubepods/pod" UID "/" ID, "cri", ID, UID, CTD_QOS_GUARANTEED},
	/* Docker in a pod: the inner container, in the outer pod */
	{__LINE__, "/kubepods/burstable/pod" UID "/" NODE "/docker/" ID, "docker", ID, UID,
	 CTD_QOS_BURSTABLE},
	{__LINE__,
	 BESTEFFORT_SLICE "/cri-containerd-" NODE ".scope/system.slice/docker-" ID ".scope",
	 "docker", ID, UID, CTD_QOS_BESTEFFORT},
	/* kind in a pod: the inner pod, with its own quality of service */
	{__LINE__,
	 "/kubepods/burstable/pod" OTHER_UID "/" NODE "/docker/" NODE "/kubepods/pod" UID "/" ID,
	 "cri", ID, UID, CTD_QOS_GUARANTEED},
	{__LINE__,
	 "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" OTHER_UID_IN_SLICE
	 ".slice/cri-containerd-" NODE ".scope" GUARANTEED_SLICE "/cri-containerd-" ID ".scope",
	 "containerd", ID, UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/docker/" NODE "/docker/" ID, "docker", ID, "", CTD_QOS_UNKNOWN},
	/* a cgroupRoot of one's own */
	{__LINE__, "/a/b/kubepods/besteffort/pod" UID "/" ID, "cri", ID, UID, CTD_QOS_BESTEFFORT},
	{__LINE__,
	 "/a.slice/a-b.slice/a-b-kubepods.slice/a-b-kubepods-pod" UID_IN_SLICE ".slice/crio-" ID
	 ".scope",
	 "crio", ID, UID, CTD_QOS_GUARANTEED},
	/* the host's hierarchy as seen from a private cgroup namespace */
	{__LINE__, "/../../pod" UID "/" ID, "cri", ID, UID, CTD_QOS_GUARANTEED},
};

static const struct path_case alone[] = {
	{__LINE__, "/docker/" ID, "docker", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/system.slice/docker-" ID ".scope", "docker", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/machine.slice/libpod-" ID ".scope", "podman", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/machine.slice/libpod-" ID ".scope/container", "podman", ID, "",
	 CTD_QOS_UNKNOWN},
	{__LINE__, "/libpod_parent/libpod-" ID, "podman", ID, "", CTD_QOS_UNKNOWN},
	/* a user's own, and what they called like others' */
	{__LINE__, "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope",
	 NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__,
	 "/user.slice/user-1000.slice/user@1000.service/kubepods/besteffort/pod" UID "/" ID, NULL,
	 "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/" NODE "/user.slice/user-0.slice/user@0.service/docker/" ID, "docker",
	 NODE, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/system.slice/web.service/libpod-payload-" ID, "podman", ID, "",
	 CTD_QOS_UNKNOWN},
	{__LINE__, "/machine.slice/libpod-conmon-" ID ".scope", NULL, "", "", CTD_QOS_UNKNOWN},
	/* Podman's own pods are not Kubernetes' */
	{__LINE__, "/machine.slice/machine-libpod_pod_" NODE ".slice/libpod-" ID ".scope", "podman",
	 ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/libpod_parent/" NODE "/libpod-" ID, "podman", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/libpod_parent/" NODE "/conmon", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/system.slice/nerdctl-" ID ".scope", "nerdctl", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/default/" ID, "oci", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/k8s.io/" ID, "oci", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/" ID, "oci", ID, "", CTD_QOS_UNKNOWN},
	/* ctr: a name that says nothing */
	{__LINE__, "/default/c1", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/k8s.io/web", NULL, "", "", CTD_QOS_UNKNOWN},
	/* no containers at all, shims and runtimes among them */
	{__LINE__, "/", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/init.scope", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/system.slice/cron.service", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/system.slice/containerd.service", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/system.slice/docker.service", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/system.slice/docker.socket", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/buildkit/2xqz8ynv0q1qk1dw6b1ymx4cb", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/user.slice/user-1000.slice/session-2.scope", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/user.slice/user-1000.slice/user@1000.service/app.slice/app-firefox-1.scope",
	 NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/machine.slice/machine-qemu\\x2d1\\x2dvm.scope", NULL, "", "", CTD_QOS_UNKNOWN},
};

/* What is in another container could be called as it likes. */
static void a_container_in_another_knows_the_outermost(void **state)
{
	static const struct {
		int line;
		const char *path, *outer_id;
		bool pod_in_outer;
	} cases[] = {
		{__LINE__, "/kubepods/pod" UID "/" ID, "", false},
		{__LINE__, "/kubepods/pod" UID, "", false},
		{__LINE__, "/kubepods/pod" UID "/" ID "/init.scope", "", false},
		{__LINE__, "/docker/" ID "/system.slice/a.service", "", false},
		{__LINE__, "/docker/" NODE KIND_SLICE "/cri-containerd-" ID ".scope", NODE, true},
		{__LINE__, "/docker/" NODE KIND_SLICE, NODE, true},
		{__LINE__, "/docker/" NODE "/docker/" ID, NODE, false},
		{__LINE__, "/kubepods/pod" UID "/" NODE "/docker/" ID, NODE, false},
		{__LINE__, "/kubepods/pod" OTHER_UID "/" ID "/pod" UID "/" ID, ID, true},
		{__LINE__, "/kubepods/pod" OTHER_UID "/" ID "/pod" UID, ID, true},
		{__LINE__, "/docker/" ID "/docker/" NODE "/docker/" NODE, ID, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_identity identity = {.outer_id = "x", .pod_in_outer = true};

		ctd_identity_parse(cases[i].path, &identity);
		if (strcmp(identity.outer_id, cases[i].outer_id) != 0 ||
		    identity.pod_in_outer != cases[i].pod_in_outer)
			fail_msg("line %d: '%s' is in '%s'", cases[i].line, cases[i].path,
				 identity.outer_id);
	}
}

#define HEX16 "0123456789abcdef"
#define HEX63 HEX16 HEX16 HEX16 "0123456789abcde"
#define UPPER "09D25175152D62552A4CE4DE9A7BDCDFCF5C7D4FEF347044797440A21F0022F4"

static const struct path_case hostile[] = {
	{__LINE__, "", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "//", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "////////", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "docker", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, ID, "oci", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "docker/" ID, "docker", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "//kubepods///pod" UID "//" ID "//", "cri", ID, UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/docker/" HEX63, NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/" ID "0", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/" ID ID, NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/" UPPER, NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/g" HEX63, NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker/" ID " ", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker-" ID, NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/docker-.scope", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/cri-containerd-" HEX63 ".scope", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/cri-containerd-" ID ".scope\n", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/.slice:cri-containerd:" ID, "containerd", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/:cri-containerd:" ID, NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/:::::", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubepods/pod/" ID, "oci", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubepods/podnothex/" ID, "oci", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubepods/pod" STATIC_UID "0/" ID, "oci", ID, "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubepods/pod" UID "-/x", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/kubepods-pod.slice/x", NULL, "", "", CTD_QOS_UNKNOWN},
	{__LINE__, "/pod" UID, NULL, "", UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/burstable/x/pod" UID, NULL, "", UID, CTD_QOS_GUARANTEED},
	{__LINE__, "/\xff\xfe\x01/" ID, "oci", ID, "", CTD_QOS_UNKNOWN},
};

/* @return true and a message if the identity is not the wanted one. */
static bool differs(const struct path_case *want)
{
	/* What an earlier parse left must not show. */
	struct ctd_identity got = {.kind = CTD_IS_KINDS,
				   .qos = CTD_QOS_BURSTABLE,
				   .runtime = "x",
				   .container_id = "x",
				   .pod_uid = "x"};
	enum ctd_identity_kind kind = CTD_IS_CGROUP;
	const char *runtime = want->runtime ? want->runtime : "none";

	if (want->runtime)
		kind = CTD_IS_CONTAINER;
	else if (want->pod_uid[0])
		kind = CTD_IS_POD;
	ctd_identity_parse(want->path, &got);
	if (got.kind == kind && got.qos == want->qos &&
	    !strcmp(got.runtime ? got.runtime : "none", runtime) &&
	    !strcmp(got.container_id, want->container_id) && !strcmp(got.pod_uid, want->pod_uid))
		return false;
	print_error("line %d: '%s': kind %d, runtime %s, container '%s', pod '%s', qos %d\n",
		    want->line, want->path, got.kind, got.runtime ? got.runtime : "none",
		    got.container_id, got.pod_uid, got.qos);
	return true;
}

static void expect_all(const struct path_case *cases, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++)
		wrong += differs(&cases[i]);
	if (wrong)
		fail_msg("%zu of %zu paths", wrong, count);
}

static void kubernetes_paths_name_pod_and_container(void **state)
{
	(void)state;
	expect_all(kubernetes, COUNT(kubernetes));
}

static void the_innermost_container_and_pod_count(void **state)
{
	(void)state;
	expect_all(nested, COUNT(nested));
}

static void containers_without_kubernetes_have_no_pod(void **state)
{
	(void)state;
	expect_all(alone, COUNT(alone));
}

static void hostile_paths_are_plain_cgroups(void **state)
{
	(void)state;
	expect_all(hostile, COUNT(hostile));
}

static void a_container_is_found_above_any_depth_of_sub_cgroups(void **state)
{
	char path[8192] = "/kubepods/burstable/pod" UID "/" ID;
	struct path_case want = {__LINE__, path, "cri", ID, UID, CTD_QOS_BURSTABLE};

	(void)state;
	while (strlen(path) + 2 < sizeof(path))
		strcat(path, "/d");
	assert_false(differs(&want));
}

static void a_very_long_component_is_a_plain_cgroup(void **state)
{
	char path[8192];
	struct path_case want = {__LINE__, path, NULL, "", "", CTD_QOS_UNKNOWN};

	(void)state;
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	assert_false(differs(&want));
}

static void the_outermost_container_or_delegation_is_a_tenant(void **state)
{
	static const struct {
		int line;
		const char *path;
		bool tenant;
		size_t delegated_bytes;
	} cases[] = {
		{__LINE__, BURSTABLE_SLICE "/cri-containerd-" ID ".scope", true, 0},
		{__LINE__, BURSTABLE_SLICE "/cri-containerd-" ID ".scope/a", false, 0},
		{__LINE__, BURSTABLE_SLICE, false, 0},
		{__LINE__, "/docker/" ID, true, 0},
		{__LINE__, "/system.slice/docker-" ID ".scope", true, 0},
		{__LINE__, "/system.slice/docker-" NODE ".scope/docker-" ID ".scope", false, 0},
		{__LINE__, "/docker/" NODE KIND_SLICE "/cri-containerd-" ID ".scope", false, 0},
		{__LINE__, "/docker/" NODE "/user.slice/user@0.service", false, 0},
		{__LINE__, "/user.slice/user-1000.slice/user@1000.service", true, 0},
		{__LINE__, "/user.slice/user-1000.slice/user@1000.service/docker-" ID ".scope",
		 false, 0},
		{__LINE__, "/user.slice/user-1000.slice", false, 0},
		{__LINE__, "/system.slice/ssh.service", false, 0},
		{__LINE__, "/lxc.payload.web", true, strlen("/lxc.payload.web")},
		{__LINE__, "/lxc.payload.web/init.scope", false, strlen("/lxc.payload.web")},
		{__LINE__, "/lxc.payload.web/docker/" ID, false, strlen("/lxc.payload.web")},
		{__LINE__, "/docker/" ID, true, strlen("/docker/" ID)},
		{__LINE__, "/docker/" ID "/a", false, strlen("/docker/" ID "/a")},
		{__LINE__, "/", false, 0},
		{__LINE__, "", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_identity identity = {.path = (char *)cases[i].path};

		ctd_identity_parse(cases[i].path, &identity);
		/* Learnt from the cgroup, where its path does not tell. */
		if (cases[i].delegated_bytes)
			identity.delegated_bytes = cases[i].delegated_bytes;
		if (ctd_identity_is_tenant(&identity) != cases[i].tenant)
			fail_msg("line %d: %s", cases[i].line, cases[i].path);
	}
}

static void each_runtime_is_met_by_some_path(void **state)
{
	static const struct {
		const struct path_case *cases;
		size_t count;
	} tables[] = {{kubernetes, COUNT(kubernetes)}, {alone, COUNT(alone)}};

	(void)state;
	for (size_t r = 0; ctd_runtimes[r]; r++) {
		size_t met = 0;

		for (size_t t = 0; t < COUNT(tables); t++)
			for (size_t i = 0; i < tables[t].count; i++)
				met += tables[t].cases[i].runtime &&
				       !strcmp(tables[t].cases[i].runtime, ctd_runtimes[r]->name);
		if (!met)
			fail_msg("no path of runtime %s", ctd_runtimes[r]->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_in_another_knows_the_outermost),
		cmocka_unit_test(kubernetes_paths_name_pod_and_container),
		cmocka_unit_test(the_innermost_container_and_pod_count),
		cmocka_unit_test(containers_without_kubernetes_have_no_pod),
		cmocka_unit_test(hostile_paths_are_plain_cgroups),
		cmocka_unit_test(a_container_is_found_above_any_depth_of_sub_cgroups),
		cmocka_unit_test(a_very_long_component_is_a_plain_cgroup),
		cmocka_unit_test(the_outermost_container_or_delegation_is_a_tenant),
		cmocka_unit_test(each_runtime_is_met_by_some_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
