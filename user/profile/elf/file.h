/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.h - an ELF file that somebody else wrote: its sections, code and build id, all bounded. */
#ifndef PROFILE_ELF_FILE_H
#define PROFILE_ELF_FILE_H

#include <stddef.h>
#include <stdint.h>

/* SHA-1 has 20; a linker can be told any number. */
#define CTD_BUILD_ID_BYTES_MAX 32

struct ctd_build_id {
	uint8_t count; /* 0: the file has none */
	uint8_t bytes[CTD_BUILD_ID_BYTES_MAX];
};
/* As everybody writes it: two digits a byte. */
#define CTD_BUILD_ID_TEXT_BYTES (2 * CTD_BUILD_ID_BYTES_MAX + 1)
void ctd_build_id_write(const struct ctd_build_id *build_id,
			char ret_text[CTD_BUILD_ID_TEXT_BYTES]);

/* Executable segments; a file with more is one whose later ones are not known. */
#define CTD_ELF_SEGMENTS_MAX 4
struct ctd_elf_segments {
	uint32_t count;
	struct {
		uint64_t address, offset, bytes; /* bytes: in the file */
	} segments[CTD_ELF_SEGMENTS_MAX];
};

struct Elf;

/* Little-endian, 64 bits, a program or a library. */
struct ctd_elf {
	struct Elf *elf; /* owned */
	int fd; /* borrowed, unless it is in memory */
	const char *image; /* borrowed; NULL: it is not in memory */
	uint64_t bytes; /* as it was opened */
	uint16_t machine; /* EM_* */
	/* From the start of the first executable segment to the end of the last, as the file counts
	 * addresses. */
	uint64_t code_start, code_end;
	struct ctd_elf_segments segments;
	struct ctd_build_id build_id;
};

/* Where it is: its bytes are copied when asked for them, as the file may shrink meanwhile. */
struct ctd_elf_section {
	uint64_t offset; /* in the file */
	size_t count; /* of bytes; 0: there is none */
	uint64_t address;
	uint32_t link; /* number of a section that belongs to it */
};

/* Reads the headers. @p fd is borrowed until ctd_elf_close(). @return 0, -ENOMEM, or -ENOEXEC for
 * what is no such file. */
int ctd_elf_open(int fd, struct ctd_elf *ret_file);
/* The same of one that is in memory, which is borrowed. */
int ctd_elf_open_memory(const void *image, size_t bytes, struct ctd_elf *ret_file);
void ctd_elf_close(struct ctd_elf *file);
#define auto_ctd_elf __attribute__((cleanup(ctd_elf_close)))

/* @return 0, -ENODATA (there is none, or it has no contents, or they end behind the file) or -EFBIG
 * (more than @p bytes_max). */
int ctd_elf_section_named(const struct ctd_elf *file, const char *name, size_t bytes_max,
			  struct ctd_elf_section *ret_section);
/* The first of a type: SHT_*. */
int ctd_elf_section_of_type(const struct ctd_elf *file, uint32_t type, size_t bytes_max,
			    struct ctd_elf_section *ret_section);
int ctd_elf_section_numbered(const struct ctd_elf *file, uint32_t number, size_t bytes_max,
			     struct ctd_elf_section *ret_section);

/* Copies @p count bytes of it, from byte @p from on, which must be in it. @return 0, or -ENODATA:
 * the file was cut short. */
int ctd_elf_section_read(const struct ctd_elf *file, const struct ctd_elf_section *section,
			 size_t from, void *ret_bytes, size_t count);
/* Copies all of it; *ret_bytes is the caller's. @return 0, -ENODATA or -ENOMEM. */
int ctd_elf_section_copy(const struct ctd_elf *file, const struct ctd_elf_section *section,
			 void **ret_bytes);

/* What to subtract from addresses of a process that has mapped the file from @p offset on at @p
 * start, to have those of the file. @return 0 or -ENODATA: no executable segment is there. */
int ctd_elf_bias(const struct ctd_elf_segments *segments, uint64_t start, uint64_t offset,
		 uint64_t *ret_bias);

#endif
