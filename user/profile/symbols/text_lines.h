/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text_lines.h - the functions that files of text list: kallsyms, and the maps that JITs write for
 * perf. */
#ifndef PROFILE_SYMBOLS_TEXT_LINES_H
#define PROFILE_SYMBOLS_TEXT_LINES_H

#include "profile/symbols/symbols.h"

/* /proc/kallsyms. Without the right to see addresses all are 0, and there are no symbols. @return 0
 * or -ENOMEM. */
int ctd_kallsyms_parse(const char *text, size_t bytes, struct ctd_symbols *ret_symbols);
/*
 * /tmp/perf-PID.map: lines "start bytes name", numbers in base 16. What is no such line is left
 * out. Code may be made again where other code was: of one start the last line counts.
 * @return 0 or -ENOMEM.
 */
int ctd_perf_map_parse(const char *text, size_t bytes, struct ctd_symbols *ret_symbols);

#endif
