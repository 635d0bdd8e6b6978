/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_walk.c - stacks unwound by our tables are those of libgcc, at every instruction of library
 * calls. */
#include "unit/profile/unwind/walk.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>
#include <unwind.h>

#include <cmocka.h>

#define FRAMES_MAX 64
#define STEPS_MAX 20000

static struct walk walk;

struct frames {
	uint64_t pcs[FRAMES_MAX];
	size_t count;
};

static int begin(void **state)
{
	(void)state;
	return walk_begin(&walk) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	walk_end(&walk);
	return 0;
}

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
	struct frames *frames = argument;

	if (frames->count < FRAMES_MAX)
		frames->pcs[frames->count++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

#ifdef __x86_64__

static void registers_of(const ucontext_t *context, struct walk_registers *ret_registers)
{
	/* In DWARF's order. */
	static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				    REG_RBP, REG_RSP, REG_R8,  REG_R9,	REG_R10, REG_R11,
				    REG_R12, REG_R13, REG_R14, REG_R15};
	const greg_t *from = context->uc_mcontext.gregs;

	*ret_registers = (struct walk_registers){.pc = (uint64_t)from[REG_RIP],
						 .sp = (uint64_t)from[REG_RSP],
						 .fp = (uint64_t)from[REG_RBP]};
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		ret_registers->all[i] = (uint64_t)from[order[i]];
}

#define TRAP_FLAG 0x100

static struct {
	bool on;
	unsigned int steps, complete, differing, register_further_up;
	uint64_t differing_pc;
} stepping;

/* Libgcc's frames from the pc on. */
static bool same_frames(const struct frames *ours, const struct frames *theirs)
{
	size_t first = 0;

	while (first < theirs->count && theirs->pcs[first] != ours->pcs[0])
		first++;
	if (first + ours->count > theirs->count)
		return false;
	return !memcmp(ours->pcs, theirs->pcs + first, ours->count * sizeof(*ours->pcs));
}

static void compare_here(const ucontext_t *context)
{
	struct frames ours = {0}, theirs = {0};
	struct walk_registers registers;
	enum walk_end walk_end;

	registers_of(context, &registers);
	walk_end = walk_stack(&walk, registers, ours.pcs, FRAMES_MAX, &ours.count);
	_Unwind_Backtrace(note_frame, &theirs);
	stepping.steps++;
	if (walk_end == WALK_COMPLETE && same_frames(&ours, &theirs))
		stepping.complete++;
	else if (walk_end == WALK_BROKEN && ours.count > 1 &&
		 walk.rules.rules[walk.broken_by].cfa == CTD_CFA_REGISTER &&
		 same_frames(&ours, &theirs))
		/* The dynamic linker's way to a function that is called for the first time. */
		stepping.register_further_up++;
	else if (!stepping.differing++)
		stepping.differing_pc = registers.pc;
}

static void on_step(int signal, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;

	(void)signal;
	(void)info;
	if (stepping.on && stepping.steps < STEPS_MAX) {
		compare_here(context);
		context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	} else {
		context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	}
}

static int compare_numbers(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

/* Leaves and deep calls, with and without frame pointers, of libc and ours. */
static void call_libraries(void)
{
	int numbers[] = {5, 3, 8, 1, 9, 2};
	time_t now = 86400;
	char text[64];
	struct tm date;

	qsort(numbers, sizeof(numbers) / sizeof(*numbers), sizeof(*numbers), compare_numbers);
	snprintf(text, sizeof(text), "%g %s", 1.0 / 3, "some text");
	gmtime_r(&now, &date);
	free(malloc(100));
	assert_int_equal(numbers[0], 1);
}

static void every_instruction_has_the_stack_that_libgcc_finds(void **state)
{
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO}, before;

	(void)state;
	assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
	stepping.on = true;
	raise(SIGTRAP);
	call_libraries();
	stepping.on = false;
	sigaction(SIGTRAP, &before, NULL);
	print_message("%u steps, %u complete, %u in the dynamic linker, %u differ, at %#llx\n",
		      stepping.steps, stepping.complete, stepping.register_further_up,
		      stepping.differing, (unsigned long long)stepping.differing_pc);
	assert_true(stepping.steps > 1000);
	assert_int_equal(stepping.differing, 0);
	assert_true(stepping.complete > 0);
}

/* A signal's handler: the stack goes through the frame that the kernel made. */
static struct frames signal_frames;
static enum walk_end signal_end;

__attribute__((noinline)) static void capture(void)
{
	struct walk_registers registers;
	ucontext_t context;

	getcontext(&context);
	registers_of(&context, &registers);
	signal_end =
		walk_stack(&walk, registers, signal_frames.pcs, FRAMES_MAX, &signal_frames.count);
}

static struct frames their_frames;

static void on_signal(int signal)
{
	(void)signal;
	_Unwind_Backtrace(note_frame, &their_frames);
	capture();
	/* Not a tail call, which would leave no frame. */
	__asm__ volatile("" ::: "memory");
}

static void a_stack_with_a_signal_handler_is_complete(void **state)
{
	size_t ours, theirs;

	(void)state;
	assert_true(signal(SIGUSR1, on_signal) != SIG_ERR);
	raise(SIGUSR1);
	signal(SIGUSR1, SIG_DFL);
	assert_int_equal(signal_end, WALK_COMPLETE);
	/* Libgcc goes one further: the caller of _start is at 0. */
	while (their_frames.count && !their_frames.pcs[their_frames.count - 1])
		their_frames.count--;
	assert_true(their_frames.count > 4);
	/* From the handler's caller on they are the same. */
	for (ours = signal_frames.count, theirs = their_frames.count;
	     ours && theirs && signal_frames.pcs[ours - 1] == their_frames.pcs[theirs - 1];
	     ours--, theirs--)
		;
	assert_int_equal(theirs, 1);
	assert_int_equal(ours, 2);
}

#else

static void every_instruction_has_the_stack_that_libgcc_finds(void **state)
{
	(void)state;
	(void)note_frame;
	print_message("only x86-64 has tables to compare here\n");
	skip();
}

static void a_stack_with_a_signal_handler_is_complete(void **state)
{
	(void)state;
	print_message("only x86-64 has tables to compare here\n");
	skip();
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_with_a_signal_handler_is_complete),
		cmocka_unit_test(every_instruction_has_the_stack_that_libgcc_finds),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
