/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_clocks.c - the sampler's two clocks per CPU are a window apart, wherever and whenever there
 * is a CPU. */
#include <cgtopdown/sampler.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "camera.h"

static const struct ctd_sampler_options usual = {.frequency_hz = HZ};

/* Children that keep all CPUs busy, and do system calls with interrupts off in them. */
static void make_busy(struct camera *camera, int children)
{
	for (int i = 0; i < children; i++) {
		if (rig_fork(camera->rig, 1, -1))
			rig_fault_pages(100000000);
	}
}

static bool all_are_set(const struct camera *camera)
{
	for (int cpu = 0; cpu < camera->rig->cpus; cpu++)
		if (camera->rig->online[cpu] && !camera->sampler->clocks[cpu].set)
			return false;
	return true;
}

static void they_are_set_before_anything_was_sampled_on_a_busy_machine_too(void **state)
{
	struct camera *camera = camera_new(state, "sim");

	camera_start(camera, &usual);
	make_busy(camera, 4);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	/* A hypervisor may well take a CPU away so often that the first tries fail. */
	for (int i = 0; i < 100 && !all_are_set(camera); i++)
		take_for_ms(camera, 100);
	take(camera);
	print_message("set %llu times, %llu of them not within a fifth\n",
		      (unsigned long long)camera->health[CTD_SAMPLING_LOCKS],
		      (unsigned long long)camera->health[CTD_SAMPLING_LOCKS_FAILED]);
	assert_true(all_are_set(camera));
}

static void most_samples_of_a_task_that_spins_have_the_begin_of_a_window(void **state)
{
	struct camera *camera = set_up(state, "sim", HZ);
	uint64_t samples = 0, unpaired = 0;

	if (rig_fork(camera->rig, 0, -1))
		rig_spin_ms(100000);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	/* A busy hypervisor has many timers be late, or little time for the task: but not always. */
	for (int i = 0; i < 20 && (samples <= 100 || unpaired >= samples / 2); i++) {
		const uint64_t samples_before = camera->health[CTD_SAMPLING_SAMPLES];
		const uint64_t unpaired_before = camera->health[CTD_SAMPLING_UNPAIRED];

		take_for_ms(camera, 1500);
		samples = camera->health[CTD_SAMPLING_SAMPLES] - samples_before;
		unpaired = camera->health[CTD_SAMPLING_UNPAIRED] - unpaired_before;
		print_message("%llu of %llu samples are without the begin of a window\n",
			      (unsigned long long)unpaired, (unsigned long long)samples);
	}
	assert_true(samples > 100);
	assert_true(unpaired < samples / 2);
}

/* An interrupt takes more than all that is done in it. */
static void without_counters_there_is_one_clock_and_no_window(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);
	uint64_t samples = 0;

	if (rig_fork(camera->rig, 0, -1))
		rig_spin_ms(100000);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	for (int i = 0; i < 20 && samples <= 20; i++) {
		take_for_ms(camera, 500);
		samples = camera->health[CTD_SAMPLING_SAMPLES];
	}
	assert_true(samples > 20);
	for (int cpu = 0; cpu < camera->rig->cpus; cpu++) {
		assert_null(camera->sampler->clocks[cpu].window_link);
		assert_int_equal(camera->sampler->cpus[cpu].window_at_ns, 0);
	}
	/* One that was being taken is counted as a sample a little before it is as unread. */
	stop_clocks(camera);
	take(camera);
	assert_int_equal(camera->health[CTD_SAMPLING_UNREAD], camera->health[CTD_SAMPLING_SAMPLES]);
	assert_int_equal(camera->health[CTD_SAMPLING_LOCKS], 0);
}

/* No clock of another CPU can be stopped after a nanosecond. */
static void a_distance_that_cannot_be_had_is_counted_and_tried_again(void **state)
{
	const struct ctd_sampler_options options = {.frequency_hz = HZ, .window_ns = 1};
	struct camera *camera = camera_new(state, "sim");
	uint64_t failed;

	camera_start(camera, &options);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	take(camera);
	failed = camera->health[CTD_SAMPLING_LOCKS_FAILED];
	assert_true(failed > 0);
	assert_int_equal(failed, camera->health[CTD_SAMPLING_LOCKS]);
	assert_false(all_are_set(camera));
	for (int cpu = 0; cpu < camera->rig->cpus; cpu++)
		assert_int_equal(camera->sampler->clocks[cpu].told, camera->rig->online[cpu]);
	take(camera);
	assert_true(camera->health[CTD_SAMPLING_LOCKS_FAILED] > failed);
	/* Once it can be had, it is. */
	camera->sampler->window_ns = CTD_SAMPLER_WINDOW_NS;
	for (int i = 0; i < 100 && !all_are_set(camera); i++)
		take_for_ms(camera, 100);
	assert_true(all_are_set(camera));
}

static void a_fenced_cpu_has_none_and_gives_no_sample(void **state)
{
	struct camera *camera = camera_new(state, "none");
	const int last = camera->rig->cpus - 1;

	if (!last) {
		print_message("this machine has one CPU\n");
		skip();
	}
	camera->rig->fenced[last] = true;
	camera_start(camera, &usual);
	if (rig_fork(camera->rig, 0, last))
		rig_spin_ms(100000);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	take_for_ms(camera, 500);
	assert_null(camera->sampler->clocks[last].sample_link);
	assert_int_equal(sum_of(camera, 0).samples, 0);
	assert_int_equal(camera->sampler->cpus[last].health[CTD_SAMPLING_SAMPLES], 0);
}

/* Is a new child sampled that is on this CPU, which others may keep from running? */
static bool child_is_sampled(struct camera *camera, int cpu)
{
	bool is_sampled = false;

	ctd_samples_clear(&camera->samples);
	if (rig_fork(camera->rig, 0, cpu))
		rig_spin_ms(100000);
	for (int i = 0; i < 40 && !is_sampled; i++) {
		take_for_ms(camera, 500);
		is_sampled = sum_of(camera, 0).samples > 20;
	}
	rig_reap(camera->rig, 0, true);
	return is_sampled;
}

/* Its events are dead then, and nobody has told us. */
static void a_cpu_that_went_and_came_unseen_is_sampled_again(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);
	const int last = camera->rig->cpus - 1;

	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	assert_true(child_is_sampled(camera, last));
	if (!last || !rig_set_online(camera->rig, last, false)) {
		print_message("no CPU can be taken offline here\n");
		skip();
	}
	assert_true(rig_set_online(camera->rig, last, true));
	assert_true(child_is_sampled(camera, last));
}

static void a_cpu_that_goes_and_comes_gives_its_clocks_back_and_gets_new_ones(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);
	const int last = camera->rig->cpus - 1;

	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	take(camera);
	if (!last || !rig_set_online(camera->rig, last, false)) {
		print_message("no CPU can be taken offline here\n");
		skip();
	}
	assert_int_equal(ctd_kern_cpu_online(camera->rig->kern, last, false), 0);
	take(camera);
	assert_null(camera->sampler->clocks[last].sample_link);
	assert_true(rig_set_online(camera->rig, last, true));
	assert_int_equal(ctd_kern_cpu_online(camera->rig->kern, last, true), 0);
	take(camera);
	assert_non_null(camera->sampler->clocks[last].sample_link);
	assert_true(child_is_sampled(camera, last));
}

/* Of steps that are so short that some windows begin in one and would end in the next. The second
 * event of each group is the CPU's clock, read a little later at both ends. */
static bool windows_have_their_own_counts(struct camera *camera)
{
	struct rig *rig = camera->rig;
	struct ctd_snapshot before = {}, after;
	uint64_t windows_ns[3] = {}, counted_ns[3] = {};
	bool are_own = true;

	ctd_samples_clear(&camera->samples);
	for (int step = 1; step <= 300; step++) {
		rig_sleep_ms(4);
		for (int cpu = 0; cpu < rig->cpus; cpu++)
			ctd_kern_end_step(rig->kern, cpu);
		rig_snapshot(rig, &after);
		rig_assert_conserved(&after);
		rig_assert_grown(&before, &after);
		for (int cpu = 0; cpu < rig->cpus; cpu++)
			if (rig->online[cpu])
				assert_int_equal(ctd_kern_begin_step(rig->kern, &rig->counters, cpu,
								     step % 3),
						 0);
		rig->counters.step = step % 3;
		ctd_snapshot_free(&before);
		before = after;
		take(camera);
	}
	ctd_snapshot_free(&before);
	for (size_t i = 0; i < camera->samples.samples_count; i++) {
		const struct ctd_sample *sample = &camera->samples.samples[i];

		assert_true(sample->group < 3);
		windows_ns[sample->group] += sample->windows_ns;
		counted_ns[sample->group] += sample->count[1];
	}
	for (int group = 0; group < 3; group++) {
		print_message("group %d: windows of %llu us, %llu us counted\n", group,
			      (unsigned long long)windows_ns[group] / 1000,
			      (unsigned long long)counted_ns[group] / 1000);
		assert_true(windows_ns[group] > 0);
		are_own &= counted_ns[group] >= windows_ns[group] * 9 / 10 &&
			   counted_ns[group] <= windows_ns[group] * 11 / 10;
	}
	return are_own;
}

static void both_ends_of_a_window_are_of_one_group_in_a_rotation(void **state)
{
	struct camera *camera = set_up(state, "software:2:rotate", 997);
	bool are_own = false;

	if (rig_fork(camera->rig, 0, -1))
		rig_spin_ms(100000);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	/* A hypervisor may have the CPU between two readings for a tenth of all windows. */
	for (int attempt = 0; attempt < 3 && !are_own; attempt++)
		are_own = windows_have_their_own_counts(camera);
	assert_true(are_own);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			they_are_set_before_anything_was_sampled_on_a_busy_machine_too, put_away),
		cmocka_unit_test_teardown(
			most_samples_of_a_task_that_spins_have_the_begin_of_a_window, put_away),
		cmocka_unit_test_teardown(without_counters_there_is_one_clock_and_no_window,
					  put_away),
		cmocka_unit_test_teardown(a_distance_that_cannot_be_had_is_counted_and_tried_again,
					  put_away),
		cmocka_unit_test_teardown(a_fenced_cpu_has_none_and_gives_no_sample, put_away),
		cmocka_unit_test_teardown(a_cpu_that_went_and_came_unseen_is_sampled_again,
					  put_away),
		cmocka_unit_test_teardown(
			a_cpu_that_goes_and_comes_gives_its_clocks_back_and_gets_new_ones,
			put_away),
		cmocka_unit_test_teardown(both_ends_of_a_window_are_of_one_group_in_a_rotation,
					  put_away),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
