/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kept.h - bytes that outlast the process, in two files that are written in turn. */
#ifndef SERVE_KEPT_H
#define SERVE_KEPT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Both files are opened before the process gives up its right to create any. One is written while
 * the other one is whole, so that what was kept before is there at every moment; a checksum tells a
 * file that was not written to its end.
 */
struct ctd_kept {
	int fd[2]; /* owned; -1: not open */
	uint64_t sequence; /* of the newest; 0: there is none */
};
#define CTD_KEPT_NONE           \
	(struct ctd_kept)       \
	{                       \
		.fd = {-1, -1}, \
	}

/* Opens NAME.0 and NAME.1 in the directory, or makes them. @return 0, -EWOULDBLOCK: another process
 * has them; or negative errno. */
int ctd_kept_open(const char *directory, const char *name, struct ctd_kept *ret_kept);
/*
 * The newest bytes that are whole: the caller's, by free(). @return 0; -ENOENT: nothing was kept
 * yet; -EBADMSG: what was kept is damaged; or negative errno.
 */
int ctd_kept_read(struct ctd_kept *kept, void **ret_bytes, size_t *ret_count);
/* @return 0 or negative errno: what was kept before still is. */
int ctd_kept_write(struct ctd_kept *kept, const void *bytes, size_t count);
void ctd_kept_close(struct ctd_kept *kept);

#endif
