/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_text.c - words are wrapped at 80 columns, and coloured where they may be. */
#include "app/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/colour.h"

#define TEN "123456789 "

/* A stream into memory. */
struct page {
	FILE *out;
	char *text; /* owned */
	size_t bytes;
};

static void page_begin(struct page *page)
{
	*page = (struct page){0};
	page->out = open_memstream(&page->text, &page->bytes);
	assert_non_null(page->out);
}

static void expect(struct page *page, const char *wanted)
{
	fclose(page->out);
	assert_string_equal(page->text, wanted);
	free(page->text);
}

static void words_are_wrapped_at_80_columns(void **state)
{
	struct page page;

	(void)state;
	page_begin(&page);
	/* 80 columns in the first line, then one letter too many. */
	ctd_text_wrap(page.out, 0, 0, TEN TEN TEN TEN TEN TEN TEN "1234567890");
	ctd_text_wrap(page.out, 0, 4, TEN TEN TEN TEN TEN TEN TEN "12345678901 end");
	expect(&page, TEN TEN TEN TEN TEN TEN TEN "1234567890\n" TEN TEN TEN TEN TEN TEN
						  "123456789\n    12345678901 end\n");
}

static void what_is_left_of_the_cursor_counts(void **state)
{
	struct page page;

	(void)state;
	page_begin(&page);
	ctd_text_wrap(page.out, 70, 2, "123456789 1");
	ctd_text_wrap(page.out, 70, 2, "1234567890 1");
	expect(&page, "123456789\n  1\n1234567890\n  1\n");
}

static void newlines_stay_and_begin_at_the_indent(void **state)
{
	struct page page;

	(void)state;
	page_begin(&page);
	ctd_text_wrap(page.out, 0, 3, "one two\nthree\n\nfour");
	expect(&page, "one two\n   three\n   \n   four\n");
}

static void a_word_that_does_not_fit_sticks_out(void **state)
{
	char word[100] = "", text[110], wanted[120];
	struct page page;

	(void)state;
	memset(word, 'x', sizeof(word) - 1);
	snprintf(text, sizeof(text), "a %s b", word);
	snprintf(wanted, sizeof(wanted), "a\n  %s\n  b\n", word);
	page_begin(&page);
	ctd_text_wrap(page.out, 0, 2, text);
	expect(&page, wanted);
}

static void an_item_has_its_text_in_the_column(void **state)
{
	static const struct {
		const char *colour, *term, *text, *wanted;
	} cases[] = {
		{"", "term", "text", "  term    text\n"},
		/* Two blanks at least are between them. */
		{"", "123456", "text", "  123456  text\n"},
		{"", "1234567", "text", "  1234567\n          text\n"},
		{"", "term", "", "  term\n"},
		{"", "term", "a\nb", "  term    a\n          b\n"},
		{"<", "term", "text", "  <term" CTD_COLOUR_OFF "    text\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct page page;

		page_begin(&page);
		ctd_text_item(page.out, 2, 10, cases[i].colour, cases[i].term, cases[i].text);
		expect(&page, cases[i].wanted);
	}
}

static void a_heading_is_coloured_if_there_are_colours(void **state)
{
	struct page page;

	(void)state;
	page_begin(&page);
	ctd_text_heading(page.out, false, "Plain");
	ctd_text_heading(page.out, true, "Bold");
	expect(&page, "Plain\n" CTD_COLOUR_HEAD "Bold" CTD_COLOUR_OFF "\n");
}

static void colours_are_for_terminals_that_want_them(void **state)
{
	static const struct {
		int line;
		const char *when, *terminal, *no_color;
		bool on_terminal, on_file;
	} cases[] = {
		{__LINE__, "auto", "xterm", NULL, true, false},
		{__LINE__, "auto", "dumb", NULL, false, false},
		{__LINE__, "auto", NULL, NULL, false, false},
		{__LINE__, "auto", "xterm", "1", false, false},
		{__LINE__, "always", "dumb", "1", true, true},
		{__LINE__, "never", "xterm", NULL, false, false},
	};
	autofclose FILE *terminal = fopen("/dev/ptmx", "r+e");
	autofclose FILE *file = fopen("/dev/null", "we");

	(void)state;
	if (!terminal) {
		print_message("no terminal can be made (/dev/ptmx)\n");
		skip();
	}
	assert_non_null(file);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsetenv("TERM");
		unsetenv("NO_COLOR");
		if (cases[i].terminal)
			setenv("TERM", cases[i].terminal, 1);
		if (cases[i].no_color)
			setenv("NO_COLOR", cases[i].no_color, 1);
		if (ctd_text_wants_colour(cases[i].when, terminal) != cases[i].on_terminal ||
		    ctd_text_wants_colour(cases[i].when, file) != cases[i].on_file)
			fail_msg("line %d", cases[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_wrapped_at_80_columns),
		cmocka_unit_test(what_is_left_of_the_cursor_counts),
		cmocka_unit_test(newlines_stay_and_begin_at_the_indent),
		cmocka_unit_test(a_word_that_does_not_fit_sticks_out),
		cmocka_unit_test(an_item_has_its_text_in_the_column),
		cmocka_unit_test(a_heading_is_coloured_if_there_are_colours),
		cmocka_unit_test(colours_are_for_terminals_that_want_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
