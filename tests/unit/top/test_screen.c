/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_screen.c - the screen is as large as the terminal, also if that changes while it begins. */
#define _GNU_SOURCE 1
#include "top/screen.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

static const struct winsize first = {.ws_row = 30, .ws_col = 160};
static const struct winsize later = {.ws_row = 6, .ws_col = 20};
static int changing = -1; /* a terminal that changes its size just before that is watched */

/* In place of the C library's: that of the size's signal, by ncurses. */
int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int (*next)(int, const struct sigaction *, struct sigaction *);

	*(void **)&next = dlsym(RTLD_NEXT, "sigaction");
	if (number == SIGWINCH && action && changing >= 0) {
		assert_int_equal(ioctl(changing, TIOCSWINSZ, &later), 0);
		changing = -1;
	}
	return next(number, action, before);
}

static void a_size_that_changes_while_it_begins_is_seen(void **state)
{
	struct ctd_screen *screen;
	struct ctd_top_input input;
	struct ctd_canvas *canvas;
	int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), theirs;

	(void)state;
	assert_true(ours >= 0);
	assert_int_equal(grantpt(ours) || unlockpt(ours), 0);
	theirs = open(ptsname(ours), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(theirs >= 0);
	assert_int_equal(ioctl(theirs, TIOCSWINSZ, &first), 0);
	changing = theirs;
	assert_int_equal(ctd_screen_begin(theirs, theirs, false, false, &screen), 0);
	assert_int_equal(changing, -1);
	while (ctd_screen_key(screen, &input))
		assert_int_equal(input.key, CTD_KEY_RESIZE);
	canvas = ctd_screen_canvas(screen);
	assert_non_null(canvas);
	assert_int_equal(canvas->width, later.ws_col);
	assert_int_equal(canvas->height, later.ws_row);
	ctd_screen_end(screen);
	close(theirs);
	close(ours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_that_changes_while_it_begins_is_seen),
	};

	/* The sizes are not what the environment says. */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	setenv("TERM", "xterm", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
