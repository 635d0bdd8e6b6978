/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* capture.h - what the code under test says on stderr, or prints on stdout, as text. */
#ifndef TESTS_UNIT_PMU_CAPTURE_H
#define TESTS_UNIT_PMU_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct capture {
	FILE *stream;
	int saved, file;
	char text[4096];
};

static inline void capture_begin_on(struct capture *capture, FILE *stream)
{
	fflush(stream);
	capture->stream = stream;
	capture->saved = dup(fileno(stream));
	capture->file = memfd_create("captured", MFD_CLOEXEC);
	dup2(capture->file, fileno(stream));
}

static inline void capture_begin(struct capture *capture)
{
	capture_begin_on(capture, stderr);
}

static inline void capture_restore(struct capture *capture)
{
	fflush(capture->stream);
	dup2(capture->saved, fileno(capture->stream));
	close(capture->saved);
}

static inline const char *capture_end(struct capture *capture)
{
	ssize_t got;

	capture_restore(capture);
	got = pread(capture->file, capture->text, sizeof(capture->text) - 1, 0);
	capture->text[got > 0 ? got : 0] = '\0';
	close(capture->file);
	return capture->text;
}

/* Ends it, too. @return all of the text, whatever its size; the caller's. */
static inline char *capture_take(struct capture *capture)
{
	off_t bytes;
	char *text;

	capture_restore(capture);
	bytes = lseek(capture->file, 0, SEEK_END);
	text = bytes < 0 ? NULL : calloc(1, (size_t)bytes + 1);
	if (!text || pread(capture->file, text, (size_t)bytes, 0) != bytes)
		abort();
	close(capture->file);
	return text;
}

#endif
