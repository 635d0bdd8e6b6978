/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* input.c - waits for what others write, but not without a word. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "base/auto.h"
#include "base/log.h"

#define SILENCE_MS 2000

int ctd_input_await(int fd, const char *name)
{
	struct pollfd input = {.fd = fd, .events = POLLIN};
	int ready = poll(&input, 1, SILENCE_MS);

	if (!ready) {
		ctd_warn("'%s': nobody has written anything yet; waiting for it", name);
		ready = poll(&input, 1, -1);
	}
	return ready < 0 ? -errno : 0;
}

int ctd_input_open(const char *path)
{
	/* Otherwise the open() of a FIFO waits for a writer. A terminal must not become our
	 * controlling one. */
	autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int error = fd < 0 ? -errno : ctd_input_await(fd, path);

	/* From here on read() may wait again. */
	if (!error && fcntl(fd, F_SETFL, 0))
		error = -errno;
	return error ? error : take_fd(fd);
}
