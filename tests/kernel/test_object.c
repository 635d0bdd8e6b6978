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

static struct cgtd_topdown *open_one(void)
{
	struct cgtd_topdown *one = calloc(1, sizeof(*one));

	assert_non_null(one);
	assert_int_equal(cgtd_topdown__create_skeleton(one), 0);
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
	struct cgtd_topdown *one = open_one();
	struct bpf_program *program;
	/* Too small for a row: programs reach beyond it. */
	struct ctd_object_size size = {one->maps.cgtd_rows, 1, 64};
	struct capture capture;
	const char *said;
	int error;

	(void)state;
	assert_int_equal(ctd_object_size(&size, 1), 0);
	/* One that is not the first of the object, and no other. */
	bpf_object__for_each_program(program, one->obj)
		bpf_program__set_autoload(program, program == one->progs.cgtd_long_slice);
	capture_begin(&capture);
	error = ctd_object_load(one->skeleton);
	said = capture_end(&capture);
	assert_int_equal(error, -EACCES);
	assert_non_null(strstr(said, "the kernel refuses the BPF program 'cgtd_long_slice': "));
	assert_non_null(strstr(said, " is outside of the "));
	/* One line: the verifier's others are for -v. */
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
	cgtd_topdown__destroy(one);
}

static void two_objects_have_one_set_of_maps_and_variables_of_their_own(void **state)
{
	struct cgtd_topdown *one = open_one(), *two = open_one();
	struct ctd_object_size size = {one->maps.cgtd_cpus, 3, 0};
	size_t bytes, two_bytes;
	char *memory, *two_memory;

	(void)state;
	assert_int_equal(ctd_object_size(&size, 1), 0);
	one->rodata->cfg_cpus = 3;
	assert_int_equal(ctd_object_load(one->skeleton), 0);
	assert_int_equal(ctd_object_share(two->skeleton, one->skeleton), 0);
	assert_int_equal(ctd_object_load(two->skeleton), 0);
	assert_int_equal(map_id(two->maps.cgtd_cpus), map_id(one->maps.cgtd_cpus));
	assert_int_equal(map_id(two->maps.cgtd_rows), map_id(one->maps.cgtd_rows));
	assert_int_not_equal(map_id(two->maps.bss), map_id(one->maps.bss));
	assert_int_equal(two->rodata->cfg_cpus, 1);

	/* Its size is the other's, too. */
	memory = ctd_object_map(one->maps.cgtd_cpus, &bytes);
	two_memory = ctd_object_map(two->maps.cgtd_cpus, &two_bytes);
	assert_true(memory && two_memory);
	assert_true(bytes >= 3 * sizeof(struct ctd_cpu_state) && bytes == two_bytes);
	memory[bytes - sysconf(_SC_PAGESIZE)] = 42;
	assert_int_equal(two_memory[bytes - sysconf(_SC_PAGESIZE)], 42);
	munmap(memory, bytes);
	munmap(two_memory, two_bytes);
	assert_true(ctd_object_memory(one->skeleton) > bytes);
	cgtd_topdown__destroy(one);
	cgtd_topdown__destroy(two);
}

/* As `bpftool map list` and `bpftool prog list` show them to an administrator. */
static void the_kernel_knows_each_map_and_program_by_a_name_that_says_whose_it_is(void **state)
{
	struct cgtd_topdown *one = open_one();
	struct bpf_program *program = NULL;
	struct bpf_map *map = NULL;
	int maps = 0, programs = 0;

	(void)state;
	assert_int_equal(ctd_object_load(one->skeleton), 0);
	while ((map = bpf_object__next_map(*one->skeleton->obj, map))) {
		struct bpf_map_info info = {0};
		uint32_t bytes = sizeof(info);

		assert_int_equal(bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &bytes), 0);
		assert_memory_equal(info.name, "cgtd_", 5);
		/* Of the internal ones libbpf cuts the name by itself. */
		if (!bpf_map__is_internal(map))
			assert_string_equal(info.name, bpf_map__name(map));
		maps++;
	}
	while ((program = bpf_object__next_program(*one->skeleton->obj, program))) {
		struct bpf_prog_info info = {0};
		uint32_t bytes = sizeof(info);

		assert_int_equal(bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &bytes),
				 0);
		assert_memory_equal(info.name, "cgtd_", 5);
		assert_string_equal(info.name, bpf_program__name(program));
		programs++;
	}
	assert_true(maps >= 9 && programs >= 5);
	cgtd_topdown__destroy(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refused_program_is_named_with_the_verifiers_reason),
		cmocka_unit_test(two_objects_have_one_set_of_maps_and_variables_of_their_own),
		cmocka_unit_test(
			the_kernel_knows_each_map_and_program_by_a_name_that_says_whose_it_is),
	};

	if (geteuid() || access("/sys/kernel/btf/vmlinux", R_OK)) {
		print_message("needs root and a kernel with BTF\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
