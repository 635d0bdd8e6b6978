/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* signed_frame.c - runs assembly whose return address has bits above it, as pointer authentication
 * of arm64 leaves them.
 *
 * usage: signed_frame
 *
 * It has a frame pointer and nothing in .eh_frame, as code of a JIT; its caller has no frame
 * pointer and can be passed by .eh_frame alone. Runs until it is killed.
 */
#include <unistd.h>

#ifdef __x86_64__
__asm__(".text\n"
	".p2align 6\n"
	".globl signed_leaf\n"
	".type signed_leaf, @function\n"
	"signed_leaf:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	movabs $0x5a3c000000000000, %rax\n"
	"	xor %rax, 8(%rbp)\n"
	"1:	pause\n"
	"	jmp 1b\n"
	/* No padding of the function before. */
	"	.skip 64\n"
	".size signed_leaf, . - signed_leaf\n"
	".globl signed_caller\n"
	".type signed_caller, @function\n"
	"signed_caller: .cfi_startproc\n"
	/* Of no frame pointer. */
	"	xor %ebp, %ebp\n"
	"	call signed_leaf\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size signed_caller, . - signed_caller\n");
void signed_caller(void);
#endif

int main(void)
{
#ifdef __x86_64__
	signed_caller();
	/* No tail call: its caller is to be seen. */
	pause();
#endif
	return 77;
}
