/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_logs.c - the names of logs are taken apart, and nothing that only looks like one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "identity/lookup/logs.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"
#define UID "d954e009-383d-4570-8831-ab9f5ada1781"

struct log_case {
	int line;
	const char *name;
	const char *parts; /* joined by '|'; NULL: it is none */
};

static const struct log_case links[] = {
	{__LINE__, "web-0_prod_main-" ID ".log", "prod|web-0|main|" ID},
	{__LINE__, "a_b_c-d-e-" ID ".log", "b|a|c-d-e|" ID},
	{__LINE__, "web-0_prod_main-" ID, NULL},
	{__LINE__, "web-0_prod_main-" ID ".log.1", NULL},
	{__LINE__, "web-0_prod_main_" ID ".log", NULL},
	{__LINE__, "web-0_prod_-" ID ".log", NULL},
	{__LINE__, "web-0_prod-" ID ".log", NULL},
	{__LINE__, "_prod_main-" ID ".log", NULL},
	{__LINE__, "web-0__main-" ID ".log", NULL},
	{__LINE__, "a_b_c_d-" ID ".log", NULL},
	{__LINE__, "web-0_prod_main-0" ID ".log", NULL},
	{__LINE__,
	 "web-0_prod_main-9D25175152D62552A4CE4DE9A7BDCDFCF5C7D4FEF347044797440A21F0022F4"
	 ".log",
	 NULL},
	{__LINE__, "__-.log", NULL},
	{__LINE__, "", NULL},
};

static const struct log_case directories[] = {
	{__LINE__, "prod_web-0_" UID, "prod|web-0|" UID},
	{__LINE__, "prod_web-0_42327637369f97ce7be9827ec349ebf2",
	 "prod|web-0|42327637369f97ce7be9827ec349ebf2"},
	{__LINE__, "prod_web-0", NULL},
	{__LINE__, "prod_web-0_", NULL},
	{__LINE__, "_web-0_" UID, NULL},
	{__LINE__, "prod__" UID, NULL},
	{__LINE__, "a_b_c_d", NULL},
	{__LINE__, "", NULL},
};

static void join(char *text, struct ctd_component part)
{
	if (part.bytes)
		sprintf(text + strlen(text), "%s%.*s", *text ? "|" : "", (int)part.bytes,
			part.text);
}

static void check(const struct log_case *wanted, bool (*parse)(const char *, struct ctd_log_name *))
{
	struct ctd_log_name name;
	char parts[512] = "";

	if (!parse(wanted->name, &name)) {
		if (wanted->parts)
			fail_msg("line %d: '%s' is refused", wanted->line, wanted->name);
		return;
	}
	join(parts, name.namespace_name);
	join(parts, name.pod_name);
	join(parts, name.container_name);
	join(parts, name.container_id);
	join(parts, name.pod_uid);
	if (!wanted->parts || strcmp(parts, wanted->parts) != 0)
		fail_msg("line %d: '%s' is '%s'", wanted->line, wanted->name, parts);
}

static void a_link_names_pod_namespace_container_and_id(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(links); i++)
		check(&links[i], ctd_log_link_parse);
}

static void a_directory_names_namespace_pod_and_uid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(directories); i++)
		check(&directories[i], ctd_log_directory_parse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_names_pod_namespace_container_and_id),
		cmocka_unit_test(a_directory_names_namespace_pod_and_uid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
