/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* self.h - this process as it looks from outside. */
#ifndef SERVE_SELF_H
#define SERVE_SELF_H

#include <cgtopdown/export.h>

/* Fills in version, CPU time, memory, descriptors and lost lines; what cannot be had stays as it
 * is. */
void ctd_self_read(struct ctd_self *self);

#endif
