/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* limits.h - how large the sections may be that are read of a foreign file. */
#ifndef PROFILE_ELF_LIMITS_H
#define PROFILE_ELF_LIMITS_H

#define CTD_EH_FRAME_BYTES_MAX (128 << 20)
#define CTD_SYMBOLS_BYTES_MAX (128 << 20)
#define CTD_STRINGS_BYTES_MAX (256 << 20)

#endif
