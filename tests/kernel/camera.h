/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* camera.h - a rig with a sampler, and what it took. */
#ifndef KERNEL_CAMERA_H
#define KERNEL_CAMERA_H

#include <cgtopdown/sampler.h>

#include "kern/profile/sampler.h"
#include "rig.h"

#define HZ 499

struct camera {
	struct rig *rig;
	struct ctd_sampler *sampler;
	struct ctd_samples samples;
	uint64_t health[CTD_SAMPLING_HEALTH];
	unsigned int files; /* requests that say which file their pc is in */
};

static inline int put_away(void **state)
{
	struct camera *camera = *state;

	if (!camera)
		return 0;
	rig_reap(camera->rig, 0, true);
	ctd_sampler_free(camera->sampler);
	ctd_samples_clear(&camera->samples);
	rig_free(camera->rig);
	free(camera);
	*state = NULL;
	return 0;
}

/* Without a sampler: what is set of the rig until camera_start() holds for it, too. */
static inline struct camera *camera_new(void **state, const char *source)
{
	struct camera *camera = calloc(1, sizeof(*camera));

	assert_non_null(camera);
	*state = camera;
	camera->rig = rig_new(source);
	return camera;
}

static inline void camera_start(struct camera *camera, const struct ctd_sampler_options *options)
{
	rig_start(camera->rig);
	assert_int_equal(ctd_sampler_load(options, camera->rig->kern, &camera->sampler), 0);
}

static inline struct camera *set_up(void **state, const char *source, uint32_t frequency_hz)
{
	const struct ctd_sampler_options options = {.frequency_hz = frequency_hz};
	struct camera *camera = camera_new(state, source);

	camera_start(camera, &options);
	return camera;
}

static inline void take(struct camera *camera)
{
	assert_int_equal(ctd_sampler_drain(camera->sampler, &camera->samples), 0);
	ctd_sampler_health(camera->sampler, camera->health);
}

static inline void take_for_ms(struct camera *camera, int ms)
{
	for (uint64_t end_ns = rig_now_ns() + (uint64_t)ms * 1000000; rig_now_ns() < end_ns;) {
		rig_sleep_ms(100);
		take(camera);
	}
}

/* Takes until both banks of each CPU were emptied: a sample that is being taken may go into either,
 * and a hypervisor may hold up the program that takes it. */
static inline void take_all(struct camera *camera)
{
	for (int cpu = 0; cpu < camera->rig->cpus; cpu++) {
		const uint32_t *bank = &camera->sampler->cpus[cpu].bank;
		int changes = 0;

		for (int i = 0; i < 100 && changes < 2; i++) {
			uint32_t before = *bank;

			take(camera);
			changes += *bank != before;
		}
		assert_int_equal(changes, 2);
	}
}

/* For good: ctd_sampler_watch_cpu() alone would last until the next drain. What has been sampled is
 * in both banks then, and neither it nor what is counted changes any more. */
static inline void stop_clocks(const struct camera *camera)
{
	for (int cpu = 0; cpu < camera->rig->cpus; cpu++)
		camera->rig->kern->fenced[cpu] = true;
	assert_int_equal(ctd_sampler_follow_cpus(camera->sampler), 0);
}

/* Of a cgroup of the rig; -1: of all. */
static inline struct ctd_sample sum_of(const struct camera *camera, int cgroup)
{
	struct ctd_sample sum = {};

	for (size_t i = 0; i < camera->samples.samples_count; i++) {
		const struct ctd_sample *sample = &camera->samples.samples[i];

		if (cgroup >= 0 && sample->cgroup_id != camera->rig->cgroup_ids[cgroup])
			continue;
		sum.samples += sample->samples;
		sum.windows += sample->windows;
		sum.windows_ns += sample->windows_ns;
		for (int counter = 0; counter < CTD_COUNTERS_MAX; counter++)
			sum.count[counter] += sample->count[counter];
	}
	return sum;
}

#endif
