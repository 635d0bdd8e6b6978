/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* label.c - quotes labels for metrics texts. */
#include "base/label.h"

#include <string.h>

void ctd_label_add(struct ctd_strbuf *labels, const char *name, const char *value)
{
	if (!*value)
		return;
	if (labels->bytes)
		ctd_strbuf_add(labels, ",");
	ctd_strbuf_add(labels, name);
	ctd_strbuf_add(labels, "=\"");
	for (size_t plain; *value; value += plain) {
		plain = strcspn(value, "\\\"\n");
		ctd_strbuf_add_bytes(labels, value, plain);
		if (!value[plain])
			break;
		ctd_strbuf_add(labels, value[plain] == '\n'  ? "\\n"
				       : value[plain] == '"' ? "\\\""
							     : "\\\\");
		plain++;
	}
	ctd_strbuf_add(labels, "\"");
}
