/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* capture.h - what the code under test says on stderr, as text. */
#ifndef TESTS_UNIT_PMU_CAPTURE_H
#define TESTS_UNIT_PMU_CAPTURE_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct capture {
	int saved, file;
	char text[4096];
};

static inline void capture_begin(struct capture *capture)
{
	fflush(stderr);
	capture->saved = dup(STDERR_FILENO);
	capture->file = memfd_create("stderr", MFD_CLOEXEC);
	dup2(capture->file, STDERR_FILENO);
}

static inline const char *capture_end(struct capture *capture)
{
	ssize_t got;

	fflush(stderr);
	dup2(capture->saved, STDERR_FILENO);
	got = pread(capture->file, capture->text, sizeof(capture->text) - 1, 0);
	capture->text[got > 0 ? got : 0] = '\0';
	close(capture->saved);
	close(capture->file);
	return capture->text;
}

#endif
