/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* disk.c - reads small files of others below one root directory, and keeps what many ask for. */
#include "identity/lookup/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/root.h"
#include "base/within.h"

/* Something that is kept until the next refresh. */
struct kept {
	struct kept *next; /* owned */
	char *path; /* owned */
	bool is_listing;
	struct ctd_listing listing;
	json_t *document; /* owned; NULL: error says why */
	int error;
};

struct ctd_disk {
	int root_fd; /* owned */
	struct ctd_podlist_labels labels; /* borrowed patterns */
	struct kept *kept; /* owned; a handful */
	uint64_t kept_cost_ns; /* to read it */
};

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}
#define autoclosedir __attribute__((cleanup(close_directory)))

int ctd_disk_new(const char *root, struct ctd_disk **ret_disk)
{
	struct ctd_disk *disk = calloc(1, sizeof(*disk));

	if (!disk)
		return -ENOMEM;
	disk->root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (disk->root_fd < 0) {
		int error = -errno;

		free(disk);
		return error;
	}
	*ret_disk = disk;
	return 0;
}

static void free_kept(struct kept *kept)
{
	for (size_t i = 0; i < kept->listing.count; i++)
		free(kept->listing.names[i]);
	free(kept->listing.names);
	json_decref(kept->document);
	free(kept->path);
	free(kept);
}

void ctd_disk_refresh(struct ctd_disk *disk)
{
	while (disk->kept) {
		struct kept *kept = disk->kept;

		disk->kept = kept->next;
		free_kept(kept);
	}
	disk->kept_cost_ns = 0;
}

uint64_t ctd_disk_kept_cost_ns(const struct ctd_disk *disk)
{
	return disk->kept_cost_ns;
}

void ctd_disk_free(struct ctd_disk *disk)
{
	if (!disk)
		return;
	ctd_disk_refresh(disk);
	close(disk->root_fd);
	free(disk);
}

void ctd_disk_want_labels(struct ctd_disk *disk, const struct ctd_podlist_labels *wanted)
{
	disk->labels = *wanted;
}

const struct ctd_podlist_labels *ctd_disk_labels(const struct ctd_disk *disk)
{
	return &disk->labels;
}

/*
 * Links are followed as if the root were ours: /var/run and a moved /var/lib/docker work, and none
 * leads outside. The file itself may be no link, which no runtime makes it. A pipe does not hold us
 * up.
 */
static int open_below(const struct ctd_disk *disk, const char *path, int flags)
{
	return ctd_open_in_root(disk->root_fd, path,
				flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static int read_text(int fd, char **ret_text, size_t *ret_bytes)
{
	autofree char *text = NULL;
	struct stat status;
	size_t bytes = 0;
	ssize_t got = 1;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	if (status.st_size > CTD_DOCUMENT_BYTES_MAX)
		return -EFBIG;
	text = malloc((size_t)status.st_size + 1);
	if (!text)
		return -ENOMEM;
	/* What is appended meanwhile makes it half-written: it is read again later. */
	while (got > 0 && bytes < (size_t)status.st_size) {
		got = TEMP_FAILURE_RETRY(read(fd, text + bytes, (size_t)status.st_size - bytes));
		if (got < 0)
			return -errno;
		bytes += (size_t)got;
	}
	*ret_text = take_ptr(text);
	*ret_bytes = bytes;
	return 0;
}

/*
 * Integers are read as reals: an infinite limit is 2^64 - 1, which is none for the library. A text
 * with a NUL in it spoils itself (ctd_json_text()), not the document.
 */
json_t *ctd_json_parse(const char *text, size_t bytes)
{
	return json_loadb(text, bytes, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
}

const char *ctd_json_text(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	const char *text = json_string_value(value);

	return text && *text && strlen(text) == json_string_length(value) ? text : NULL;
}

static int read_json(const struct ctd_disk *disk, const char *path, json_t **ret_document)
{
	autoclose int fd = open_below(disk, path, O_NOFOLLOW);
	autofree char *text = NULL;
	json_t *document;
	size_t bytes = 0;
	int error;

	if (fd < 0)
		return fd;
	error = read_text(fd, &text, &bytes);
	if (error)
		return error;
	document = ctd_json_parse(text, bytes);
	if (!document)
		return -EAGAIN;
	*ret_document = document;
	return 0;
}

int ctd_disk_json(struct ctd_disk *disk, json_t **ret_document, const char *format, ...)
{
	char path[CTD_PATH_MAX];
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	if (bytes < 0 || (size_t)bytes >= sizeof(path))
		return -ENAMETOOLONG;
	return read_json(disk, path, ret_document);
}

static struct kept *find_kept(const struct ctd_disk *disk, const char *path, bool is_listing)
{
	for (struct kept *kept = disk->kept; kept; kept = kept->next) {
		if (kept->is_listing == is_listing && !strcmp(kept->path, path))
			return kept;
	}
	return NULL;
}

static struct kept *keep(struct ctd_disk *disk, const char *path, bool is_listing)
{
	struct kept *kept = calloc(1, sizeof(*kept));

	if (!kept)
		return NULL;
	kept->path = strdup(path);
	if (!kept->path) {
		free(kept);
		return NULL;
	}
	kept->is_listing = is_listing;
	kept->next = disk->kept;
	disk->kept = kept;
	return kept;
}

int ctd_disk_shared_json(struct ctd_disk *disk, const char *path, const json_t **ret_document)
{
	struct kept *kept = find_kept(disk, path, false);
	uint64_t begin_ns = ctd_monotonic_ns();

	if (!kept) {
		kept = keep(disk, path, false);
		if (!kept)
			return -ENOMEM;
		kept->error = read_json(disk, path, &kept->document);
		disk->kept_cost_ns += ctd_monotonic_ns() - begin_ns;
	}
	if (!kept->error)
		*ret_document = kept->document;
	return kept->error;
}

static int add_name(struct ctd_listing *listing, const char *name)
{
	/* At 0, 1, 2, 4, ... the next power of two. */
	if (!(listing->count & (listing->count - 1))) {
		size_t capacity = listing->count ? 2 * listing->count : 1;
		char **names = reallocarray(listing->names, capacity, sizeof(*names));

		if (!names)
			return -ENOMEM;
		listing->names = names;
	}
	listing->names[listing->count] = strdup(name);
	if (!listing->names[listing->count])
		return -ENOMEM;
	listing->count++;
	return 0;
}

static int list(const struct ctd_disk *disk, const char *path, struct ctd_listing *listing)
{
	autoclosedir DIR *directory = NULL;
	const struct dirent *entry;
	int fd = open_below(disk, path, O_DIRECTORY);
	int error = 0;

	if (fd < 0)
		return 0;
	directory = fdopendir(fd);
	if (!directory) {
		close(fd);
		return -ENOMEM;
	}
	while (!error && listing->count < CTD_LISTING_MAX && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			error = add_name(listing, entry->d_name);
	}
	return error;
}

const struct ctd_listing *ctd_disk_list(struct ctd_disk *disk, const char *path)
{
	struct kept *kept = find_kept(disk, path, true);
	uint64_t begin_ns = ctd_monotonic_ns();

	if (!kept) {
		kept = keep(disk, path, true);
		if (kept)
			kept->error = list(disk, path, &kept->listing);
		disk->kept_cost_ns += ctd_monotonic_ns() - begin_ns;
	}
	return kept && !kept->error ? &kept->listing : NULL;
}
