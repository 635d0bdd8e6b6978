/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.h - pieces of a metrics text, written without a detour, as there are many. */
#ifndef EXPORT_TEXT_H
#define EXPORT_TEXT_H

#include <cgtopdown/export.h>

/* Of any figure: a count of 64 bits, or as seconds, with nine digits and a point more. */
#define CTD_FIGURE_BYTES 32

/* Writes a figure, without a NUL. @return its bytes. */
size_t ctd_figure_count(char figure[CTD_FIGURE_BYTES], uint64_t count);
/* As seconds, to the nanosecond: "1.5", "0.000000001". */
size_t ctd_figure_seconds(char figure[CTD_FIGURE_BYTES], uint64_t ns);

/* Without memory, text->failed is set, and nothing more is added. */
void ctd_export_add(struct ctd_export *text, const char *piece);
void ctd_export_add_bytes(struct ctd_export *text, const char *bytes, size_t count);
void ctd_export_add_count(struct ctd_export *text, uint64_t count);
void ctd_export_add_signed(struct ctd_export *text, int64_t count);
void ctd_export_add_seconds(struct ctd_export *text, uint64_t ns);

#endif
