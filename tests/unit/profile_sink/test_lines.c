/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_lines.c - source lines and inlined functions in every output. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "protoc.h"
#include "unit/profile_sink/sample_profile.h"

static struct sample sample;

/* A place of a function, in "/src/SOURCE", or where @p source is NULL the function itself. */
static uint32_t place(const char *name, const char *source, uint32_t line, bool inlined)
{
	char path[64];
	struct ctd_function in = {
		.source = path, .line = line, .start_line = line / 10 * 10, .inlined = inlined};
	uint32_t module, function;

	assert_int_equal(ctd_stacks_module(sample.stacks, "/usr/bin/a", "ab12", false, &module), 0);
	assert_int_equal(ctd_stacks_function(sample.stacks, module, inlined ? 0 : 0x1000, name,
					     &function),
			 0);
	snprintf(path, sizeof(path), "/src/%s", source ? source : "");
	if (source)
		assert_int_equal(ctd_stacks_place(sample.stacks, function, &in, &function), 0);
	return function;
}

static void add(const uint32_t *functions, size_t count, uint64_t samples)
{
	struct ctd_stack stack = {
		.cgroup_id = 4, .samples = samples, .count = (uint64_t[CTD_COUNTS_MAX]){0}};

	assert_int_equal(ctd_stacks_trace(sample.stacks, functions, count, CTD_TRACE_COMPLETE,
					  &stack.trace),
			 0);
	assert_int_equal(ctd_stacks_add(sample.stacks, &stack), 0);
}

static int begin(void **state)
{
	struct scene *scene = &sample.scene;
	uint32_t caller;

	(void)state;
	sample = (struct sample){.options = {.unicode = true, .width = 80}};
	scene_begin(scene);
	scene->interval.realtime_ns = 1767323045250000000;
	scene->rollup_options.by = CTD_GROUP_CONTAINER;
	scene_name(scene, 4, "/plain");
	sample_run(scene, CTD_ROW_CGROUP, 4, 800, .6);
	sample.rollup = scene_rollup(scene);
	sample.stacks = sample_begin(scene);
	caller = place("main", "main.c", 12, false);
	add((uint32_t[]){place("walk", "walk.c", 42, false), caller}, 2, 40);
	add((uint32_t[]){place("walk", "walk.c", 43, false), caller}, 2, 20);
	add((uint32_t[]){place("square", "<&\"\n>.h", 7, true), place("walk", "walk.c", 43, false),
			 caller},
	    3, 15);
	add((uint32_t[]){place("walk", NULL, 0, false), caller}, 2, 4);
	add((uint32_t[]){place("nothing", "gen.y", 3, false), caller}, 2, 1);
	sample.profile = sample_profile(scene, sample.stacks, &sample.rollup);
	return 0;
}

static int end(void **state)
{
	(void)state;
	sample_end(&sample);
	return 0;
}

static void a_function_is_summed_up_with_its_largest_line(void **state)
{
	(void)state;
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_summary);

	golden_compare("profile-80-lines.txt", out.text);
	ctd_strbuf_free(&out);
}

static void folded_frames_have_their_lines(void **state)
{
	(void)state;
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_folded);

	golden_compare("profile-lines.folded", out.text);
	ctd_strbuf_free(&out);
}

/* One function for places of one source file, one location for each of them. */
static void pprof_has_functions_with_lines(void **state)
{
	(void)state;
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_pprof);
	char *text = protoc_decode("gzip -dc", "pprof/profile.proto", "pprof.Profile", &out);

	golden_compare("profile-lines-pprof.txt", text);
	free(text);
	ctd_strbuf_free(&out);
}

static void assert_has(const struct ctd_profile_sink *sink, const char *wanted)
{
	struct ctd_strbuf out = sample_write(&sample, sink);

	if (!strstr(out.text, wanted))
		fail_msg("there is no %s in: %s", wanted, out.text);
	ctd_strbuf_free(&out);
}

static void others_have_them_too(void **state)
{
	(void)state;
	assert_has(&ctd_profile_speedscope,
		   "{\"name\":\"walk\",\"file\":\"/src/walk.c\",\"line\":43}");
	assert_has(&ctd_profile_speedscope, "\"file\":\"/src/<&\\\"\\n>.h\",\"line\":7}");
	assert_has(&ctd_profile_svg, "<title>walk (walk.c:43)</title>");
	assert_has(&ctd_profile_svg, "<title>square (&#60;&#38;&#34;\\x0a&#62;.h:7)</title>");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_function_is_summed_up_with_its_largest_line),
		TEST(folded_frames_have_their_lines),
		TEST(pprof_has_functions_with_lines),
		TEST(others_have_them_too),
	};

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		print_message("there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
