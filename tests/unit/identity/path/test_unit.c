/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_unit.c - the systemd unit of a path is the one that people started. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/identity.h>

#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"
#define USER "/user.slice/user-1000.slice/user@1000.service"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct unit_case {
	int line;
	const char *path;
	const char *unit; /* path of the unit's cgroup; "": in none */
};

static const struct unit_case cases[] = {
	{__LINE__, "/system.slice/ssh.service", "/system.slice/ssh.service"},
	{__LINE__, "/system.slice/system-getty.slice/getty@tty1.service",
	 "/system.slice/system-getty.slice/getty@tty1.service"},
	{__LINE__, "/init.scope", "/init.scope"},
	{__LINE__, "/user.slice/user-1000.slice/session-2.scope",
	 "/user.slice/user-1000.slice/session-2.scope"},
	{__LINE__, "/system.slice/docker.socket", "/system.slice/docker.socket"},
	{__LINE__, "/system.slice/var-lib.mount", "/system.slice/var-lib.mount"},
	{__LINE__, "/system.slice/dev-sda2.swap", "/system.slice/dev-sda2.swap"},
	/* what a unit makes below itself is its own, whatever it is called */
	{__LINE__, "/system.slice/postgresql.service/worker/3", "/system.slice/postgresql.service"},
	{__LINE__, "/system.slice/systemd-udevd.service/udev",
	 "/system.slice/systemd-udevd.service"},
	{__LINE__, "/machine.slice/systemd-nspawn@web.service/payload/system.slice/cron.service",
	 "/machine.slice/systemd-nspawn@web.service"},
	/* a user's manager and the user's own units */
	{__LINE__, USER "/app.slice/firefox.service", USER "/app.slice/firefox.service"},
	{__LINE__, USER "/app.slice/app-gnome.slice/app-gnome-terminal.scope/tab",
	 USER "/app.slice/app-gnome.slice/app-gnome-terminal.scope"},
	{__LINE__, USER "/init.scope", USER},
	{__LINE__, USER "/app.slice", USER},
	{__LINE__, USER, USER},
	/* seen from within a private cgroup namespace */
	{__LINE__, "/../../ssh.service", "/../../ssh.service"},
	/* no unit */
	{__LINE__, "/", ""},
	{__LINE__, "", ""},
	{__LINE__, "/system.slice", ""},
	{__LINE__, "/user.slice/user-1000.slice", ""},
	{__LINE__, "/lxc.payload.web/system.slice/cron.service", ""},
	{__LINE__, "/a/b.service", ""},
	{__LINE__, "/.service", ""},
	{__LINE__, "/service", ""},
	{__LINE__, "/system.slice/x.timer", ""},
	/* slashes in excess */
	{__LINE__, "//system.slice//a.service//b", "//system.slice//a.service"},
};

static void the_unit_is_the_first_behind_the_slices(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t bytes = ctd_identity_unit_path(cases[i].path);

		if (bytes != strlen(cases[i].unit) || strncmp(cases[i].path, cases[i].unit, bytes))
			fail_msg("line %d: the unit of '%s' is '%.*s'", cases[i].line,
				 cases[i].path, (int)bytes, cases[i].path);
	}
}

static const char *unit_in_table(struct ctd_identities *identities, const char *path)
{
	static uint64_t next_id = 1;
	uint64_t id = next_id++;

	assert_int_equal(ctd_identities_add(identities, id, path), 0);
	return ctd_identities_get(identities, id)->unit;
}

static void the_table_knows_units_but_not_of_containers_and_pods(void **state)
{
	struct ctd_identities *identities;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_string_equal(unit_in_table(identities, "/system.slice/ssh.service/x"),
			    "ssh.service");
	assert_string_equal(unit_in_table(identities, "/system.slice/_cpu.service"), "cpu.service");
	assert_null(unit_in_table(identities, "/"));
	assert_null(unit_in_table(identities, "/system.slice/docker-" ID ".scope"));
	assert_null(unit_in_table(identities, "/system.slice/docker-" ID ".scope/init.scope"));
	assert_null(unit_in_table(identities, "/kubepods.slice/kubepods-pod"
					      "42327637369f97ce7be9827ec349ebf2.slice/"
					      "crio-conmon-" ID ".scope"));
	ctd_identities_free(identities);
}

static void only_what_has_names_is_not_settled_at_once(void **state)
{
	struct ctd_identities *identities;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	assert_int_equal(ctd_identities_add(identities, 1, "/system.slice/ssh.service"), 0);
	assert_int_equal(ctd_identities_add(identities, 2, "/docker/" ID), 0);
	assert_true(ctd_identities_get(identities, 1)->names_settled);
	assert_false(ctd_identities_get(identities, 2)->names_settled);
	ctd_identities_free(identities);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_unit_is_the_first_behind_the_slices),
		cmocka_unit_test(the_table_knows_units_but_not_of_containers_and_pods),
		cmocka_unit_test(only_what_has_names_is_not_settled_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
