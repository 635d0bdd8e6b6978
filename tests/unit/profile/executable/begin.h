/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* begin.h - a table of executables for each test. */
#ifndef TESTS_UNIT_PROFILE_EXECUTABLE_BEGIN_H
#define TESTS_UNIT_PROFILE_EXECUTABLE_BEGIN_H

#include "profile/executable/executables.h"

static struct ctd_executables *executables;

static inline int begin(void **state)
{
	(void)state;
	return ctd_executables_new(64 << 20, &executables);
}

static inline int end(void **state)
{
	(void)state;
	ctd_executables_free(executables);
	return 0;
}

#endif
