/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.c - an ELF file that somebody else wrote: its sections, code and build id, all bounded. */
#include "profile/elf/file.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "profile/elf/bytes.h"

#define SECTION_NAMES_MAX (1 << 20)
#define NOTE_BYTES_MAX 4096
#define NOTE_GNU_BUILD_ID 3

/* Segments are mapped in whole pages, of at most this size on any machine. */
#define PAGE_BYTES_MAX 65536

/* For each frame that is named: printf() would take as long as all else. */
void ctd_build_id_write(const struct ctd_build_id *build_id, char ret_text[CTD_BUILD_ID_TEXT_BYTES])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < build_id->count; i++) {
		*ret_text++ = digits[build_id->bytes[i] >> 4];
		*ret_text++ = digits[build_id->bytes[i] & 15];
	}
	*ret_text = '\0';
}

/* libelf allocates for as many sections as a file claims, so claims are looked at before. */
static int check_header(const Elf64_Ehdr *header)
{
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
		return -ENOEXEC;
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return -ENOEXEC;
	/* A number that does not fit is in the first section: that is for object files. */
	if (!header->e_shnum && header->e_shoff)
		return -ENOEXEC;
	return header->e_phnum == PN_XNUM ? -ENOEXEC : 0;
}

static void find_code(struct ctd_elf *file)
{
	struct ctd_elf_segments *segments = &file->segments;
	size_t count = 0;
	GElf_Phdr segment;

	file->code_start = UINT64_MAX;
	elf_getphdrnum(file->elf, &count);
	for (size_t i = 0; i < count && gelf_getphdr(file->elf, (int)i, &segment); i++) {
		if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) ||
		    segment.p_vaddr + segment.p_memsz < segment.p_vaddr)
			continue;
		if (segments->count < CTD_ELF_SEGMENTS_MAX) {
			segments->segments[segments->count].address = segment.p_vaddr;
			segments->segments[segments->count].offset = segment.p_offset;
			segments->segments[segments->count++].bytes = segment.p_filesz;
		}
		if (segment.p_vaddr < file->code_start)
			file->code_start = segment.p_vaddr;
		if (segment.p_vaddr + segment.p_memsz > file->code_end)
			file->code_end = segment.p_vaddr + segment.p_memsz;
	}
}

static void find_build_id(struct ctd_elf *file)
{
	struct ctd_build_id *id = &file->build_id;
	struct ctd_elf_section section;
	uint8_t bytes[NOTE_BYTES_MAX];
	struct ctd_bytes note;
	uint64_t name_bytes, id_bytes, type, name;

	if (ctd_elf_section_named(file, ".note.gnu.build-id", NOTE_BYTES_MAX, &section) ||
	    ctd_elf_section_read(file, &section, 0, bytes, section.count))
		return;
	note = (struct ctd_bytes){.at = bytes, .end = bytes + section.count};
	name_bytes = ctd_bytes_number(&note, 4);
	id_bytes = ctd_bytes_number(&note, 4);
	type = ctd_bytes_number(&note, 4);
	name = ctd_bytes_number(&note, 4);
	if (note.failed || name_bytes != 4 || memcmp(&name, "GNU", 4) != 0 ||
	    type != NOTE_GNU_BUILD_ID || !id_bytes || id_bytes > sizeof(id->bytes) ||
	    id_bytes > ctd_bytes_left(&note))
		return;
	memcpy(id->bytes, note.at, id_bytes);
	id->count = (uint8_t)id_bytes;
}

/* @p file: with all but what its headers say. */
static int open_elf(struct ctd_elf file, struct ctd_elf *ret_file)
{
	GElf_Ehdr header;

	if (!file.elf || elf_kind(file.elf) != ELF_K_ELF || !gelf_getehdr(file.elf, &header)) {
		elf_end(file.elf);
		return -ENOEXEC;
	}
	file.machine = header.e_machine;
	find_code(&file);
	find_build_id(&file);
	*ret_file = file;
	return 0;
}

int ctd_elf_open(int fd, struct ctd_elf *ret_file)
{
	Elf64_Ehdr header;
	ssize_t got = pread(fd, &header, sizeof(header), 0);
	struct ctd_elf file = {.fd = fd};
	struct stat status;

	if (got < 0 || fstat(fd, &status))
		return -errno;
	if (got < (ssize_t)sizeof(header) || check_header(&header))
		return -ENOEXEC;
	file.bytes = (uint64_t)status.st_size;
	elf_version(EV_CURRENT);
	/* Not by mmap(2): who shortens the file would kill us. */
	file.elf = elf_begin(fd, ELF_C_READ, NULL);
	return open_elf(file, ret_file);
}

int ctd_elf_open_memory(const void *image, size_t bytes, struct ctd_elf *ret_file)
{
	struct ctd_elf file = {.fd = -1, .image = image, .bytes = bytes};
	Elf64_Ehdr header;

	if (bytes < sizeof(header))
		return -ENOEXEC;
	memcpy(&header, image, sizeof(header));
	if (check_header(&header))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	file.elf = elf_memory((char *)image, bytes);
	return open_elf(file, ret_file);
}

void ctd_elf_close(struct ctd_elf *file)
{
	if (!file)
		return;
	elf_end(file->elf);
	file->elf = NULL;
}

static int find_section(const struct ctd_elf *file, Elf_Scn *scn, size_t bytes_max,
			struct ctd_elf_section *ret_section)
{
	GElf_Shdr header;

	if (!scn || !gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS ||
	    !header.sh_size || header.sh_offset > file->bytes ||
	    header.sh_size > file->bytes - header.sh_offset)
		return -ENODATA;
	if (header.sh_size > bytes_max)
		return -EFBIG;
	*ret_section = (struct ctd_elf_section){header.sh_offset, header.sh_size, header.sh_addr,
						header.sh_link};
	return 0;
}

int ctd_elf_section_numbered(const struct ctd_elf *file, uint32_t number, size_t bytes_max,
			     struct ctd_elf_section *ret_section)
{
	return find_section(file, elf_getscn(file->elf, number), bytes_max, ret_section);
}

int ctd_elf_section_read(const struct ctd_elf *file, const struct ctd_elf_section *section,
			 size_t from, void *ret_bytes, size_t count)
{
	uint64_t offset = section->offset + from;
	ssize_t got = 0;

	if (file->image) {
		memcpy(ret_bytes, file->image + offset, count);
		return 0;
	}
	for (size_t done = 0; done < count; done += (size_t)got) {
		got = pread(file->fd, (char *)ret_bytes + done, count - done,
			    (off_t)(offset + done));
		if (got <= 0)
			return -ENODATA;
	}
	return 0;
}

int ctd_elf_section_copy(const struct ctd_elf *file, const struct ctd_elf_section *section,
			 void **ret_bytes)
{
	autofree void *bytes = malloc(section->count);
	int err;

	if (!bytes)
		return -ENOMEM;
	err = ctd_elf_section_read(file, section, 0, bytes, section->count);
	if (!err)
		*ret_bytes = take_ptr(bytes);
	return err;
}

int ctd_elf_section_named(const struct ctd_elf *file, const char *name, size_t bytes_max,
			  struct ctd_elf_section *ret_section)
{
	size_t name_bytes = strlen(name) + 1;
	autofree void *names = NULL;
	struct ctd_elf_section section;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t number;
	int err;

	if (elf_getshdrstrndx(file->elf, &number))
		return -ENODATA;
	err = ctd_elf_section_numbered(file, (uint32_t)number, SECTION_NAMES_MAX, &section);
	if (!err)
		err = ctd_elf_section_copy(file, &section, &names);
	if (err)
		return err;
	while ((scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_name < section.count &&
		    section.count - header.sh_name >= name_bytes &&
		    !memcmp((const char *)names + header.sh_name, name, name_bytes))
			return find_section(file, scn, bytes_max, ret_section);
	return -ENODATA;
}

int ctd_elf_section_of_type(const struct ctd_elf *file, uint32_t type, size_t bytes_max,
			    struct ctd_elf_section *ret_section)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_type == type)
			return find_section(file, scn, bytes_max, ret_section);
	return -ENODATA;
}

int ctd_elf_bias(const struct ctd_elf_segments *segments, uint64_t start, uint64_t offset,
		 uint64_t *ret_bias)
{
	for (uint32_t i = 0; i < segments->count; i++) {
		uint64_t first = segments->segments[i].offset;
		/* Mappings begin at whole pages, and may be parts of a segment. */
		uint64_t page = first - first % PAGE_BYTES_MAX;

		if (offset < page || offset - page >= first - page + segments->segments[i].bytes)
			continue;
		*ret_bias = start - offset - (segments->segments[i].address - first);
		return 0;
	}
	return -ENODATA;
}
