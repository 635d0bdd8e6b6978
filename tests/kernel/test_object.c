/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_object.c - our objects in this kernel: refused with a reason, and two with one set of maps. */
#include "kern/object.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cgtopdown/abi.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "bpf/topdown.skel.h"
#include "unit/pmu/capture.h"

static struct topdown_bpf *open_one(void)
{
	struct topdown_bpf *one = calloc(1, sizeof(*one));

	assert_non_null(one);
	assert_int_equal(topdown_bpf__create_skeleton(one), 0);
	assert_int_equal(ctd_object_open(one->skeleton, NULL, 0), 0);
	return one;
}

static uint32_t map_id(const struct bpf_map *map)
{
	struct bpf_map_info info = {0};
	uint32_t bytes = sizeof(info);

	assert_int_equal(bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &bytes), 0);
	return info.id;
}

static void a_refused_program_is_named_with_the_verifiers_reason(void **state)
{
	struct topdown_bpf *one = open_one();
	/* Too small for a row: programs reach beyond it. */
	struct ctd_object_size size = {one->maps.rows, 1, 64};
	struct capture capture;
	const char *said;
	int error;

	(void)state;
	assert_int_equal(ctd_object_size(&size, 1), 0);
	/* Not the first program of the object. */
	bpf_program__set_autoload(one->progs.on_switch, false);
	bpf_program__set_autoload(one->progs.on_flush, false);
	capture_begin(&capture);
	error = ctd_object_load(one->skeleton);
	said = capture_end(&capture);
	assert_int_equal(error, -EACCES);
	assert_non_null(strstr(said, "the kernel refuses the BPF program 'on_long_slice': "));
	assert_non_null(strstr(said, " is outside of the "));
	/* One line: the verifier's others are for -v. */
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
	topdown_bpf__destroy(one);
}

static void two_objects_have_one_set_of_maps_and_variables_of_their_own(void **state)
{
	struct topdown_bpf *one = open_one(), *two = open_one();
	struct ctd_object_size size = {one->maps.cpus, 3, 0};
	size_t bytes, two_bytes;
	char *memory, *two_memory;

	(void)state;
	assert_int_equal(ctd_object_size(&size, 1), 0);
	one->rodata->cfg_cpus = 3;
	assert_int_equal(ctd_object_load(one->skeleton), 0);
	assert_int_equal(ctd_object_share(two->skeleton, one->skeleton), 0);
	assert_int_equal(ctd_object_load(two->skeleton), 0);
	assert_int_equal(map_id(two->maps.cpus), map_id(one->maps.cpus));
	assert_int_equal(map_id(two->maps.rows), map_id(one->maps.rows));
	assert_int_not_equal(map_id(two->maps.bss), map_id(one->maps.bss));
	assert_int_equal(two->rodata->cfg_cpus, 1);

	/* Its size is the other's, too. */
	memory = ctd_object_map(one->maps.cpus, &bytes);
	two_memory = ctd_object_map(two->maps.cpus, &two_bytes);
	assert_true(memory && two_memory);
	assert_true(bytes >= 3 * sizeof(struct ctd_cpu_state) && bytes == two_bytes);
	memory[bytes - sysconf(_SC_PAGESIZE)] = 42;
	assert_int_equal(two_memory[bytes - sysconf(_SC_PAGESIZE)], 42);
	munmap(memory, bytes);
	munmap(two_memory, two_bytes);
	assert_true(ctd_object_memory(one->skeleton) > bytes);
	topdown_bpf__destroy(one);
	topdown_bpf__destroy(two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refused_program_is_named_with_the_verifiers_reason),
		cmocka_unit_test(two_objects_have_one_set_of_maps_and_variables_of_their_own),
	};

	if (geteuid() || access("/sys/kernel/btf/vmlinux", R_OK)) {
		print_message("needs root and a kernel with BTF\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
