/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* html.h - foreign text inside a page. */
#ifndef EXPORT_HTML_H
#define EXPORT_HTML_H

#include "base/strbuf.h"

/*
 * Adds @p text so that it is nothing but text, between tags as well as in a quoted attribute, in
 * HTML and in XML. What neither may have, or no one can see, is U+FFFD: control characters, bytes
 * that are not UTF-8, and characters that turn the direction of what follows.
 */
void ctd_html_add(struct ctd_strbuf *page, const char *text);

#endif
