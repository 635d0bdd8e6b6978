/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sampler.c - samples tell what ran, beside totals that add up to the last slot. */
#include <cgtopdown/sampler.h>

#include <bpf/bpf.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "bpf/profile.skel.h"
#include "bpf/topdown.skel.h"
#include "camera.h"

static void it_loads_beside_every_way_to_read(void **state)
{
	for (size_t i = 0; i < sizeof(rig_sources) / sizeof(*rig_sources); i++) {
		struct camera *camera = set_up(state, rig_sources[i], 0);

		assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
		rig_watch(camera->rig, 2, 1);
		take(camera);
		assert_int_equal(camera->samples.period_ns, 1000000000 / 49);
		put_away(state);
	}
}

/* Length of the program in the scheduler, as the verifier left it. */
static uint32_t switch_bytes(const struct camera *camera)
{
	struct bpf_prog_info info = {};
	uint32_t bytes = sizeof(info);

	assert_int_equal(bpf_obj_get_info_by_fd(
				 bpf_program__fd(camera->rig->kern->skeleton->progs.cgtd_switch),
				 &info, &bytes),
			 0);
	assert_true(info.xlated_prog_len > 0);
	return info.xlated_prog_len;
}

static void the_program_in_the_scheduler_has_no_instruction_more_with_samples(void **state)
{
	struct camera *camera = camera_new(state, "sim");
	uint32_t without;

	rig_start(camera->rig);
	without = switch_bytes(camera);
	put_away(state);
	camera = set_up(state, "sim", 0);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	print_message("%u bytes without, %u with\n", without, switch_bytes(camera));
	assert_int_equal(switch_bytes(camera), without);
	/* And samples have no program of their own there. */
	assert_int_equal(bpf_program__type(camera->sampler->skeleton->progs.cgtd_window),
			 BPF_PROG_TYPE_PERF_EVENT);
	assert_int_equal(camera->sampler->skeleton->skeleton->prog_cnt, 3);
}

static void what_cannot_be_sampled_is_refused_with_the_limits(void **state)
{
	static const struct ctd_sampler_options wrong[] = {
		{.frequency_hz = 1001}, {.frequency_hz = 1000, .window_ns = 300000}};
	struct camera *camera = set_up(state, "none", 0);
	struct ctd_sampler *none;

	for (size_t i = 0; i < 2; i++)
		assert_int_equal(ctd_sampler_load(&wrong[i], camera->rig->kern, &none), -EINVAL);
}

/* Spins and sleeps in turn, each for @p us on average, without a rhythm. */
static void work_in_slices(uint64_t us)
{
	unsigned int seed = (unsigned int)getpid();

	for (;;) {
		const struct timespec rest = {.tv_nsec = (long)(us * 1000)};
		uint64_t length_us = us / 2 + (uint64_t)rand_r(&seed) % us;

		for (uint64_t end_ns = rig_now_ns() + length_us * 1000; rig_now_ns() < end_ns;)
			;
		nanosleep(&rest, NULL);
	}
}

/* Sampling is like drawing lots at worst: three standard errors, and what a hypervisor took. */
static bool is_sampled(const struct camera *camera, int cgroup, uint64_t oncpu_ns)
{
	double want = (double)oncpu_ns / (double)camera->samples.period_ns;
	double have = (double)sum_of(camera, cgroup).samples;
	double steal = (double)(rig_steal_ns() - camera->rig->steal_ns) /
		       (double)camera->samples.period_ns;

	print_message("cgroup %d: %.0f samples, %.1f expected\n", cgroup, have, want);
	return fabs(have - want) <= 3 * sqrt(want) + steal;
}

static void weight_is_cpu_time_however_short_the_slices_are(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);
	struct ctd_snapshot before, after;
	bool are_sampled = false;

	for (int i = 0; i < 2; i++) {
		if (rig_fork(camera->rig, i, i % camera->rig->cpus))
			work_in_slices(i ? 20000 : 1000);
	}
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	/* One in 370 lots is further off, and a guest that is paused as a whole loses samples. */
	for (int attempt = 0; attempt < 3 && !are_sampled; attempt++) {
		take(camera);
		ctd_samples_clear(&camera->samples);
		camera->rig->steal_ns = rig_steal_ns();
		rig_snapshot(camera->rig, &before);
		take_for_ms(camera, 3000);
		rig_snapshot(camera->rig, &after);
		take(camera);
		are_sampled = true;
		for (int i = 0; i < 2; i++) {
			uint64_t id = camera->rig->cgroup_ids[i];

			are_sampled &= is_sampled(camera, i,
						  rig_row(&after, id).oncpu_ns -
							  rig_row(&before, id).oncpu_ns);
		}
		ctd_snapshot_free(&before);
		ctd_snapshot_free(&after);
	}
	assert_true(are_sampled);
	assert_int_equal(camera->health[CTD_SAMPLING_LOST], 0);
}

static void windows_are_short_and_their_counts_are_those_of_the_task(void **state)
{
	struct camera *camera = set_up(state, "sim", HZ);
	struct ctd_sample sum;
	double mean_ns;

	if (rig_fork(camera->rig, 0, -1))
		rig_spin_ms(100000);
	rig_sleep_ms(50);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	/* A busy machine keeps us from setting the clocks well. */
	for (int i = 0; i < 20 && sum_of(camera, 0).windows < 20; i++)
		take_for_ms(camera, 500);
	sum = sum_of(camera, 0);
	print_message("%llu of %llu samples with a window; clocks set %llu times, %llu failed\n",
		      (unsigned long long)sum.windows, (unsigned long long)sum.samples,
		      (unsigned long long)camera->health[CTD_SAMPLING_LOCKS],
		      (unsigned long long)camera->health[CTD_SAMPLING_LOCKS_FAILED]);
	assert_true(sum.windows > 0 && sum.windows <= sum.samples);
	mean_ns = (double)sum.windows_ns / (double)sum.windows;
	print_message("windows of %.1f us\n", mean_ns / 1000);
	assert_true(mean_ns > CTD_SAMPLER_WINDOW_NS / 2.0 && mean_ns < CTD_SAMPLER_WINDOW_NS * 2.0);
	assert_int_equal(sum.count[0], sum.windows_ns * CTD_SIM_SLOTS_PER_NS);
	assert_int_equal(sum.count[1] + sum.count[2] + sum.count[3] + sum.count[4], sum.count[0]);
}

static void every_sample_is_in_a_stack_or_counted_as_lost(void **state)
{
	struct camera *camera = set_up(state, "sim", HZ);
	struct ctd_sample sum;

	rig_load(camera->rig);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	for (int i = 0; i < 20 && camera->health[CTD_SAMPLING_SAMPLES] <= 200; i++)
		take_for_ms(camera, 1000);
	stop_clocks(camera);
	for (int bank = 0; bank < 2; bank++)
		take(camera);
	sum = sum_of(camera, -1);
	assert_true(sum.samples > 100);
	/* Where a hypervisor holds a CPU for 20 ms while it takes a sample, that one is lost. */
	assert_in_range(sum.samples + camera->health[CTD_SAMPLING_LOST],
			camera->health[CTD_SAMPLING_SAMPLES] - 10,
			camera->health[CTD_SAMPLING_SAMPLES]);
	assert_int_equal(
		camera->health[CTD_SAMPLING_WINDOWS] + camera->health[CTD_SAMPLING_UNPAIRED] +
			camera->health[CTD_SAMPLING_SWITCHED] + camera->health[CTD_SAMPLING_UNREAD],
		camera->health[CTD_SAMPLING_SAMPLES]);
	assert_int_equal(camera->health[CTD_SAMPLING_COMPLETE] +
				 camera->health[CTD_SAMPLING_TRUNCATED] +
				 camera->health[CTD_SAMPLING_BROKEN] +
				 camera->health[CTD_SAMPLING_FRAME_POINTERS],
			 camera->health[CTD_SAMPLING_SAMPLES]);
}

static void watch_totals(void **state, const char *source)
{
	struct camera *camera = set_up(state, source, 997);
	struct ctd_snapshot before = {}, after;

	rig_load(camera->rig);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	for (int i = 0; i < 60 || (i < 600 && camera->health[CTD_SAMPLING_SAMPLES] <= 100); i++) {
		rig_sleep_ms(10);
		rig_snapshot(camera->rig, &after);
		rig_assert_conserved(&after);
		rig_assert_grown(&before, &after);
		assert_int_equal(after.cpus[0].health[CTD_HEALTH_READ_ERRORS], 0);
		ctd_snapshot_free(&before);
		before = after;
		take(camera);
	}
	ctd_snapshot_free(&before);
	assert_true(camera->health[CTD_SAMPLING_SAMPLES] > 100);
}

static void totals_add_up_while_simulated_counters_are_sampled(void **state)
{
	watch_totals(state, "sim");
}

static void totals_add_up_while_counters_are_sampled(void **state)
{
	watch_totals(state, "software:9:leader");
}

/* A chain of calls with frame pointers. */
#define LINK \
	__attribute__((noinline, optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")))
#define LINK_BYTES 256

LINK static void innermost(void)
{
	for (volatile uint64_t i = 0; i < 1u << 30; i++)
		;
}

LINK static void middle(void)
{
	innermost();
	__asm__ volatile("");
}

LINK static void outermost(void)
{
	for (;;)
		middle();
}

static bool is_in(uint64_t frame, void (*function)(void))
{
	return frame >= (uintptr_t)function && frame < (uintptr_t)function + LINK_BYTES;
}

/* Of the first cgroup, whose task others may keep from running for long. */
static void take_many(struct camera *camera)
{
	for (int i = 0; i < 20 && sum_of(camera, 0).samples <= 10; i++)
		take_for_ms(camera, 1000);
}

static void the_chain_of_calls_is_in_the_stack_from_the_innermost_outwards(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);
	uint64_t right = 0, all = 0;

	if (rig_fork(camera->rig, 0, -1))
		outermost();
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	take_many(camera);
	for (size_t i = 0; i < camera->samples.samples_count; i++) {
		const struct ctd_sample *sample = &camera->samples.samples[i];
		const uint64_t *frames =
			camera->samples.frames + sample->first_frame + sample->kernel_frames;

		if (sample->cgroup_id != camera->rig->cgroup_ids[0])
			continue;
		assert_int_equal(sample->tgid, camera->rig->children[0]);
		all += sample->samples;
		if (sample->user_frames >= 3 && is_in(frames[0], innermost) &&
		    is_in(frames[1], middle) && is_in(frames[2], outermost))
			right += sample->samples;
	}
	print_message("%llu of %llu stacks are right\n", (unsigned long long)right,
		      (unsigned long long)all);
	assert_true(all > 10);
	/* Those at the first and last instruction of a function have no frame there yet. */
	assert_true(right >= all * 9 / 10);
}

/* Samples of the first cgroup in the kernel, called by its own; all are looked at. */
static uint64_t samples_in_kernel(const struct camera *camera)
{
	uint64_t in_kernel = 0;

	for (size_t i = 0; i < camera->samples.samples_count; i++) {
		const struct ctd_sample *sample = &camera->samples.samples[i];
		const uint64_t *frames = camera->samples.frames + sample->first_frame;

		for (int k = 0; k < sample->kernel_frames; k++)
			assert_int_equal(frames[k] >> 48, 0xffff);
		for (int k = 0; k < sample->user_frames; k++)
			assert_int_equal(frames[sample->kernel_frames + k] >> 48, 0);
		if (sample->cgroup_id == camera->rig->cgroup_ids[0] && sample->kernel_frames > 2 &&
		    sample->user_frames)
			in_kernel += sample->samples;
	}
	return in_kernel;
}

static void the_kernels_part_comes_first(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);
	uint64_t in_kernel = 0;

	if (rig_fork(camera->rig, 0, -1))
		rig_fault_pages(100000000);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	for (int i = 0; i < 20 && in_kernel <= 10; i++) {
		take_for_ms(camera, 1000);
		in_kernel = samples_in_kernel(camera);
	}
	assert_true(in_kernel > 10);
}

#ifdef __x86_64__
/* A chain of calls without frame pointers, whose rbp is another's. The rules below are of these. */
__asm__(".text\n"
	".balign 256\n"
	"link_inner: pause\n"
	"	jmp link_inner\n"
	".balign 64\n"
	"link_middle: sub $40, %rsp\n"
	"	call link_inner\n"
	".balign 64\n"
	"link_outer: push %rbp\n"
	"	mov $0x123456, %rbp\n"
	"	sub $16, %rsp\n"
	"	call link_middle\n"
	".balign 64\n"
	"link_end: nop\n");
void link_inner(void), link_middle(void), link_outer(void), link_end(void);

/* The page of the chain is the second one of its table: what calls it may be in the one before. */
static uint64_t link_bias(void)
{
	return ((uintptr_t)link_inner & ~0xffffull) - 0x10000;
}

static int set_executable(struct ctd_sampler *sampler, uint32_t executable, const uint32_t *words,
			  size_t count)
{
	/* Beside one that is there already, which stays. */
	const struct ctd_unwind_words both[] = {{executable, words, count}, {42, words, 1}};

	return ctd_sampler_set_executables(sampler, both, 2);
}

/* What is done with a request. */
static void give_tables(const struct ctd_unwind_request *request, void *context)
{
	enum { SP_8 = CTD_RULES_FIXED, SP_48, SP_32, RULES };
	static const struct ctd_unwind_rule rules[RULES] = {
		[SP_8] = {.cfa = CTD_CFA_SP, .cfa_offset = 8},
		[SP_48] = {.cfa = CTD_CFA_SP, .cfa_offset = 48},
		[SP_32] = {.cfa = CTD_CFA_SP,
			   .cfa_offset = 32,
			   .fp = CTD_WHERE_CFA,
			   .fp_offset = -16},
	};
	static struct ctd_unwind_rule all[RULES];
	const uint64_t bias = link_bias();
	const uint32_t low = (uint16_t)(uintptr_t)link_inner;
	/* Three pages, of which others than ours have one row; rows are after the head. */
	const uint32_t words[] = {0,
				  3,
				  6,
				  7,
				  12,
				  13,
				  CTD_UNWIND_ROW(0, CTD_RULE_END),
				  CTD_UNWIND_ROW(0, CTD_RULE_END),
				  CTD_UNWIND_ROW(low, SP_8),
				  CTD_UNWIND_ROW(low + 64, SP_48),
				  CTD_UNWIND_ROW(low + 128, SP_32),
				  CTD_UNWIND_ROW(low + 192, CTD_RULE_END),
				  CTD_UNWIND_ROW(0, CTD_RULE_END)};
	const struct ctd_mapping mapping = {
		.start = bias, .end = bias + 0x30000, .bias = bias, .executable = 7};
	const struct ctd_process process = {
		.incarnation = request->incarnation, .first = 3, .count = 1};
	struct camera *camera = context;

	if (request->tgid != (uint32_t)camera->rig->children[0] ||
	    request->reason != CTD_UNWIND_NO_PROCESS)
		return;
	assert_int_equal(request->cgroup_id, camera->rig->cgroup_ids[0]);
	/* It could be named if it were gone by now; not where its mappings were being changed. */
	if (request->file) {
		assert_true(request->pc >= request->start && request->pc < request->end);
		camera->files++;
	}
	for (int i = SP_8; i < RULES; i++) {
		all[i] = rules[i];
		all[i].return_address = CTD_WHERE_CFA;
		all[i].return_address_offset = -8;
	}
	assert_int_equal(ctd_sampler_set_rules(camera->sampler, 0, all, RULES), 0);
	assert_int_equal(set_executable(camera->sampler, 7, words, sizeof(words) / sizeof(*words)),
			 0);
	assert_int_equal(ctd_sampler_set_mappings(camera->sampler, 3, &mapping, 1), 0);
	assert_int_equal(ctd_sampler_set_process(camera->sampler, request->tgid, &process), 0);
}

static bool is_link(uint64_t frame, void (*function)(void))
{
	uint64_t bias = link_bias();

	return CTD_FRAME_EXECUTABLE(frame) == 7 &&
	       is_in(CTD_FRAME_ADDRESS(frame) + bias, function) &&
	       CTD_FRAME_ADDRESS(frame) + bias < (uintptr_t)function + 64;
}

static void stacks_without_frame_pointers_are_unwound_by_tables_once_they_are_there(void **state)
{
	struct camera *camera = set_up(state, "sim", HZ);
	uint64_t right = 0, all = 0;

	if (!ctd_sampler_unwinds(camera->sampler)) {
		assert_false(ctd_sampler_can_unwind());
		print_message("this kernel has no bpf_loop()\n");
		skip();
	}
	if (rig_fork(camera->rig, 0, -1))
		link_outer();
	rig_wait_for_child_in(camera->rig, 0);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	for (int i = 0; i < 20 && !camera->health[CTD_SAMPLING_UNKNOWN_PROCESS]; i++)
		take_for_ms(camera, 300);
	assert_true(camera->health[CTD_SAMPLING_UNKNOWN_PROCESS] > 0);
	assert_true(ctd_sampler_take_requests(camera->sampler, give_tables, camera) > 0);
	assert_true(camera->files > 0);
	take_all(camera);
	ctd_samples_clear(&camera->samples);
	take_many(camera);
	for (size_t i = 0; i < camera->samples.samples_count; i++) {
		const struct ctd_sample *sample = &camera->samples.samples[i];
		const uint64_t *frames =
			camera->samples.frames + sample->first_frame + sample->kernel_frames;

		if (sample->cgroup_id != camera->rig->cgroup_ids[0])
			continue;
		all += sample->samples;
		if (sample->user_frames == 4 && sample->user_end == CTD_STACK_COMPLETE &&
		    is_link(frames[0], link_inner) && is_link(frames[1], link_middle) &&
		    is_link(frames[2], link_outer) &&
		    (!sample->windows || is_link(sample->begin_frame, link_inner) ||
		     CTD_FRAME_EXECUTABLE(sample->begin_frame) == CTD_FRAME_KERNEL))
			right += sample->samples;
	}
	print_message("%llu of %llu stacks are right\n", (unsigned long long)right,
		      (unsigned long long)all);
	assert_true(all > 10);
	assert_int_equal(right, all);
}

static void tables_beyond_the_limits_are_refused(void **state)
{
	static const struct ctd_mapping mapping;
	static const struct ctd_process process = {.count = CTD_PROCESS_MAPPINGS_MAX + 1};
	static const uint32_t word;
	struct camera *camera = set_up(state, "none", 0);
	struct ctd_sampler *sampler = camera->sampler;
	int want = ctd_sampler_unwinds(sampler) ? -EINVAL : -EOPNOTSUPP;

	assert_int_equal(ctd_sampler_set_mappings(sampler, CTD_MAPPINGS_MAX, &mapping, 1), want);
	assert_int_equal(set_executable(sampler, 0, &word, 1), want);
	assert_int_equal(set_executable(sampler, CTD_EXECUTABLES_MAX, &word, 1), want);
	assert_int_equal(set_executable(sampler, 1, &word, CTD_UNWIND_WORDS_MAX + 1), want);
	assert_int_equal(ctd_sampler_set_process(sampler, 1, &process), want);
	/* What is not there can be taken away. */
	if (ctd_sampler_unwinds(sampler)) {
		assert_int_equal(ctd_sampler_take_executable(sampler, 9), 0);
		assert_int_equal(ctd_sampler_set_process(sampler, 1, NULL), 0);
	}
}

static void another_sampler_has_the_tables_of_the_one_before(void **state)
{
	static const struct ctd_process process = {.incarnation = 5, .count = 1};
	struct camera *camera = set_up(state, "none", 0);
	const struct ctd_sampler_options options = {.tables_of = camera->sampler};
	const uint32_t tgid = 42;
	struct ctd_process found = {};
	struct ctd_sampler *next;

	if (!ctd_sampler_unwinds(camera->sampler)) {
		print_message("this kernel cannot walk tables in a program\n");
		skip();
	}
	assert_int_equal(ctd_sampler_set_process(camera->sampler, tgid, &process), 0);
	assert_int_equal(ctd_sampler_load(&options, camera->rig->kern, &next), 0);
	ctd_sampler_free(camera->sampler);
	camera->sampler = next;
	assert_int_equal(bpf_map_lookup_elem(bpf_map__fd(next->skeleton->maps.cgtd_processes),
					     &tgid, &found),
			 0);
	assert_memory_equal(&found, &process, sizeof(process));
}
#endif

/* As if a CPU had more different stacks than there is room for: what they are is of no interest, so
 * that all of them are zeros. */
static void fill_banks(const struct camera *camera, int cpu)
{
	const struct ctd_sampler *sampler = camera->sampler;
	uint32_t entry_bytes = CTD_SAMPLER_ENTRY_BYTES(0);
	uint32_t entries =
		(sampler->data_bytes - CTD_SAMPLER_OTHER_BYTES + entry_bytes - 1) / entry_bytes;

	for (int bank = 0; bank < 2; bank++)
		((struct ctd_sampler_bank *)(sampler->banks +
					     (size_t)(2 * cpu + bank) * sampler->bank_bytes))
			->used = entries * entry_bytes;
}

static uint64_t other_samples(const struct camera *camera, uint64_t cgroup_id)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < camera->samples.samples_count; i++) {
		const struct ctd_sample *sample = &camera->samples.samples[i];

		if (sample->other && (!cgroup_id || sample->cgroup_id == cgroup_id))
			samples += sample->samples;
	}
	return samples;
}

static void without_room_samples_of_a_cgroup_are_added_up_and_none_is_lost(void **state)
{
	struct camera *camera = set_up(state, "sim", HZ);

	if (rig_fork(camera->rig, 0, 0))
		rig_fault_pages(100000000);
	fill_banks(camera, 0);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	for (int i = 0; i < 100 && camera->health[CTD_SAMPLING_OTHER] < 100; i++) {
		rig_sleep_ms(100);
		ctd_sampler_health(camera->sampler, camera->health);
	}
	stop_clocks(camera);
	for (int bank = 0; bank < 2; bank++)
		take(camera);
	assert_int_equal(camera->health[CTD_SAMPLING_LOST], 0);
	assert_true(other_samples(camera, camera->rig->cgroup_ids[0]) > 0);
	assert_int_equal(other_samples(camera, 0), camera->health[CTD_SAMPLING_OTHER]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(it_loads_beside_every_way_to_read, put_away),
		cmocka_unit_test_teardown(
			the_program_in_the_scheduler_has_no_instruction_more_with_samples,
			put_away),
		cmocka_unit_test_teardown(what_cannot_be_sampled_is_refused_with_the_limits,
					  put_away),
		cmocka_unit_test_teardown(weight_is_cpu_time_however_short_the_slices_are,
					  put_away),
		cmocka_unit_test_teardown(windows_are_short_and_their_counts_are_those_of_the_task,
					  put_away),
		cmocka_unit_test_teardown(every_sample_is_in_a_stack_or_counted_as_lost, put_away),
		cmocka_unit_test_teardown(totals_add_up_while_simulated_counters_are_sampled,
					  put_away),
		cmocka_unit_test_teardown(totals_add_up_while_counters_are_sampled, put_away),
		cmocka_unit_test_teardown(
			the_chain_of_calls_is_in_the_stack_from_the_innermost_outwards, put_away),
		cmocka_unit_test_teardown(the_kernels_part_comes_first, put_away),
#ifdef __x86_64__
		cmocka_unit_test_teardown(
			stacks_without_frame_pointers_are_unwound_by_tables_once_they_are_there,
			put_away),
		cmocka_unit_test_teardown(tables_beyond_the_limits_are_refused, put_away),
		cmocka_unit_test_teardown(another_sampler_has_the_tables_of_the_one_before,
					  put_away),
#endif
		cmocka_unit_test_teardown(
			without_room_samples_of_a_cgroup_are_added_up_and_none_is_lost, put_away),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
