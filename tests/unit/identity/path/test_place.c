/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_place.c - what a bundle says of its cgroup is held against the path, from wherever it is
 * seen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "identity/path/place.h"

#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"
#define NODE "27cc36e6afb1b5da74826cd9040b74276bac77dd7f12efa47d6cf8ae11e1e39d"
#define UID "42327637369f97ce7be9827ec349ebf2"
#define SLICE "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID ".slice"

static void a_path_is_compared_with_that_of_the_bundle(void **state)
{
	static const struct {
		int line;
		const char *path, *cgroups_path;
		enum ctd_place place;
	} cases[] = {
		{__LINE__, "/docker/" ID, "/docker/" ID, CTD_PLACE_OWN},
		{__LINE__, "/docker/" ID "/init.scope", "/docker/" ID, CTD_PLACE_OWN},
		{__LINE__, "/docker/" ID, NULL, CTD_PLACE_UNKNOWN},
		{__LINE__, "/docker/" ID, "x", CTD_PLACE_UNKNOWN},
		{__LINE__, "/docker/" ID, "a:b", CTD_PLACE_UNKNOWN},
		{__LINE__, "/system.slice/a.service", "/system.slice/a.service", CTD_PLACE_UNKNOWN},
		{__LINE__, "/docker/" ID, "/elsewhere/" ID, CTD_PLACE_OTHER},
		{__LINE__, "/docker/" NODE "/docker/" ID, "/docker/" ID, CTD_PLACE_WITHIN},
		{__LINE__, "/xdocker/" ID, "/docker/" ID, CTD_PLACE_OTHER},
		{__LINE__, "/docker/" ID "/docker/" NODE, "/docker/" ID, CTD_PLACE_OTHER},
		/* systemd's slices */
		{__LINE__, "/system.slice/docker-" ID ".scope", "system.slice:docker:" ID,
		 CTD_PLACE_OWN},
		{__LINE__, "/system.slice/docker-" ID ".scope", ":docker:" ID, CTD_PLACE_OWN},
		{__LINE__, "/docker-" ID ".scope", "-.slice:docker:" ID, CTD_PLACE_OWN},
		{__LINE__, SLICE "/cri-containerd-" ID ".scope",
		 "kubepods-burstable-pod" UID ".slice:cri-containerd:" ID, CTD_PLACE_OWN},
		{__LINE__, "/docker/" NODE SLICE "/crio-" ID ".scope/container",
		 "kubepods-burstable-pod" UID ".slice:crio:" ID, CTD_PLACE_WITHIN},
		{__LINE__, "/system.slice/docker-" NODE ".scope/docker-" ID ".scope",
		 "system.slice:docker:" ID, CTD_PLACE_OTHER},
		/* taken literally */
		{__LINE__,
		 "/system.slice/containerd.service/kubepods-pod" UID ".slice:cri-containerd:" ID,
		 "kubepods-pod" UID ".slice:cri-containerd:" ID, CTD_PLACE_WITHIN},
		{__LINE__, "/kubepods-pod" UID ".slice:cri-containerd:" ID,
		 "kubepods-pod" UID ".slice:cri-containerd:" ID, CTD_PLACE_OWN},
		/* from a cgroup namespace */
		{__LINE__, "/../../pod" UID "/" ID, "/kubepods/burstable/pod" UID "/" ID,
		 CTD_PLACE_OWN},
		{__LINE__, "/../../pod" UID "/" ID, "/kubepods/pod" NODE "/" ID, CTD_PLACE_OTHER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_identity identity = {.path = (char *)cases[i].path};
		enum ctd_place place;

		ctd_identity_parse(cases[i].path, &identity);
		place = ctd_place_of(&identity, cases[i].cgroups_path);
		if (place != cases[i].place)
			fail_msg("line %d: %d", cases[i].line, place);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_compared_with_that_of_the_bundle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
