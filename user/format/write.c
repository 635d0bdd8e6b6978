/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* write.c - hands a finished text over in one piece. */
#include "format/format.h"

#include <errno.h>

int ctd_format_write(FILE *out, const char *text, size_t bytes)
{
	errno = 0;
	if (fwrite(text, 1, bytes, out) == bytes && fflush(out) == 0)
		return 0;
	return errno ? -errno : -EIO;
}
