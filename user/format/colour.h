/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* colour.h - what colours mean, for every output that has them. */
#ifndef FORMAT_COLOUR_H
#define FORMAT_COLOUR_H

#define CTD_COLOUR_OFF "\033[0m"
#define CTD_COLOUR_HEAD "\033[1m"
#define CTD_COLOUR_SIMULATED "\033[1;35m"
#define CTD_COLOUR_DIM "\033[2m" /* of less interest: idle, kernel, sums */
#define CTD_COLOUR_GOOD "\033[32m" /* much retiring */
#define CTD_COLOUR_WARM "\033[33m" /* above its threshold */
#define CTD_COLOUR_BAD "\033[1;31m" /* the bottleneck; an error */
/* Level 1 of the tree, where its parts are told apart by colour. */
#define CTD_COLOUR_RETIRING "\033[32m"
#define CTD_COLOUR_BAD_SPECULATION "\033[31m"
#define CTD_COLOUR_FRONTEND "\033[36m"
#define CTD_COLOUR_BACKEND "\033[33m"
/* Of a comparison. */
#define CTD_COLOUR_ADDED "\033[31m"
#define CTD_COLOUR_GONE "\033[34m"

#endif
