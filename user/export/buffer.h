/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* buffer.h - room at the end of a text or message that is being made. */
#ifndef EXPORT_BUFFER_H
#define EXPORT_BUFFER_H

#include <cgtopdown/export.h>
#include <stdbool.h>
#include <stddef.h>

/* Room for @p bytes more. @return false without memory, from then on always. */
bool ctd_export_reserve(struct ctd_export *text, size_t bytes);

#endif
