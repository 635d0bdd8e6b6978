/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bar.c - a share as a bar of blocks. */
#include "format/format.h"

#include <math.h>
#include <string.h>

void ctd_format_bar(double ratio, int cells, bool unicode, char *ret_text)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	int parts = unicode ? 8 : 1;
	long filled = lround(fmin(fmax(ratio, 0), 1) * cells * parts);

	*ret_text = '\0';
	for (long i = 0; i < filled / parts; i++)
		ret_text = stpcpy(ret_text, unicode ? "█" : "#");
	if (unicode)
		strcpy(ret_text, eighths[filled % parts]);
}
