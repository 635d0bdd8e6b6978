/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.c - an ELF file that somebody else wrote: its sections, code and build id, all bounded. */
#include "profile/elf/file.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

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
	struct ctd_bytes note;
	uint64_t name_bytes, id_bytes, type, name;

	if (ctd_elf_section_named(file, ".note.gnu.build-id", NOTE_BYTES_MAX, &section))
		return;
	note = (struct ctd_bytes){.at = section.bytes};
	note.end = note.at + section.count;
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

/* @p elf is taken. */
static int open_elf(Elf *elf, struct ctd_elf *ret_file)
{
	struct ctd_elf file = {.elf = elf};
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
		elf_end(elf);
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

	if (got < 0)
		return -errno;
	if (got < (ssize_t)sizeof(header) || check_header(&header))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	/* Not by mmap(2): who shortens the file would kill us. */
	return open_elf(elf_begin(fd, ELF_C_READ, NULL), ret_file);
}

int ctd_elf_open_memory(const void *image, size_t bytes, struct ctd_elf *ret_file)
{
	Elf64_Ehdr header;

	if (bytes < sizeof(header))
		return -ENOEXEC;
	memcpy(&header, image, sizeof(header));
	if (check_header(&header))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	return open_elf(elf_memory((char *)image, bytes), ret_file);
}

void ctd_elf_close(struct ctd_elf *file)
{
	if (!file)
		return;
	elf_end(file->elf);
	file->elf = NULL;
}

static int read_section(Elf_Scn *scn, size_t bytes_max, struct ctd_elf_section *ret_section)
{
	GElf_Shdr header;
	const Elf_Data *data;

	if (!scn || !gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS || !header.sh_size)
		return -ENODATA;
	if (header.sh_size > bytes_max)
		return -EFBIG;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size != header.sh_size)
		return -ENODATA;
	*ret_section =
		(struct ctd_elf_section){data->d_buf, data->d_size, header.sh_addr, header.sh_link};
	return 0;
}

int ctd_elf_section_numbered(const struct ctd_elf *file, uint32_t number, size_t bytes_max,
			     struct ctd_elf_section *ret_section)
{
	return read_section(elf_getscn(file->elf, number), bytes_max, ret_section);
}

int ctd_elf_section_named(const struct ctd_elf *file, const char *name, size_t bytes_max,
			  struct ctd_elf_section *ret_section)
{
	size_t name_bytes = strlen(name) + 1;
	struct ctd_elf_section names;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t number;
	int err;

	if (elf_getshdrstrndx(file->elf, &number))
		return -ENODATA;
	err = ctd_elf_section_numbered(file, (uint32_t)number, SECTION_NAMES_MAX, &names);
	if (err)
		return err;
	while ((scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_name < names.count &&
		    names.count - header.sh_name >= name_bytes &&
		    !memcmp((const char *)names.bytes + header.sh_name, name, name_bytes))
			return read_section(scn, bytes_max, ret_section);
	return -ENODATA;
}

int ctd_elf_section_of_type(const struct ctd_elf *file, uint32_t type, size_t bytes_max,
			    struct ctd_elf_section *ret_section)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_type == type)
			return read_section(scn, bytes_max, ret_section);
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
