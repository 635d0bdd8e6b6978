/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* match.h - a table of paths and the container id that one runtime finds in their last component. */
#ifndef TESTS_RUNTIME_MATCH_H
#define TESTS_RUNTIME_MATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/runtime.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ID "09d25175152d62552a4ce4de9a7bdcdfcf5c7d4fef347044797440a21f0022f4"
#define POD_ID "27cc36e6afb1b5da74826cd9040b74276bac77dd7f12efa47d6cf8ae11e1e39d"
#define UID "d954e009-383d-4570-8831-ab9f5ada1781"
#define UID_IN_SLICE "d954e009_383d_4570_8831_ab9f5ada1781"

struct match_case {
	int line;
	const char *path; /* without a slash in front */
	bool want; /* then the id is ID */
};

static inline void expect_matches(const struct ctd_runtime *runtime, const struct match_case *cases,
				  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ctd_component components[8], id = {"", 0};
		const char *path = cases[i].path;
		size_t last = 0;
		bool got;

		for (; path; last++) {
			const char *slash = strchrnul(path, '/');

			components[last] = (struct ctd_component){path, (size_t)(slash - path)};
			path = *slash ? slash + 1 : NULL;
		}
		last--;
		got = runtime->match(components[last], components, last, &id);
		if (got != cases[i].want || id.bytes != (got ? strlen(ID) : 0) ||
		    memcmp(id.text, ID, id.bytes))
			fail_msg("line %d: %d, '%.*s'", cases[i].line, got, (int)id.bytes, id.text);
	}
}

#endif
