/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* screen.h - the terminal: keys from it, a canvas onto it. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include <stdbool.h>

#include "top/canvas.h"
#include "top/state.h"

struct ctd_screen;

/*
 * Takes the terminal over: @p input is where keys come from. @p colour: it may have colours.
 * ctd_screen_end() gives it back as it was; so does a crash of this program.
 * @return 0; -ENODEV: the terminal is not known, or can do too little; -ENOMEM.
 */
int ctd_screen_begin(int input, int output, bool colour, bool unicode,
		     struct ctd_screen **ret_screen);
/* NULL is fine. */
void ctd_screen_end(struct ctd_screen *screen);

/* @return true: there was a key, or a change of size. Does not wait. */
bool ctd_screen_key(struct ctd_screen *screen, struct ctd_top_input *ret_input);
/* An empty canvas as large as the terminal; NULL without memory. Owned by the screen. */
struct ctd_canvas *ctd_screen_canvas(struct ctd_screen *screen);
/* Shows the canvas. A slow terminal takes its time. */
void ctd_screen_show(struct ctd_screen *screen);
/* Gives the terminal back, stops this process as the shell expects, and takes it again. */
void ctd_screen_suspend(struct ctd_screen *screen);

#endif
