/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sysfs.c - event strings become config words by the PMU's own formats, or nothing does. */
#include "pmu/sysfs.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"
#include "capture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *find_format(void *context, const char *term)
{
	static const struct {
		const char *term, *format;
	} formats[] = {
		{"event", "config:0-7"},    {"umask", "config:8-15,40-47"},
		{"inv", "config:23"},	    {"ldlat", "config1:0-15"},
		{"mask", "config2:0-63"},   {"amd_event", "config:0-7,32-35"},
		{"no_colon", "config"},	    {"no_bits", "config:"},
		{"no_word", "config3:0-7"}, {"backwards", "config:7-0"},
		{"beyond", "config:60-64"}, {"empty_range", "config:0-7,,9"},
		{"three", "config:0-1-2"},
	};

	(void)context;
	for (size_t i = 0; i < COUNT(formats); i++) {
		if (strcmp(term, formats[i].term) == 0)
			return formats[i].format;
	}
	return NULL;
}

static void terms_go_where_the_format_says(void **state)
{
	static const struct {
		int line;
		const char *text;
		uint64_t config, config1, config2;
	} cases[] = {
		{__LINE__, "event=0x00,umask=0x80", 0x8000, 0, 0},
		{__LINE__, "event=0x3c", 0x3c, 0, 0},
		{__LINE__, "event=60", 0x3c, 0, 0},
		{__LINE__, "event=0xFF,umask=0xff", 0xffff, 0, 0},
		{__LINE__, "umask=0x1280", UINT64_C(0x120000008000), 0, 0},
		{__LINE__, "amd_event=0x1c2", UINT64_C(0x1000000c2), 0, 0},
		{__LINE__, "event=0xcd,umask=0x1,ldlat=3", 0x1cd, 3, 0},
		{__LINE__, "event=0xc0,inv", 0x8000c0, 0, 0},
		{__LINE__, "mask=0xffffffffffffffff", 0, 0, UINT64_MAX},
		{__LINE__, "config=0x8100", 0x8100, 0, 0},
		{__LINE__, "config=0x8100,config1=7,config2=18446744073709551615", 0x8100, 7,
		 UINT64_MAX},
		{__LINE__, "config=0xffff,event=0x1", 0xff01, 0, 0},
		{__LINE__, "event=1,event=2", 2, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_event event = {.config = 9, .config1 = 9, .config2 = 9};
		int err = ctd_sysfs_event_parse(cases[i].text, find_format, NULL, &event);

		if (err || event.config != cases[i].config || event.config1 != cases[i].config1 ||
		    event.config2 != cases[i].config2)
			fail_msg("line %d: %d, %#jx %#jx %#jx", cases[i].line, err,
				 (uintmax_t)event.config, (uintmax_t)event.config1,
				 (uintmax_t)event.config2);
	}
}

static void what_is_not_understood_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text;
		int want;
	} cases[] = {
		{__LINE__, "", -EINVAL},
		{__LINE__, ",", -EINVAL},
		{__LINE__, "event=0x1,", -EINVAL},
		{__LINE__, "event=", -EINVAL},
		{__LINE__, "event=0x", -EINVAL},
		{__LINE__, "event=-1", -EINVAL},
		{__LINE__, "event= 1", -EINVAL},
		{__LINE__, "event=0x1g", -EINVAL},
		{__LINE__, "event=?", -EINVAL},
		{__LINE__, "=1", -EINVAL},
		{__LINE__, "event=1=2", -EINVAL},
		{__LINE__, "../events/slots=1", -EINVAL},
		{__LINE__, "event=0x1 ", -EINVAL},
		{__LINE__, "event=0x1\n", -EINVAL},
		{__LINE__, "event=0x100", -ERANGE},
		{__LINE__, "inv=2", -ERANGE},
		{__LINE__, "config=0x10000000000000000", -ERANGE},
		{__LINE__, "unheard_of=1", -ENOENT},
		{__LINE__, "config3=1", -ENOENT},
		{__LINE__, "no_colon=1", -EINVAL},
		{__LINE__, "no_bits=1", -EINVAL},
		{__LINE__, "no_word=1", -EINVAL},
		{__LINE__, "backwards=1", -EINVAL},
		{__LINE__, "beyond=1", -EINVAL},
		{__LINE__, "empty_range=1", -EINVAL},
		{__LINE__, "three=1", -EINVAL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_event event = {.config = 9};
		int err = ctd_sysfs_event_parse(cases[i].text, find_format, NULL, &event);

		if (err != cases[i].want || event.config != 9)
			fail_msg("line %d: %d, %#jx", cases[i].line, err, (uintmax_t)event.config);
	}
}

static void events_are_read_below_the_root(void **state)
{
	static const struct {
		int line;
		const char *root, *pmu, *name;
		uint64_t config, config1;
	} cases[] = {
		{__LINE__, "sapphire_rapids", "cpu", "slots", 0x400, 0},
		{__LINE__, "sapphire_rapids", "cpu", "topdown-retiring", 0x8000, 0},
		{__LINE__, "sapphire_rapids", "cpu", "topdown-mem-bound", 0x8700, 0},
		{__LINE__, "alder_lake", "cpu_core", "topdown-be-bound", 0x8300, 0},
		{__LINE__, "alder_lake", "cpu_core", "mem-loads", 0x1cd, 3},
		{__LINE__, "neoverse_v2", "armv8_pmuv3_0", "stall_slot", 0x3f, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char root[128];
		struct ctd_event event;
		int err;

		snprintf(root, sizeof(root), "tests/machines/%s", cases[i].root);
		ctd_root_set(root);
		err = ctd_sysfs_event_read(cases[i].pmu, 8, cases[i].name, &event);
		if (err || event.type != 8 || event.config != cases[i].config ||
		    event.config1 != cases[i].config1 || strcmp(event.name, cases[i].name))
			fail_msg("line %d: %d, %u %#jx %#jx", cases[i].line, err, event.type,
				 (uintmax_t)event.config, (uintmax_t)event.config1);
	}
}

static void a_missing_event_is_an_error_that_names_its_file(void **state)
{
	struct capture capture;
	struct ctd_event event;
	const char *said;
	int err;

	(void)state;
	ctd_root_set("tests/machines/kvm_guest");
	capture_begin(&capture);
	err = ctd_sysfs_event_read("cpu", 4, "slots", &event);
	said = capture_end(&capture);
	assert_int_equal(err, -ENOENT);
	assert_non_null(strstr(said, "tests/machines/kvm_guest/sys/bus/event_source/devices/cpu/"
				     "events/slots"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_go_where_the_format_says),
		cmocka_unit_test(what_is_not_understood_is_refused),
		cmocka_unit_test(events_are_read_below_the_root),
		cmocka_unit_test(a_missing_event_is_an_error_that_names_its_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
