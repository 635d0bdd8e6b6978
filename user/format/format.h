/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* format.h - figures and names made ready for people or files; the arithmetic that sinks do not do.
 */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include <cgtopdown/report.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/utf8.h"

#define CTD_FIGURE_BYTES 32

/* human.c: all into ret_text[CTD_FIGURE_BYTES]. */
/* "0", "9999", "12.3k", "4.56G". */
void ctd_format_count(uint64_t count, char *ret_text);
/* As above, with a sign where negative. */
void ctd_format_signed(int64_t count, char *ret_text);
/* "12.3" per cent of a ratio, "1.23" of cycles and GHz, "12.3" per thousand; with '~' in front if
 * scaled, '?' if of low confidence; "-" if unknown. */
void ctd_format_value(struct ctd_value value, enum ctd_unit unit, char *ret_text);
/* CPU time as per cent of one CPU: "98.1", "1234"; "-" with an empty window. */
void ctd_format_cpu(uint64_t cpu_ns, uint64_t window_ns, char *ret_text);
/* "2026-08-30T12:00:01.250Z". */
void ctd_format_time(uint64_t realtime_ns, char *ret_text);
/* "2026-08-30 14:00:01", where the reader is. */
void ctd_format_local_time(uint64_t realtime_ns, char *ret_text);

/* printable.c: a copy that is safe on a terminal, the caller's: what does not print is \xNN. */
char *ctd_format_printable(const char *text, bool unicode);
/* Columns of a printable character and text. */
int ctd_format_code_width(int code);
int ctd_format_width(const char *text);

/* shorten.c: a printable name cut to @p width columns, most telling parts kept; of ids always only
 * as many digits as docker ps shows. The caller's. */
char *ctd_format_shorten(const char *name, int width, bool unicode);
/* Adds any name so, made printable. */
void ctd_format_add_short(struct ctd_strbuf *out, const char *name, int width, bool unicode);

/* bar.c: a bar of @p cells columns at most, as long as @p ratio. ret_text[3 * cells + 1]. */
void ctd_format_bar(double ratio, int cells, bool unicode, char *ret_text);

/* facts.c: what is known of a row's identity and true for all of the row; NULL where not. @p
 * identity: NULL: there is none. */
struct ctd_row_facts {
	const char *node, *cgroup, *namespace_name, *pod, *pod_uid, *container, *container_id,
		*runtime, *qos, *image, *owner_kind, *owner;
};
void ctd_row_facts(enum ctd_rollup_kind kind, const struct ctd_identity *identity,
		   struct ctd_row_facts *ret_facts);

/* So many significant digits of a vendor's metric are more than its counts tell, and are written
 * for programs: rates of an instruction may be of any size. */
#define CTD_VENDOR_DIGITS 10

/* csv.c: a comma and a field of CSV (RFC 4180), quoted where it must be; what would act on the
 * terminal of a reader is written as \xNN. NULL: empty. */
void ctd_csv_add_text(struct ctd_strbuf *line, const char *text);

/* write.c: writes all at once. @return 0 or negative errno. */
int ctd_format_write(FILE *out, const char *text, size_t bytes);

#endif
