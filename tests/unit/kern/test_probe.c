/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_probe.c - asking what the kernel can do needs no privilege. */
#include <cgtopdown/caps.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NOBODY 65534

/* The answers that nobody gets, from a process of its own. */
static void ask_as_nobody(struct ctd_caps *ret_caps)
{
	struct ctd_caps *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child;
	int status;

	assert_true(shared != MAP_FAILED);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY))
			_exit(2);
		_exit(ctd_caps_probe(shared) ? 1 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	*ret_caps = *shared;
	munmap(shared, sizeof(*shared));
}

static void without_privilege_the_answer_is_no_with_a_reason(void **state)
{
	struct ctd_caps caps;

	(void)state;
	ask_as_nobody(&caps);
	for (int cap = 0; cap < CTD_CAP_COUNT; cap++) {
		assert_int_equal(caps.answer[cap].present, caps.answer[cap].error == 0);
		assert_true(caps.answer[cap].error <= 0);
	}
	assert_false(caps.answer[CTD_CAP_BPF].present);
	assert_false(caps.answer[CTD_CAP_PERFMON].present);
	/* ENOSYS: a kernel, or a container's filter, without bpf(2). */
	if (caps.answer[CTD_CAP_BPF].error != -ENOSYS)
		assert_int_equal(caps.answer[CTD_CAP_BPF].error, -EPERM);
	/* Anybody may read the kernel's types. */
	assert_int_equal(caps.answer[CTD_CAP_BTF].present,
			 access("/sys/kernel/btf/vmlinux", R_OK) == 0);
	assert_int_equal(ctd_caps_first_missing(&caps),
			 caps.answer[CTD_CAP_BTF].present ? CTD_CAP_BPF : CTD_CAP_BTF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_privilege_the_answer_is_no_with_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
