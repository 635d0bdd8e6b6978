/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sysfs.h - the kernel's own names for events, and what they stand for in struct perf_event_attr. */
#ifndef PMU_SYSFS_H
#define PMU_SYSFS_H

#include <cgtopdown/counters.h>

/* The text of a PMU's file `format/<term>`, "config:8-15", or NULL if it has no such term. */
typedef const char *ctd_sysfs_format_fn(void *context, const char *term);

/*
 * Sets config, config1 and config2 of @p ret_event from @p text, the content of a file
 * `events/<name>`: "event=0x00,umask=0x80".
 * @return 0, -EINVAL (malformed), -ENOENT (a term without format) or -ERANGE (a value too large).
 */
int ctd_sysfs_event_parse(const char *text, ctd_sysfs_format_fn *format, void *context,
			  struct ctd_event *ret_event);

/* The same for the event @p name of the PMU @p pmu of type @p type, below the root. Logs. @return 0
 * or negative errno. */
int ctd_sysfs_event_read(const char *pmu, uint32_t type, const char *name,
			 struct ctd_event *ret_event);

/* Does sysfs show an event @p name of the PMU @p pmu? Silent. */
bool ctd_sysfs_event_is_there(const char *pmu, const char *name);

#endif
