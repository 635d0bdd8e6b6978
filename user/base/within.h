/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* within.h - opens what others wrote, so that no link leads out of a directory. */
#ifndef BASE_WITHIN_H
#define BASE_WITHIN_H

/*
 * Opens @p path as if the directory @p root were the root of the file system: links, absolute ones
 * too, and ".." lead no further up. @p flags of open(2): no O_CREAT; with O_NOFOLLOW the file
 * itself may be no link. @return a descriptor, which is the caller's, or negative errno.
 */
int ctd_open_in_root(int root, const char *path, int flags);
/* The same without openat2(2), step by step: the other one calls it where a filter refuses that, as
 * systemd's RestrictSUIDSGID= does. It does not mount what is mounted when needed. */
int ctd_walk_in_root(int root, const char *path, int flags);

#endif
