/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cgroup_id.c - asks the kernel for the id of a cgroup directory. */
#include "identity/path/cgroup_id.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include <cgtopdown/identity.h>

#include "base/auto.h"

/*
 * The type of a kernfs file handle: its eight bytes are the id that bpf_get_current_cgroup_id() and
 * cgroup->kn->id give (include/linux/exportfs.h; 33c5ac9175195 "kernfs: implement custom exportfs
 * ops and fid type", in 5.5).
 */
#define FILEID_KERNFS 0xfe

int ctd_cgroup_id_of_fd(int fd, uint64_t *ret_id)
{
	_Alignas(struct file_handle) char buffer[sizeof(struct file_handle) + sizeof(*ret_id)];
	struct file_handle *handle = (struct file_handle *)buffer;
	struct stat status;
	int mount_id;

	handle->handle_bytes = sizeof(*ret_id);
	if (!name_to_handle_at(fd, "", handle, &mount_id, AT_EMPTY_PATH) &&
	    handle->handle_type == FILEID_KERNFS && handle->handle_bytes == sizeof(*ret_id)) {
		memcpy(ret_id, handle->f_handle, sizeof(*ret_id));
		return 0;
	}
	/* Refused by a seccomp filter, or a recorded machine's directory on another filesystem.
	 * With a 64-bit ino_t, kernfs shows its id as the inode number too. */
	if (fstat(fd, &status))
		return -errno;
	*ret_id = status.st_ino;
	return 0;
}

int ctd_cgroup_id_of(const char *directory, uint64_t *ret_id)
{
	autoclose int fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return ctd_cgroup_id_of_fd(fd, ret_id);
}
