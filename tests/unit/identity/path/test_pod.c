/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pod.c - a pod's uid and quality of service are read from the names that the kubelet gives. */
#include "identity/path/pod.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define UID "d954e009-383d-4570-8831-ab9f5ada1781"
#define UID_IN_SLICE "d954e009_383d_4570_8831_ab9f5ada1781"
#define STATIC_UID "42327637369f97ce7be9827ec349ebf2"

static struct ctd_component of(const char *text)
{
	return (struct ctd_component){text, strlen(text)};
}

static void pods_are_told_from_other_names(void **state)
{
	static const struct {
		int line;
		const char *text, *parent;
		const char *uid; /* NULL: not a pod */
		enum ctd_qos qos;
	} cases[] = {
		{__LINE__, "pod" UID, "kubepods", UID, CTD_QOS_GUARANTEED},
		{__LINE__, "pod" UID, "burstable", UID, CTD_QOS_BURSTABLE},
		{__LINE__, "pod" UID, "besteffort", UID, CTD_QOS_BESTEFFORT},
		{__LINE__, "pod" UID, NULL, UID, CTD_QOS_GUARANTEED},
		{__LINE__, "pod" STATIC_UID, "burstable", STATIC_UID, CTD_QOS_BURSTABLE},
		{__LINE__, "kubepods-pod" UID_IN_SLICE ".slice", "kubepods.slice", UID,
		 CTD_QOS_GUARANTEED},
		{__LINE__, "kubepods-burstable-pod" UID_IN_SLICE ".slice", NULL, UID,
		 CTD_QOS_BURSTABLE},
		{__LINE__, "a-b-kubepods-besteffort-pod" UID_IN_SLICE ".slice", NULL, UID,
		 CTD_QOS_BESTEFFORT},
		{__LINE__, "kubepods-pod" STATIC_UID ".slice", NULL, STATIC_UID,
		 CTD_QOS_GUARANTEED},
		/* The slice's own name tells, whatever lies above. */
		{__LINE__, "kubepods-pod" UID_IN_SLICE ".slice", "burstable", UID,
		 CTD_QOS_GUARANTEED},
		{__LINE__, "kubepods-besteffort-pod" STATIC_UID ".slice:cri-containerd:x", NULL,
		 STATIC_UID, CTD_QOS_BESTEFFORT},
		{__LINE__, "pod" UID ".slice", NULL, NULL, 0},
		{__LINE__, "kubepods-pod" UID_IN_SLICE, NULL, NULL, 0},
		{__LINE__, "kubepods-pod" UID_IN_SLICE ".scope", NULL, NULL, 0},
		{__LINE__, "kubepods-xpod" UID_IN_SLICE ".slice", NULL, NULL, 0},
		{__LINE__, "machine-libpod_pod_" STATIC_UID STATIC_UID ".slice", NULL, NULL, 0},
		{__LINE__, "pod", NULL, NULL, 0},
		{__LINE__, "pod.slice", NULL, NULL, 0},
		{__LINE__, "-pod.slice", NULL, NULL, 0},
		{__LINE__, "-.slice", NULL, NULL, 0},
		{__LINE__, ".slice", NULL, NULL, 0},
		{__LINE__, ":", NULL, NULL, 0},
		{__LINE__, "", NULL, NULL, 0},
		{__LINE__, "podman", NULL, NULL, 0},
		{__LINE__, UID, NULL, NULL, 0},
		{__LINE__, "pod" UID "0", NULL, NULL, 0},
		{__LINE__, "pod" STATIC_UID "0", NULL, NULL, 0},
		{__LINE__, "podD954E009-383D-4570-8831-AB9F5ADA1781", NULL, NULL, 0},
		{__LINE__, "podd954e009-383d-4570-8831-ab9f5ada178g", NULL, NULL, 0},
		{__LINE__, "podd954e0093-83d-4570-8831-ab9f5ada1781", NULL, NULL, 0},
		{__LINE__, "podd954e009/383d-4570-8831-ab9f5ada1781", NULL, NULL, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_component parent = of(cases[i].parent ? cases[i].parent : "");
		struct ctd_pod pod = {.uid = ""};
		bool got = ctd_pod_parse(of(cases[i].text), cases[i].parent ? &parent : NULL, &pod);
		const char *want = cases[i].uid ? cases[i].uid : "";

		if (got != !!cases[i].uid || strcmp(pod.uid, want) || pod.qos != cases[i].qos)
			fail_msg("line %d: %d, uid '%s', qos %d", cases[i].line, got, pod.uid,
				 pod.qos);
	}
}

static void qualities_have_the_names_that_kubernetes_gives_them(void **state)
{
	(void)state;
	assert_string_equal(ctd_qos_name(CTD_QOS_GUARANTEED), "Guaranteed");
	assert_string_equal(ctd_qos_name(CTD_QOS_BURSTABLE), "Burstable");
	assert_string_equal(ctd_qos_name(CTD_QOS_BESTEFFORT), "BestEffort");
	assert_null(ctd_qos_name(CTD_QOS_UNKNOWN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pods_are_told_from_other_names),
		cmocka_unit_test(qualities_have_the_names_that_kubernetes_gives_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
