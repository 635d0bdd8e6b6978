/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* seconds.h - profiles of a service to which one container's samples come, second by second. */
#ifndef TESTS_UNIT_SERVE_PROFILE_SECONDS_H
#define TESTS_UNIT_SERVE_PROFILE_SECONDS_H

#include "serve/profile/profiles.h"
#include "unit/profile/sample_stacks.h"

#define S 1000000000ull
#define INTERVAL_S 60
#define ID 11

struct fixture {
	struct scene scene;
	struct ctd_profiles *profiles;
	struct ctd_stacks *stacks;
	uint64_t now_ns;
	int ends, ready; /* calls */
};

static inline void end_interval(void *context)
{
	((struct fixture *)context)->ends++;
}

static inline void tell_ready(void *context)
{
	((struct fixture *)context)->ready++;
}

static inline int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	const struct ctd_profiles_options options = {.period_ns = SAMPLE_PERIOD_NS,
						     .interval_ns = INTERVAL_S * S,
						     .functions = true,
						     .end_interval = end_interval,
						     .context = fixture};

	assert_non_null(fixture);
	scene_begin(&fixture->scene);
	scene_name(&fixture->scene, ID, SCENE_POD "/" SCENE_ID_A);
	scene_describe(&fixture->scene, ID, "shop", "web", "nginx");
	scene_name(&fixture->scene, 12, "/system.slice/ssh.service");
	assert_int_equal(ctd_profiles_new(&options, &fixture->scene.header, &fixture->profiles), 0);
	fixture->now_ns = 1000 * S;
	*state = fixture;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *fixture = *state;

	ctd_stacks_free(fixture->stacks);
	ctd_profiles_free(fixture->profiles);
	scene_end(&fixture->scene);
	free(fixture);
	return 0;
}

/* A second in which the container had @p cpu_ms, half of it in `work`, ends. */
static inline void enter(struct fixture *fixture, uint64_t cpu_ms)
{
	struct scene *scene = &fixture->scene;

	scene->interval.rows_count = 0;
	scene_run(scene, CTD_ROW_CGROUP, ID, cpu_ms, 0.5);
	scene_run(scene, CTD_ROW_CGROUP, 12, 10, 0);
	if (!fixture->stacks)
		fixture->stacks = sample_begin(scene);
	sample_add(fixture->stacks, ID, "work|main", 5, 5, 0.5);
	sample_add(fixture->stacks, ID, "wait|main", 5, 5, 0.5);
	sample_add(fixture->stacks, 12, "secret|main", 1, 1, 0);
	fixture->now_ns += S;
	ctd_profiles_enter(fixture->profiles, &scene->interval, scene->identities, fixture->now_ns);
}

static inline void pass(struct fixture *fixture, uint64_t cpu_ms)
{
	enter(fixture, cpu_ms);
	ctd_profiles_step(fixture->profiles, 1, &fixture->stacks, fixture->now_ns);
	assert_null(fixture->stacks);
}

#endif
