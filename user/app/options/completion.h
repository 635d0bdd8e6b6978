/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* completion.h - what a shell is to know of our command line. */
#ifndef OPTIONS_COMPLETION_H
#define OPTIONS_COMPLETION_H

#include <stdio.h>

/* @p shell: "bash" or "zsh"; the choices of --completion. */
void ctd_completion_print(FILE *out, const char *shell);

#endif
