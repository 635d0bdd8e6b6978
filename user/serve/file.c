/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.c - reads small files, and notices when they change. */
#include "serve/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/root.h"

/* A chain of certificates is some kilobytes. */
#define BYTES_MAX (1 << 20)

int ctd_secret_read(const char *path, bool again, struct ctd_secret *ret_secret)
{
	struct ctd_secret secret = {};
	int error =
		path ? ctd_read_named_file(path, again, BYTES_MAX, &secret.text, &secret.bytes) : 0;

	if (error == -ESPIPE) {
		ctd_log(CTD_LOG_ERROR,
			"read '%s': it is no regular file: a pipe or a device is read at the start only",
			path);
		return error;
	}
	if (error)
		return ctd_log_error(error, "read '%s'", path);
	*ret_secret = secret;
	return 0;
}

void ctd_secret_free(struct ctd_secret *secret)
{
	if (secret->text)
		explicit_bzero(secret->text, secret->bytes);
	free(secret->text);
	*secret = (struct ctd_secret){};
}

bool ctd_watched_file_changed(struct ctd_watched_file *file)
{
	struct ctd_watched_file now = *file;
	struct stat status;
	bool changed;

	if (!file->path || stat(file->path, &status) || !S_ISREG(status.st_mode))
		return false;
	now.changed = status.st_mtim;
	now.inode = status.st_ino;
	now.size = status.st_size;
	changed = now.inode != file->inode || now.size != file->size ||
		  now.changed.tv_sec != file->changed.tv_sec ||
		  now.changed.tv_nsec != file->changed.tv_nsec;
	*file = now;
	return changed;
}
