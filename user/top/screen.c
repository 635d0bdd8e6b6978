/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* screen.c - the terminal, by ncurses. */
#define NCURSES_WIDECHAR 1
#include "top/screen.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/auto.h"

#define PAIRS_MAX (CTD_PAINTS * CTD_PAINTS)

struct ctd_screen {
	SCREEN *screen; /* owned */
	FILE *input, *output; /* owned */
	struct ctd_canvas canvas; /* owned */
	bool has_colours;
	int pair[PAIRS_MAX]; /* of ground and paint; 0: not made yet */
	int pairs_count;
	cchar_t *line; /* owned; of one row */
	int line_width;
};

/* What a crash needs to give the terminal back. */
static struct {
	int fd;
	volatile sig_atomic_t taken;
	struct termios before;
} terminal;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void on_crash(int number)
{
	/* Mouse off, colours off, cursor on, back from the other screen. */
	static const char leave[] = "\033[?1000l\033[?1002l\033[0m\033[?25h\033[?1049l\r\n";

	if (terminal.taken) {
		(void)!write(terminal.fd, leave, sizeof(leave) - 1);
		tcsetattr(terminal.fd, TCSANOW, &terminal.before);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void guard(int fd)
{
	terminal.fd = fd;
	if (tcgetattr(fd, &terminal.before))
		return;
	terminal.taken = 1;
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		signal(crashes[i], on_crash);
}

static void unguard(void)
{
	for (size_t i = 0; terminal.taken && i < sizeof(crashes) / sizeof(*crashes); i++)
		signal(crashes[i], SIG_DFL);
	terminal.taken = 0;
}

static FILE *open_copy(int fd, const char *mode)
{
	autoclose int copy = dup(fd);
	FILE *file = copy < 0 ? NULL : fdopen(copy, mode);

	if (file)
		(void)take_fd(copy);
	return file;
}

int ctd_screen_begin(int input, int output, bool colour, bool unicode,
		     struct ctd_screen **ret_screen)
{
	struct ctd_screen *screen = calloc(1, sizeof(*screen));

	if (!screen)
		return -ENOMEM;
	screen->canvas.unicode = unicode;
	screen->input = open_copy(input, "r");
	screen->output = open_copy(output, "w");
	guard(output);
	if (screen->input && screen->output)
		screen->screen = newterm(NULL, screen->output, screen->input);
	if (!screen->screen || !cursor_address) {
		ctd_screen_end(screen);
		return -ENODEV;
	}
	set_term(screen->screen);
	/* ncurses reads the size before it watches it: a change in between would not be seen. */
	raise(SIGWINCH);
	screen->has_colours = colour && has_colors() && start_color() != ERR;
	screen->canvas.colour = screen->has_colours;
	if (screen->has_colours)
		use_default_colors();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	/* A key that sends Escape and more does so at once. */
	set_escdelay(25);
	curs_set(0);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	*ret_screen = screen;
	return 0;
}

void ctd_screen_end(struct ctd_screen *screen)
{
	if (!screen)
		return;
	if (screen->screen) {
		endwin();
		delscreen(screen->screen);
	}
	unguard();
	if (screen->input)
		fclose(screen->input);
	if (screen->output)
		fclose(screen->output);
	ctd_canvas_free(&screen->canvas);
	free(screen->line);
	free(screen);
}

static const struct {
	int theirs, ours;
} keys[] = {
	{KEY_UP, CTD_KEY_UP},
	{KEY_DOWN, CTD_KEY_DOWN},
	{KEY_LEFT, CTD_KEY_LEFT},
	{KEY_RIGHT, CTD_KEY_RIGHT},
	{KEY_PPAGE, CTD_KEY_PAGE_UP},
	{KEY_NPAGE, CTD_KEY_PAGE_DOWN},
	{KEY_HOME, CTD_KEY_HOME},
	{KEY_END, CTD_KEY_END},
	{KEY_BACKSPACE, CTD_KEY_BACKSPACE},
	{KEY_ENTER, CTD_KEY_ENTER},
	{KEY_F(1), '?'},
	{KEY_RESIZE, CTD_KEY_RESIZE},
};

static bool take_mouse(struct ctd_top_input *input)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return false;
	input->row = event.y;
	input->column = event.x;
	input->key = event.bstate & BUTTON4_PRESSED   ? CTD_KEY_WHEEL_UP
		     : event.bstate & BUTTON5_PRESSED ? CTD_KEY_WHEEL_DOWN
						      : CTD_KEY_CLICK;
	return true;
}

bool ctd_screen_key(struct ctd_screen *screen, struct ctd_top_input *ret_input)
{
	wint_t code;
	int kind;

	(void)screen;
	*ret_input = (struct ctd_top_input){0};
	while ((kind = get_wch(&code)) != ERR) {
		if (kind != KEY_CODE_YES) {
			ret_input->key = code == '\r'		       ? CTD_KEY_ENTER
					 : code == 127 || code == '\b' ? CTD_KEY_BACKSPACE
								       : (int)code;
			return true;
		}
		if (code == KEY_MOUSE && take_mouse(ret_input))
			return true;
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
			if ((int)code != keys[i].theirs)
				continue;
			ret_input->key = keys[i].ours;
			return true;
		}
	}
	return false;
}

struct ctd_canvas *ctd_screen_canvas(struct ctd_screen *screen)
{
	int height, width;

	getmaxyx(stdscr, height, width);
	if (width > screen->line_width) {
		cchar_t *line = reallocarray(screen->line, (size_t)width + 1, sizeof(*line));

		if (!line)
			return NULL;
		screen->line = line;
		screen->line_width = width;
	}
	return ctd_canvas_init(width, height, &screen->canvas) ? NULL : &screen->canvas;
}

/* In the colours that all terminals have, and where there are more, calmer ones. */
static int colour_of(int paint)
{
	static const short few[CTD_PAINTS] = {
		[CTD_PAINT_PLAIN] = -1,
		[CTD_PAINT_HEAD] = -1,
		[CTD_PAINT_DIM] = -1,
		[CTD_PAINT_SIMULATED] = COLOR_MAGENTA,
		[CTD_PAINT_WARM] = COLOR_YELLOW,
		[CTD_PAINT_BAD] = COLOR_RED,
		[CTD_PAINT_RETIRING] = COLOR_GREEN,
		[CTD_PAINT_BAD_SPECULATION] = COLOR_RED,
		[CTD_PAINT_FRONTEND] = COLOR_CYAN,
		[CTD_PAINT_BACKEND] = COLOR_YELLOW,
		[CTD_PAINT_OTHER] = COLOR_MAGENTA,
		[CTD_PAINT_TREND] = COLOR_BLUE,
	};
	static const short many[CTD_PAINTS] = {
		[CTD_PAINT_DIM] = 244,
		[CTD_PAINT_RETIRING] = 71,
		[CTD_PAINT_BAD_SPECULATION] = 167,
		[CTD_PAINT_FRONTEND] = 74,
		[CTD_PAINT_BACKEND] = 179,
		[CTD_PAINT_OTHER] = 139,
		[CTD_PAINT_TREND] = 110,
	};

	return COLORS >= 256 && many[paint] ? many[paint] : few[paint];
}

static int pair_of(struct ctd_screen *screen, const struct ctd_cell *cell)
{
	int *pair = &screen->pair[cell->ground * CTD_PAINTS + cell->paint];
	int paint = colour_of(cell->paint);
	int ground = cell->ground == CTD_PAINT_PLAIN ? -1 : colour_of(cell->ground);

	if (!screen->has_colours || (paint == -1 && ground == -1))
		return 0;
	if (!*pair && screen->pairs_count + 1 < COLOR_PAIRS &&
	    init_extended_pair(screen->pairs_count + 1, paint, ground) != ERR)
		*pair = ++screen->pairs_count;
	return *pair;
}

static attr_t attributes_of(const struct ctd_screen *screen, const struct ctd_cell *cell)
{
	attr_t attributes = cell->reversed ? A_REVERSE : A_NORMAL;

	if (cell->paint == CTD_PAINT_HEAD || cell->paint == CTD_PAINT_BAD ||
	    cell->paint == CTD_PAINT_SIMULATED)
		attributes |= A_BOLD;
	if (cell->paint == CTD_PAINT_DIM && (!screen->has_colours || COLORS < 256))
		attributes |= A_DIM;
	return attributes;
}

static void show_row(struct ctd_screen *screen, int row)
{
	int count = 0, pair;

	for (int column = 0; column < screen->canvas.width; column++) {
		const struct ctd_cell *cell = ctd_canvas_cell(&screen->canvas, row, column);
		const wchar_t text[2] = {(wchar_t)cell->code, L'\0'};

		/* The right half of a wide character. */
		if (!cell->code)
			continue;
		pair = pair_of(screen, cell);
		setcchar(&screen->line[count++], text, attributes_of(screen, cell), 0, &pair);
	}
	mvadd_wchnstr(row, 0, screen->line, count);
}

void ctd_screen_show(struct ctd_screen *screen)
{
	erase();
	for (int row = 0; row < screen->canvas.height && row < LINES; row++)
		show_row(screen, row);
	refresh();
}

void ctd_screen_suspend(struct ctd_screen *screen)
{
	struct sigaction before, usual = {.sa_handler = SIG_DFL};

	(void)screen;
	endwin();
	sigaction(SIGTSTP, &usual, &before);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &before, NULL);
	/* The size may be another one by now: the next key says so. */
	clearok(curscr, TRUE);
	refresh();
}
