/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_text.c - tags as text: no name does anything to a terminal, nothing unknown is drawn, and
 * what is shared is said. */
#include "app/neighbours/neighbours.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ABOVE "/user.slice/\033]0;mine\a"

static const struct ctd_neighbour_names names = {.key = "a\033[2J", .cgroup = ABOVE "/b\033c"};
static const struct ctd_neighbour_tag tag = {
	.victim = &names,
	.mechanism = CTD_MECHANISM_THROTTLING,
	.blame = CTD_BLAME_MACHINE,
	.antagonists = {{.names = &names, .share = .5}},
	.antagonists_count = 1,
	.limit_bytes = sizeof(ABOVE) - 1,
};
static const struct ctd_neighbour_verdicts verdicts = {.tags = &tag, .tags_count = 1};

static void expect_printable(const struct ctd_strbuf *out)
{
	for (size_t i = 0; i < out->bytes; i++)
		if ((unsigned char)out->text[i] < ' ' && out->text[i] != '\n')
			fail_msg("byte %d of '%s'", out->text[i], out->text);
}

static void no_name_reaches_the_terminal_as_it_is(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct ctd_tags_style style = {.unicode = i};
		auto_ctd_strbuf struct ctd_strbuf out = {0};

		assert_int_equal(ctd_tags_explain(&out, &verdicts, names.cgroup, &style), 1);
		assert_non_null(
			strstr(out.text, "by the limit of /user.slice/\\x1b]0;mine\\x07\n"));
		ctd_tags_table(&out, &verdicts, &style);
		ctd_tags_add_ended(&out, &tag, &style);
		expect_printable(&out);
	}
}

static void what_is_not_known_is_blank_in_a_plot(void **state)
{
	const struct ctd_neighbour_series series = {
		.count = 4, .excess = {NAN, 2, NAN, 1}, .pressure = {NAN, NAN, 0, 8}};
	const struct ctd_neighbour_names plain = {.key = "one"};
	const struct ctd_neighbour_tag plotted = {
		.victim = &plain, .mechanism = CTD_MECHANISM_MEMORY, .series = &series};
	const struct ctd_neighbour_verdicts one = {.tags = &plotted, .tags_count = 1};
	const struct ctd_tags_style style = {0};
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	(void)state;
	assert_int_equal(ctd_tags_explain(&out, &one, "one", &style), 1);
	assert_non_null(strstr(out.text, "    excess        9 0  1 to 2\n"));
	assert_non_null(strstr(out.text, "    pressure       09  0 to 8\n"));
}

static void what_is_told_apart_is_in_the_first_line(void **state)
{
	static const struct {
		uint32_t caches, nodes;
		const char *says;
	} cases[] = {
		{0, 0, "0 of them learning\n"},
		{8, 1, "0 of them learning; 8 last caches\n"},
		{8, 2, "0 of them learning; 8 last caches; 2 memory nodes\n"},
		{2, 2, "0 of them learning; 2 memory nodes\n"},
	};
	const struct ctd_tags_style style = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ctd_neighbour_verdicts none = {
			.status = {.caches = cases[i].caches, .nodes = cases[i].nodes}};
		auto_ctd_strbuf struct ctd_strbuf out = {0};

		ctd_tags_table(&out, &none, &style);
		assert_non_null(strstr(out.text, cases[i].says));
	}
}

static void what_is_shared_is_said_of_what_others_do(void **state)
{
	static const char *const says[CTD_SCOPES] = {
		[CTD_SCOPE_UNKNOWN] = "not told apart: all CPUs are one place here\n",
		[CTD_SCOPE_MACHINE] = "the machine\n",
		[CTD_SCOPE_NODE] = "the memory node\n",
		[CTD_SCOPE_CACHE] = "the last cache\n",
	};
	const struct ctd_neighbour_names plain = {.key = "one"};
	const struct ctd_tags_style style = {0};

	(void)state;
	for (int scope = 0; scope < CTD_SCOPES; scope++) {
		for (int blame = 0; blame < CTD_BLAMES; blame++) {
			const struct ctd_neighbour_tag one = {
				.victim = &plain,
				.mechanism = CTD_MECHANISM_MEMORY,
				.blame = (enum ctd_blame)blame,
				.scope = (enum ctd_scope)scope,
			};
			const struct ctd_neighbour_verdicts now = {.tags = &one, .tags_count = 1};
			auto_ctd_strbuf struct ctd_strbuf out = {0};
			bool by_others = blame == CTD_BLAME_NEIGHBOUR || blame == CTD_BLAME_MACHINE;

			assert_int_equal(ctd_tags_explain(&out, &now, "one", &style), 1);
			assert_int_equal(!strstr(out.text, "\n  shared  "), !by_others);
			assert_int_equal(!strstr(out.text, says[scope]), !by_others);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_name_reaches_the_terminal_as_it_is),
		cmocka_unit_test(what_is_not_known_is_blank_in_a_plot),
		cmocka_unit_test(what_is_told_apart_is_in_the_first_line),
		cmocka_unit_test(what_is_shared_is_said_of_what_others_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
