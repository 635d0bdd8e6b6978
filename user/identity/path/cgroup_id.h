/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cgroup_id.h - the kernel's id of an open cgroup directory. */
#ifndef IDENTITY_PATH_CGROUP_ID_H
#define IDENTITY_PATH_CGROUP_ID_H

#include <stdint.h>

/* The same as ctd_cgroup_id_of() for an open directory. @return 0 or negative errno. */
int ctd_cgroup_id_of_fd(int fd, uint64_t *ret_id);

#endif
