/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* scaled_frame.c - runs assembly whose caller only an expression of its .eh_frame tells.
 *
 * usage: scaled_frame
 *
 * As OpenSSL's multiplication does, it keeps the caller's stack pointer behind an array whose
 * length is in a register: CFA = *(rsp + 8 * r9 + 8) + 8. Runs until it is killed.
 */
#include <unistd.h>

#ifdef __x86_64__
__asm__(".text\n"
	".globl scaled_leaf\n"
	".type scaled_leaf, @function\n"
	"scaled_leaf: .cfi_startproc\n"
	"	mov %rsp, %rax\n"
	"	.cfi_def_cfa_register %rax\n"
	/* Of no frame pointer. */
	"	xor %ebp, %ebp\n"
	"	sub $128, %rsp\n"
	"	mov $7, %r9d\n"
	"	mov %rax, 64(%rsp)\n"
	/* DW_CFA_def_cfa_expression of 10 bytes: breg7 8; breg9 0; lit8; mul; plus; deref;
	 * plus_uconst 8. */
	"	.cfi_escape 0x0f, 10, 0x77, 8, 0x79, 0, 0x38, 0x1e, 0x22, 0x06, 0x23, 8\n"
	"1:	pause\n"
	"	jmp 1b\n"
	"	.cfi_endproc\n"
	".size scaled_leaf, . - scaled_leaf\n");
void scaled_leaf(void);

__attribute__((noinline)) static void scaled_caller(volatile int *ret_done)
{
	scaled_leaf();
	*ret_done = 1;
}
#endif

int main(void)
{
#ifdef __x86_64__
	volatile int done = 0;

	scaled_caller(&done);
#endif
	return 77;
}
