/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_probe.c - every capability is explained, and asking for it needs no privilege. */
#include <cgtopdown/caps.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NOBODY 65534

static void every_capability_is_explained(void **state)
{
	(void)state;
	for (int cap = 0; cap < CTD_CAP_COUNT; cap++) {
		const struct ctd_cap_text *text = &ctd_cap_texts[cap];

		assert_true(text->name && *text->name);
		assert_true(text->purpose && *text->purpose);
		assert_true(text->remedy && *text->remedy);
		/* A commit by its title, which is quoted. */
		assert_true(text->since && text->since[strlen(text->since) - 1] ==
						   (text->since[0] == '"' ? '"' : ')'));
		for (int other = 0; other < cap; other++)
			assert_string_not_equal(text->name, ctd_cap_texts[other].name);
	}
}

static void the_first_required_one_that_is_missing_is_found(void **state)
{
	(void)state;
	for (int missing = 0; missing <= CTD_CAP_COUNT; missing++) {
		struct ctd_caps caps = {0};
		int wanted = missing;

		/* It, and all that follow. */
		for (int cap = 0; cap < missing; cap++)
			caps.answer[cap].present = true;
		while (wanted < CTD_CAP_COUNT && !ctd_cap_texts[wanted].required)
			wanted++;
		assert_int_equal(ctd_caps_first_missing(&caps), wanted);
	}
}

static void what_is_optional_is_not_missed(void **state)
{
	struct ctd_caps caps;

	(void)state;
	for (int cap = 0; cap < CTD_CAP_COUNT; cap++)
		caps.answer[cap].present = ctd_cap_texts[cap].required;
	assert_int_equal(ctd_caps_first_missing(&caps), CTD_CAP_COUNT);
}

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
		cmocka_unit_test(every_capability_is_explained),
		cmocka_unit_test(the_first_required_one_that_is_missing_is_found),
		cmocka_unit_test(what_is_optional_is_not_missed),
		cmocka_unit_test(without_privilege_the_answer_is_no_with_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
