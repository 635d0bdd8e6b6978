/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded.h - limits that writer and reader of recorded stacks share. Private to user/profile/. */
#ifndef PROFILE_RECORDED_H
#define PROFILE_RECORDED_H

/* Longer names are cut. */
#define CTD_RECORDED_TEXT_MAX 65535

#endif
