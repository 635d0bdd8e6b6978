/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_strange_tasks.c - stacks of tasks that have a process and no code of 64 bits. */
#include <errno.h>
#include <linux/io_uring.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "camera.h"

/* Samples of the first cgroup whose stack's user part is as wanted. */
typedef bool is_wanted(const struct ctd_sample *sample, const uint64_t *frames);

static uint64_t samples_that(const struct camera *camera, is_wanted *is_so)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < camera->samples.samples_count; i++) {
		const struct ctd_sample *sample = &camera->samples.samples[i];
		const uint64_t *frames =
			camera->samples.frames + sample->first_frame + sample->kernel_frames;

		if (sample->cgroup_id == camera->rig->cgroup_ids[0] && is_so(sample, frames))
			samples += sample->samples;
	}
	return samples;
}

static void take_many(struct camera *camera)
{
	ctd_samples_clear(&camera->samples);
	for (int i = 0; i < 20 && sum_of(camera, 0).samples <= 10; i++)
		take_for_ms(camera, 1000);
	assert_true(sum_of(camera, 0).samples > 10);
}

/* Has a thread of the kernel that looks for work all the time. @return false: there is none here. */
static bool poll_in_kernel(void)
{
	struct io_uring_params params = {.flags = IORING_SETUP_SQPOLL, .sq_thread_idle = 600000};
	int ring = (int)syscall(SYS_io_uring_setup, 4, &params);

	if (ring < 0)
		return false;
	/* Only when it has fallen asleep, it can be woken. */
	usleep(100000);
	return !syscall(SYS_io_uring_enter, ring, 0, 0, IORING_ENTER_SQ_WAKEUP, NULL, 0);
}

static bool is_without_user(const struct ctd_sample *sample, const uint64_t *frames)
{
	(void)frames;
	return !sample->user_frames && sample->user_end == CTD_STACK_COMPLETE;
}

static void a_worker_of_the_kernel_in_a_process_has_no_user_frames_and_is_complete(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);
	int report[2];
	bool polls = false;

	if (!ctd_sampler_unwinds(camera->sampler)) {
		print_message("this kernel has no bpf_loop()\n");
		skip();
	}
	assert_int_equal(pipe(report), 0);
	if (rig_fork(camera->rig, 0, -1)) {
		polls = poll_in_kernel();
		if (write(report[1], &polls, sizeof(polls)) > 0)
			pause();
		_exit(1);
	}
	assert_int_equal(read(report[0], &polls, sizeof(polls)), sizeof(polls));
	close(report[0]);
	close(report[1]);
	if (!polls) {
		print_message("this kernel has no io_uring, or forbids it\n");
		skip();
	}
	/* Before it sleeps, the process would be sampled, too, which has frames of its own. */
	rig_wait_for_state(camera->rig->children[0], 'S');
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	take_many(camera);
	print_message("%llu of %llu stacks are right\n",
		      (unsigned long long)samples_that(camera, is_without_user),
		      (unsigned long long)sum_of(camera, 0).samples);
	assert_int_equal(samples_that(camera, is_without_user), sum_of(camera, 0).samples);
}

#ifdef __x86_64__
#define CODE_32 0x10000000ul
#define STACK_32 0x10010000ul

/* Goes on in code of 32 bits: xor ebp, ebp; push ebp; mov ebp, esp; call 10f; 10: push ebp;
 * mov ebp, esp; 13: pause; jmp 13b. */
static void go_on_in_32_bits(void)
{
	static const unsigned char code[] = {0x31, 0xed, 0x55, 0x89, 0xe5, 0xe8, 0,    0,   0,
					     0,	   0x55, 0x89, 0xe5, 0xf3, 0x90, 0xeb, 0xfc};
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	void *at = mmap((void *)CODE_32, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1, 0);

	if (at != (void *)CODE_32 ||
	    mmap((void *)STACK_32, 4096, PROT_READ | PROT_WRITE, flags, -1, 0) != (void *)STACK_32)
		_exit(1);
	memcpy(at, code, sizeof(code));
	__asm__ volatile("mov %0, %%rsp\n"
			 "	pushq $0x23\n" /* __USER32_CS */
			 "	push %1\n"
			 "	lretq\n"
			 :
			 : "r"(STACK_32 + 4096 - 64), "r"(CODE_32)
			 : "memory");
	__builtin_unreachable();
}

static bool has_both_frames(const struct ctd_sample *sample, const uint64_t *frames)
{
	return sample->user_frames == 2 && sample->user_end == CTD_STACK_FRAME_POINTERS &&
	       frames[0] >= CODE_32 + 13 && frames[0] < CODE_32 + 17 && frames[1] == CODE_32 + 9;
}

/* As for any process whose mappings were read. */
static void give_mappings(struct camera *camera)
{
	const struct ctd_mapping mapping = {.start = CODE_32, .end = CODE_32 + 4096};
	struct ctd_process process = {.first = 3, .count = 1};

	for (size_t i = 0; i < camera->samples.samples_count; i++)
		if (camera->samples.samples[i].cgroup_id == camera->rig->cgroup_ids[0])
			process.incarnation = camera->samples.samples[i].incarnation;
	assert_true(process.incarnation > 0);
	assert_int_equal(ctd_sampler_set_mappings(camera->sampler, 3, &mapping, 1), 0);
	assert_int_equal(ctd_sampler_set_process(camera->sampler,
						 (uint32_t)camera->rig->children[0], &process),
			 0);
}

static void stacks_of_32_bits_are_by_the_kernels_frame_pointers(void **state)
{
	struct camera *camera = set_up(state, "none", HZ);

	if (!ctd_sampler_unwinds(camera->sampler)) {
		print_message("this kernel has no bpf_loop()\n");
		skip();
	}
	if (rig_fork(camera->rig, 0, -1))
		go_on_in_32_bits();
	rig_wait_for_child_in(camera->rig, 0);
	assert_int_equal(ctd_sampler_attach(camera->sampler), 0);
	take_many(camera);
	give_mappings(camera);
	take_all(camera);
	take_many(camera);
	print_message("%llu of %llu stacks are right\n",
		      (unsigned long long)samples_that(camera, has_both_frames),
		      (unsigned long long)sum_of(camera, 0).samples);
	assert_int_equal(samples_that(camera, has_both_frames), sum_of(camera, 0).samples);
}
#endif

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			a_worker_of_the_kernel_in_a_process_has_no_user_frames_and_is_complete,
			put_away),
#ifdef __x86_64__
		cmocka_unit_test_teardown(stacks_of_32_bits_are_by_the_kernels_frame_pointers,
					  put_away),
#endif
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
