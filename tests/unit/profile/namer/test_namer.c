/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_namer.c - a function of this process has its name, also after there was no memory for it. */
#include "profile/namer/namer.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing_memory.h"

static struct ctd_namer *namer;

static int begin(void **state)
{
	(void)state;
	return ctd_namer_new(&namer);
}

static int end(void **state)
{
	(void)state;
	ctd_namer_free(namer);
	return 0;
}

static void names_are_found_again_once_there_is_memory(void **state)
{
	uint64_t frame = CTD_FRAME(0, (uintptr_t)names_are_found_again_once_there_is_memory);
	struct ctd_sample sample = {.tgid = (uint32_t)getpid(),
				    .incarnation = 1,
				    .cgroup_id = 7,
				    .samples = 1,
				    .user_frames = 1};
	const struct ctd_samples samples = {
		.samples = &sample, .samples_count = 1, .frames = &frame, .frames_count = 1};
	struct ctd_frame_name name;

	(void)state;
	assert_int_equal(ctd_namer_learn(namer, &samples), 0);
	assert_int_equal(ctd_namer_work(namer, UINT64_MAX), 0);
	fail_allocation(CAN_FAIL ? 0 : -1);
	assert_int_equal(ctd_namer_name(&sample, frame, &name, namer), CAN_FAIL ? -ENOMEM : 0);
	fail_allocation(-1);
	assert_int_equal(ctd_namer_name(&sample, frame, &name, namer), 0);
	assert_string_equal(name.name, "names_are_found_again_once_there_is_memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_again_once_there_is_memory),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
