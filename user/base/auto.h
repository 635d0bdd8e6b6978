/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* auto.h - ownership by syntax: cleanup attributes, and the two ways for a value to escape them. */
#ifndef BASE_AUTO_H
#define BASE_AUTO_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void ctd_auto_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void ctd_auto_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void ctd_auto_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

#define autofree __attribute__((cleanup(ctd_auto_free)))
#define autoclose __attribute__((cleanup(ctd_auto_close)))
#define autofclose __attribute__((cleanup(ctd_auto_fclose)))

/* The value leaves the variable that would clean it up. */
#define take_ptr(pointer)                               \
	({                                              \
		__typeof__(pointer) taken_ = (pointer); \
		(pointer) = NULL;                       \
		taken_;                                 \
	})
#define take_fd(fd)                \
	({                         \
		int taken_ = (fd); \
		(fd) = -1;         \
		taken_;            \
	})

#endif
