/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* elf_image.h - writes an ELF file by hand, section by section, for tests. */
#ifndef TESTS_UNIT_ELF_IMAGE_H
#define TESTS_UNIT_ELF_IMAGE_H

#include <assert.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ELF_IMAGE_SECTIONS_MAX 16
#define ELF_IMAGE_CODE UINT64_C(0x1000)

struct elf_image {
	int fd; /* owned: elf_image_free() */
	uint64_t bytes; /* so far */
	Elf64_Ehdr head;
	Elf64_Phdr code;
	Elf64_Shdr sections[ELF_IMAGE_SECTIONS_MAX]; /* the first is none */
	uint16_t sections_count;
	char names[256];
	size_t names_bytes;
};

static inline void elf_image_write(struct elf_image *image, const void *bytes, size_t count,
				   uint64_t at)
{
	ssize_t written = pwrite(image->fd, bytes, count, (off_t)at);

	assert(written == (ssize_t)count);
	(void)written;
}

/* Of x86-64, with 4 kB of code, and without sections. */
static inline void elf_image_begin(struct elf_image *image)
{
	*image = (struct elf_image){
		.fd = memfd_create("image", MFD_CLOEXEC),
		.bytes = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
		.head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			 .e_type = ET_DYN,
			 .e_machine = EM_X86_64,
			 .e_version = EV_CURRENT,
			 .e_phoff = sizeof(Elf64_Ehdr),
			 .e_ehsize = sizeof(Elf64_Ehdr),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 1,
			 .e_shentsize = sizeof(Elf64_Shdr)},
		.code = {.p_type = PT_LOAD,
			 .p_flags = PF_R | PF_X,
			 .p_vaddr = ELF_IMAGE_CODE,
			 .p_filesz = 0x1000,
			 .p_memsz = 0x1000},
		.sections_count = 1,
		.names_bytes = 1,
	};
	assert(image->fd >= 0);
}

/* A section of what is anywhere in the file. @return its number. */
static inline uint32_t elf_image_place(struct elf_image *image, const char *name, uint32_t type,
				       uint64_t offset, uint64_t count)
{
	Elf64_Shdr *section = &image->sections[image->sections_count];

	assert(image->sections_count < ELF_IMAGE_SECTIONS_MAX);
	assert(image->names_bytes + strlen(name) < sizeof(image->names));
	*section = (Elf64_Shdr){.sh_name = (Elf64_Word)image->names_bytes,
				.sh_type = type,
				.sh_offset = offset,
				.sh_size = count,
				.sh_addralign = 1};
	strcpy(image->names + image->names_bytes, name);
	image->names_bytes += strlen(name) + 1;
	return image->sections_count++;
}

/* A section of these bytes. @return its number. */
static inline uint32_t elf_image_add(struct elf_image *image, const char *name, uint32_t type,
				     const void *bytes, size_t count)
{
	uint64_t at = (image->bytes + 7) / 8 * 8;

	elf_image_write(image, bytes, count, at);
	image->bytes = at + count;
	return elf_image_place(image, name, type, at, count);
}

/* Symbols and their names: sections of @p type, SHT_SYMTAB or SHT_DYNSYM, and SHT_STRTAB. */
static inline void elf_image_add_symbols(struct elf_image *image, uint32_t type,
					 const Elf64_Sym *symbols, size_t count, const char *names,
					 size_t names_bytes)
{
	bool dynamic = type == SHT_DYNSYM;
	uint32_t number = elf_image_add(image, dynamic ? ".dynsym" : ".symtab", type, symbols,
					count * sizeof(*symbols));

	image->sections[number].sh_link = elf_image_add(image, dynamic ? ".dynstr" : ".strtab",
							SHT_STRTAB, names, names_bytes);
}

/* The file is whole, and may be added to and ended again. */
static inline void elf_image_end(struct elf_image *image)
{
	uint16_t count = image->sections_count;
	uint64_t bytes = image->bytes;
	size_t names_bytes = image->names_bytes;

	elf_image_place(image, ".shstrtab", SHT_STRTAB, bytes, names_bytes + sizeof(".shstrtab"));
	elf_image_write(image, image->names, sizeof(image->names), bytes);
	image->head.e_shoff = (bytes + sizeof(image->names) + 7) / 8 * 8;
	image->head.e_shnum = image->sections_count;
	image->head.e_shstrndx = count;
	elf_image_write(image, image->sections, sizeof(image->sections), image->head.e_shoff);
	elf_image_write(image, &image->head, sizeof(image->head), 0);
	elf_image_write(image, &image->code, sizeof(image->code), sizeof(image->head));
	image->sections_count = count;
	image->names_bytes = names_bytes;
}

static inline void elf_image_free(struct elf_image *image)
{
	close(image->fd);
}
#define auto_elf_image __attribute__((cleanup(elf_image_free)))

#endif
