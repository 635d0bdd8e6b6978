# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Makefile - builds cgtopdown and runs what there is to run. `make help` lists the targets.

MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

VERSION  := 0.1.0
PREFIX   ?= /usr/local
DESTDIR  ?=
# Of other machines, for other machines: MACHINE=aarch64 CROSS_COMPILE=aarch64-linux-gnu- SYSROOT=DIR, whose libraries are
# below DIR.
CROSS_COMPILE ?=
SYSROOT  ?=
CC       := $(CROSS_COMPILE)gcc
AR       := $(CROSS_COMPILE)ar
CLANG    ?= clang
STRIP    ?= llvm-strip
# Debian keeps it where only root looks.
BPFTOOL  ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool) bpftool)
JOBS     ?= $(shell nproc)

# SAN=1: address and undefined-behaviour sanitizers and what libFuzzer asks for, in a build directory of their own, for
# unit tests and fuzz targets. By clang, as gcc has no libFuzzer; which says __SANITIZE_ADDRESS__ in another way than gcc.
ifeq ($(SAN),1)
BUILD    ?= build-san
CC       := $(CLANG)
CFLAGS   ?= -O1 -gline-tables-only
SANFLAGS := -fsanitize=address,undefined,fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize-recover=undefined -D__SANITIZE_ADDRESS__
else
BUILD    ?= build
endif

# V=1: each command as it is.
ifeq ($(V),1)
Q :=
say =
else
Q := @
say = @printf '  %-8s %s\n' $(1) $(2);
endif

MACHINE  := $(shell uname -m)
ARCH     := $(if $(filter aarch64 arm64,$(MACHINE)),arm64,x86)

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wformat=2 -Wundef -Wvla
ifeq ($(CI),true)
WERROR   := -Werror
endif
CFLAGS   ?= -O2 -g
# No folder's name is in what is built there: neither in debugging information nor in the BPF side's, which has line numbers.
SAME_PATHS := -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(BUILD)=build
CTD_CFLAGS := -std=gnu17 $(WARNINGS) $(SAME_PATHS) -D_GNU_SOURCE -DCTD_VERSION='"$(VERSION)"' -Iinclude -Iuser -I$(BUILD)
LDLIBS   := -lbpf -ldw -lelf -liberty -lz -lncursesw -ltinfo -lsmartcols -ljansson -lcurl -lmicrohttpd -lisal -lyaml -lcap -lseccomp -lm
# pthread_cancel() loads it where nothing has: the image would lack it, and a sandbox refuse it.
LDLIBS   += -Wl,--push-state,--no-as-needed -lgcc_s -Wl,--pop-state

COMPILE  := $(CC) $(SYSROOT:%=--sysroot=%) $(CPPFLAGS) $(CFLAGS) $(CTD_CFLAGS) $(WERROR) $(SANFLAGS)
COMPILE_BPF := $(CLANG) -std=gnu17 -O2 -g $(SAME_PATHS) -target bpf -mcpu=v3 -D__TARGET_ARCH_$(ARCH) -D__bpf__ \
	-Wall -Wextra -Wno-unused-parameter -Wno-missing-declarations $(WERROR) -Iinclude -Ivmlinux/$(ARCH)
# What a target was made from, beside it. Headers of the system are not followed.
DEPFILE   = -MMD -MP -MT $@ -MF $@.d

# Sources --------------------------------------------------------------------------------------------------------------

BPF_OBJ   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard bpf/*.bpf.c))
SKELETONS := $(BPF_OBJ:.bpf.o=.skel.h)
USER_SRC  := $(sort $(wildcard user/*/*.c user/*/*/*.c))
USER_OBJ  := $(USER_SRC:%.c=$(BUILD)/%.o)
GEN_OBJ   := $(patsubst %,$(BUILD)/gen/%_registry.o,cpu runtime sink) $(BUILD)/gen/web_files.o $(BUILD)/gen/flame_template.o
# Draws flame graphs, in a file of its own and in the page.
FLAME     := user/profile_sink/flame.mjs
# The page for people: a script makes C of these.
WEB_FILES := $(sort $(wildcard user/serve/web/*.html user/serve/web/*.css user/serve/web/*.mjs)) $(FLAME)
LIB_OBJ   := $(filter-out $(BUILD)/user/app/main.o,$(USER_OBJ)) $(GEN_OBJ)
UNIT_SRC  := $(sort $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c))
UNIT_OBJ  := $(UNIT_SRC:%.c=$(BUILD)/%.o)
UNIT      := $(patsubst %/,%,$(sort $(dir $(UNIT_SRC))))
UNIT_BIN  := $(UNIT:%=$(BUILD)/%/all)
KTEST_BIN := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/kernel/test_*.c)))
TOOL_BIN  := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/tools/*.c tests/bench/*.c)))
# Programs for people to read, which tests run like tools.
EXAMPLE_BIN := $(patsubst docs/examples/%.c,$(BUILD)/tests/tools/%,$(sort $(wildcard docs/examples/*.c)))
FUZZ_BIN  := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
# What embeds a BPF object.
SKEL_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(shell grep -l 'skel\.h"' $(USER_SRC)))

.PHONY: all help deps run check check-all check-stable check-vm check-k8s check-models test bench fuzz golden format lint image images image-files install uninstall clean \
	unit-tests kernel-tests fuzz-targets tools vm-programs fetch FORCE

## all          the program, build/cgtopdown (SAN=1: with sanitizers in build-san; V=1: show commands; BUILD=DIR)
all: $(BUILD)/cgtopdown

## help         this list
help:
	@sed -n 's/^## /  /p' $(firstword $(MAKEFILE_LIST))

# Program --------------------------------------------------------------------------------------------------------------

# LIBRARY=FILE: with the library of another build, of which only the BPF side is replaced.
LIBRARY  ?= $(BUILD)/libctd.a
$(BUILD)/cgtopdown: $(BUILD)/user/app/main.o $(if $(filter-out $(BUILD)/libctd.a,$(LIBRARY)),$(SKEL_OBJ)) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libctd.a: $(LIB_OBJ) $(BUILD)/gen/library.list
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(LIB_OBJ)

$(USER_OBJ): $(BUILD)/%.o: %.c $(BUILD)/.flags | $(SKELETONS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(DEPFILE) -c -o $@ $<

$(GEN_OBJ): %.o: %.c $(BUILD)/.flags
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(DEPFILE) -c -o $@ $<

$(BUILD)/cgtopdown.8: $(BUILD)/cgtopdown
	$(Q)$< help --man >$@

$(BUILD)/cgtopdown.bash $(BUILD)/cgtopdown.zsh: $(BUILD)/cgtopdown.%: $(BUILD)/cgtopdown
	$(Q)$< help --completion $* >$@

# $(call remember,TEXT): a recipe that touches its target only if TEXT is not what it holds.
quote    = '$(subst ','\'',$(1))'
remember = @mkdir -p $(@D) && printf '%s\n' $(call quote,$(1)) | cmp -s - $@ || printf '%s\n' $(call quote,$(1)) >$@

# A change of flags rebuilds everything: a stale object is worse than a slow build.
$(BUILD)/.flags: FORCE
	$(call remember,$(COMPILE) $(LDFLAGS) $(COMPILE_BPF))

# A file that is gone leaves no younger one behind.
$(BUILD)/gen/library.list: FORCE
	$(call remember,$(LIB_OBJ))

# Registries: one table per folder in which every file is one thing. A file that lacks its object is a link error that
# names it. $(1) folder, prefix and header, $(2) type, $(3) table.
define registry
$(1)_names := $(sort $(basename $(notdir $(wildcard user/$(1)/*.c))))
$(BUILD)/gen/$(1)_registry.c: $(BUILD)/gen/$(1).list Makefile
	$(Q){ \
	echo '/* $(1)_registry.c - generated from the file names in user/$(1)/. */'; \
	echo '#include <cgtopdown/$(1).h>'; \
	printf 'extern const struct $(2) ctd_$(1)_%s;\n' $$($(1)_names); \
	echo 'const struct $(2) *const $(3)[] = {'; \
	printf '\t&ctd_$(1)_%s,\n' $$($(1)_names); \
	printf '\tNULL,\n};\n'; } >$$@
$(BUILD)/gen/$(1).list: FORCE
	$$(call remember,$$($(1)_names))
endef
$(eval $(call registry,cpu,ctd_cpu_model,ctd_cpu_models))
$(eval $(call registry,runtime,ctd_runtime,ctd_runtimes))
$(eval $(call registry,sink,ctd_sink,ctd_sinks))

$(BUILD)/gen/web_files.c: user/serve/web/embed $(WEB_FILES) $(BUILD)/gen/web.list
	$(call say,EMBED,$@)
	$(Q)$< $(WEB_FILES) >$@
$(BUILD)/gen/web.list: FORCE
	$(call remember,$(WEB_FILES))

# The flame graph, into which svg.c writes a profile; its script is no module.
$(BUILD)/gen/flame_template.c: user/profile_sink/flame.svg $(FLAME) Makefile
	$(call say,EMBED,$@)
	$(Q)mkdir -p $(@D) && { \
	echo '/* flame_template.c - generated from $<. */'; \
	echo 'extern const char ctd_flame_template[];'; \
	echo 'const char ctd_flame_template[] = {'; \
	sed 's/^export //' $(FLAME) | sed -e '/@@SCRIPT@@/{r /dev/stdin' -e 'd}' $< | od -An -v -tu1 | sed 's/ *\([0-9][0-9]*\)/\1,/g'; \
	echo '0};'; } >$@

# BPF ------------------------------------------------------------------------------------------------------------------

# Type information stays; what only a debugger reads would be two thirds of the program.
$(BPF_OBJ): $(BUILD)/%.o: %.c $(BUILD)/.flags
	$(call say,CLANG,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE_BPF) $(DEPFILE) -c -o $@ $< && $(STRIP) -g $@

$(SKELETONS): %.skel.h: %.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name cgtd_$(*F) >$@

# Tests ----------------------------------------------------------------------------------------------------------------

CHECKS  := $(filter-out %.sh,$(wildcard tests/check/*))
PROGRUN := $(filter-out %.sh %.py $(patsubst %/.,%,$(wildcard tests/progrun/*/.)),$(wildcard tests/progrun/*))
QUICK   := $(addprefix tests/check/,headers layers spdx sizes words format page recipes unused)
# The newest kernel first: it has most to run, and no CPU is to be without work while the last one ends.
VM      := $(if $(KERNEL),$(wildcard $(KERNEL:%=tests/vm/linux-%)),$(shell ls -rv tests/vm/linux-*))
SUITES  := tests/run --build $(BUILD)
# Within a recipe: make again, by now with every tool there, and in parallel unless the user said how.
SUBMAKE  = $(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

unit-tests: $(UNIT_BIN)
kernel-tests: $(KTEST_BIN)
ifeq ($(SAN),1)
fuzz-targets: $(FUZZ_BIN)
else
fuzz-targets:
	$(Q)$(SUBMAKE) SAN=1 BUILD=$(BUILD)-san fuzz-targets
endif
tools: $(TOOL_BIN) $(EXAMPLE_BIN)

# One program per folder of unit tests, with a link per file by which it runs that one. Their tables of cases are run once:
# to optimise them takes several times as long.
$(UNIT_OBJ): $(BUILD)/%.o: %.c $(BUILD)/.flags | $(SKELETONS)
	$(call say,TEST,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -O0 -Werror=unused-function -Itests -include tests/unit_file.h -DUNIT_FILE=$(*F) $(DEPFILE) -c -o $@ $<

define unit_program
$(1)_files := $(sort $(basename $(notdir $(wildcard $(1)/test_*.c))))
$(BUILD)/$(1)/all.list: FORCE
	$$(call remember,$$($(1)_files))
$(BUILD)/$(1)/all: $$($(1)_files:%=$(BUILD)/$(1)/%.o) $(BUILD)/$(1)/all.list tests/unit_main.c $(BUILD)/libctd.a
	$$(call say,LINK,$$@)
	$(Q)$(COMPILE) -DUNIT_FILES='$$(patsubst %,X(%),$$($(1)_files))' -o $$@ $$(filter %.o %.c,$$^) $(BUILD)/libctd.a -lcmocka $(LDLIBS)
	$(Q)for file in $$($(1)_files); do ln -sf all $(BUILD)/$(1)/$$$$file; done
endef
$(foreach folder,$(UNIT),$(eval $(call unit_program,$(folder))))

$(KTEST_BIN): $(BUILD)/%: %.c $(BUILD)/libctd.a $(BUILD)/.flags
	$(call say,TEST,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -Werror=unused-function -Itests $(DEPFILE) -o $@ $< $(BUILD)/libctd.a -lcmocka $(LDLIBS)

$(TOOL_BIN): $(BUILD)/%: %.c $(BUILD)/libctd.a $(BUILD)/.flags
	$(call say,TOOL,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -Itests $(DEPFILE) -o $@ $< $(BUILD)/libctd.a $(LDLIBS)

$(EXAMPLE_BIN): $(BUILD)/tests/tools/%: docs/examples/%.c $(BUILD)/.flags
	$(call say,TOOL,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(DEPFILE) -o $@ $<

$(FUZZ_BIN): $(BUILD)/%: %.c $(BUILD)/libctd.a $(BUILD)/.flags
	$(call say,FUZZ,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -fsanitize=fuzzer -Wno-missing-prototypes $(DEPFILE) -o $@ $< $(BUILD)/libctd.a $(LDLIBS)

## test         unit tests and quick checks: no root, under a minute
test: $(UNIT_BIN) $(SKELETONS)
	$(Q)$(SUITES) -j $(JOBS) $(QUICK) $(UNIT_BIN)

# What a suite cannot have is its to say.
ifeq ($(CI),true)
CHECK_VM := $(VM)
CHECK_PROGRAMS := vm-programs
check: export CTD_VM_CASES := usual
else
# In eight minutes on two cores: on the oldest kernel, lint of what is not everybody's yet, and without what takes longest.
CHECK_VM := tests/vm/linux-5.10
check: export CTD_VM_CASES := core
check: export LINT_SINCE := origin/HEAD
check: LONG := $(addprefix tests/progrun/,prometheus image otlp kubelet command serve_view serve_hung kubectl_plugin \
	serve_access top_nodes local_stat errors hotplug churn serve_profile serve_stuck profile profile_short profile_frames containerd hostile_tenant)
LEFT_TO_CI = .ci/run has besides: four more kernels, lint of all files, and $(notdir $(LONG))
endif
# New inputs are for those who ask for them: here a change is judged, and not luck.
check: export FUZZ_RUNS := 5000
# Half the time of lint: make lint and check-all look further.
check: export LINT_NODES := 10000
check-all: CHECK_VM := $(VM)
check-all: CHECK_PROGRAMS := vm-programs
check-all: export FUZZ_SECONDS := 30
check-all: RELEASE := $(wildcard tests/release/*)
# Alone: what takes a CPU away from all others, needs most of both, or tells of all containers. What needs most CPU begins first.
ALONE    := $(KTEST_BIN) $(addprefix tests/progrun/,hotplug churn cpu_stat full_map containerd containerd_serve names_stolen profile profile_event profile_short profile_frames serve_profile serve_stuck serve_memory stacks waits hostile_tenant neighbours_recorded neighbours_live serve_neighbours serve_events serve_state throttling)
FIRST    := tests/check/lint tests/fuzz/run
BESIDE   := $(filter-out $(ALONE) $(FIRST),$(PROGRUN) $(CHECKS) $(UNIT_BIN:$(BUILD)/%=$(BUILD)-san/%) $(UNIT_BIN))
RUN_VM   := -j 2 --timeout 3600
fetch_vm  = for suite in $(1); do $$suite root >/dev/null; done

## check        also sanitizers, lint, the real kernel (needs root, else skipped), a VM and short fuzzing; .ci/run: all of it
## check-all    all, with each case on each kernel and longer fuzzing: before a release
check check-all: deps
	$(Q)deploy/deps vm && deploy/deps k8s $(if $(RELEASE),images release) || true
	$(Q)$(MAKE) fetch CHECK_VM='$(CHECK_VM)' & \
	$(SUBMAKE) all unit-tests kernel-tests tools $(CHECK_PROGRAMS) && $(SUBMAKE) SAN=1 BUILD=$(BUILD)-san unit-tests fuzz-targets; \
	code=$$?; wait; exit $$code
	$(if $(LONG),@echo '$(LEFT_TO_CI)')
	$(Q)$(SUITES) -j 4 --timeout 3600 $(CHECK_VM) $(FIRST) $(RELEASE) $(filter-out $(LONG),$(BESIDE)) \
		-j 1 --timeout 600 $(filter-out $(LONG),$(ALONE))

# Packages of others that suites need, into a cache: what cannot be had is a suite's to say.
fetch:
	$(Q)$(call fetch_vm,$(CHECK_VM))
	$(Q)tests/fetch runtime >/dev/null || true
	$(Q)for program in promtool victoria-metrics; do tests/program $$program >/dev/null; done || true

## check-stable five runs of CI in a row and one beside a load of 4, of fresh clones, each with its time
check-stable:
	$(Q).ci/stable

## check-vm     tests on Debian's kernels in QEMU (KERNEL=6.1, CASES=NAME: of these only; FETCH=1: newest packages)
check-vm: deps
	$(Q)deploy/deps vm
	$(Q)$(SUBMAKE) vm-programs
	$(Q)$(call fetch_vm,$(VM))
	$(Q)FETCH='' CTD_VM_CASES='$(CASES)' CTD_VM_BOOTS=$(if $(KERNEL),2,1) $(SUITES) $(RUN_VM) $(if $(KERNEL),-j 1) $(VM)

## check-k8s    a real Kubernetes runs the chart, and a real Prometheus scrapes it (the first time: builds it, minutes)
check-k8s: deps
	$(Q)$(SUBMAKE) all tools
	$(Q)deploy/deps k8s
	$(Q)tests/fetch runtime >/dev/null && tests/k8s/build >/dev/null && tests/program prometheus >/dev/null && tests/deploy/helm >/dev/null || true
	$(Q)$(SUITES) --timeout 900 tests/k8s/node

# The second program's BPF side is by the newest compiler: each writes code of its own kind for verifiers to refuse.
NEWEST_CLANG := $(lastword $(sort $(wildcard /usr/bin/clang-19 /usr/bin/clang-[2-9][0-9])))
vm-programs: all kernel-tests tools
	$(if $(NEWEST_CLANG),$(Q)$(MAKE) BUILD=$(BUILD)-clang CLANG=$(NEWEST_CLANG) LIBRARY=$(BUILD)/libctd.a all)

## check-models every built-in formula, and the reader of vendors' files, against these (VENDOR_DATA=DIR, see CONTRIBUTING.md)
check-models: $(BUILD)/tests/tools/show_models $(BUILD)/tests/tools/vendor_metrics $(BUILD)/tests/bench/vendor
	$(Q)VENDOR_DATA='$(VENDOR_DATA)' $(SUITES) tests/check/models

## fuzz         fuzz each parser for FUZZ_SECONDS, 10 by default
fuzz: fuzz-targets
	$(Q)$(SUITES) --timeout 86400 tests/fuzz/run

## bench        measure what the program costs (docs/cost.md says how to read it)
bench: all tools
	$(Q)BUILD=$(BUILD) tests/bench/run $(ARGS)

## golden       rewrite tests/golden/ from what the program writes now: review the difference like code
golden: unit-tests
	$(Q)CTD_GOLDEN_UPDATE=1 $(SUITES) $(UNIT_BIN)

## format       clang-format all C files in place
format:
	$(Q)bash -c '. tests/files.sh && c_files bpf user include tests | xargs -d "\n" -r clang-format -i'

## lint         cppcheck and clang-tidy
lint: $(SKELETONS)
	$(Q)$(SUITES) --timeout 3600 tests/check/lint

# Use ------------------------------------------------------------------------------------------------------------------

## deps         install the Debian packages that are missing, or say which
deps:
	$(Q)deploy/deps build test

## run          show it at work on demo containers, as root (ARGS='--level 2': more options of `cgtopdown stat`)
run:
	$(Q)deploy/deps build
	$(Q)$(SUBMAKE) all $(BUILD)/tests/tools/demo_load
	$(Q)BUILD=$(BUILD) deploy/demo $(ARGS)

bindir := $(DESTDIR)$(PREFIX)/bin
mandir := $(DESTDIR)$(PREFIX)/share/man
includedir := $(DESTDIR)$(PREFIX)/include/cgtopdown
# For programs that measure themselves.
HEADERS := $(addprefix include/cgtopdown/,rdpmc.h regions.h regions_abi.h)
docdir := $(DESTDIR)$(PREFIX)/share/doc/cgtopdown
bashdir := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
unitdir := $(DESTDIR)$(PREFIX)/lib/systemd/system
config := $(DESTDIR)/etc/cgtopdown.yaml

## image        a container image without docker, build/cgtopdown-image.tar, and its SBOM (IMAGE=REGISTRY/cgtopdown:0.1.0: its name)
## images       the same for x86-64 and arm64 in one file, build/cgtopdown-images.tar, for a registry (on x86-64)
IMAGE ?= localhost/cgtopdown:$(VERSION)
OCI_ARCH := $(if $(filter arm64,$(ARCH)),arm64,amd64)
BUILD_ARM64 := $(BUILD)-image-arm64
pack_image = $(Q)VERSION=$(VERSION) deploy/docker/pack $(IMAGE) deploy/docker/Dockerfile
image: image-files
	$(pack_image) $(BUILD)/cgtopdown-image.tar $(OCI_ARCH)=$(BUILD)/image

images: image-files
	$(Q)deploy/deps images
	$(Q)sysroot=$$(tests/fetch libraries-arm64) && $(MAKE) BUILD=$(BUILD_ARM64) MACHINE=aarch64 CROSS_COMPILE=aarch64-linux-gnu- \
		SYSROOT=$$sysroot image-files
	$(pack_image) $(BUILD)/cgtopdown-images.tar amd64=$(BUILD)/image arm64=$(BUILD_ARM64)/image

image-files: all
	$(Q)rm -rf $(BUILD)/image && SYSROOT=$(SYSROOT) CROSS_COMPILE=$(CROSS_COMPILE) deploy/docker/rootfs $(BUILD)/cgtopdown $(BUILD)/image
	$(Q)VERSION=$(VERSION) SYSROOT=$(SYSROOT) deploy/docker/sbom $(BUILD)/image >$(BUILD)/cgtopdown-image.spdx.json

## install      program, man pages, headers for programs that measure themselves, completion, service and documents below DESTDIR and PREFIX (/usr/local)
install: all $(BUILD)/cgtopdown.8 $(BUILD)/cgtopdown.bash $(BUILD)/cgtopdown.zsh
	install -D -m 755 $(BUILD)/cgtopdown $(bindir)/cgtopdown
	install -D -m 644 $(BUILD)/cgtopdown.8 $(mandir)/man8/cgtopdown.8
	install -D -m 644 -t $(mandir)/man3 $(wildcard docs/*.3)
	install -D -m 644 -t $(includedir) $(HEADERS)
	install -D -m 644 -t $(docdir) README.md LICENSE $(wildcard docs/*.md)
	install -D -m 644 -t $(docdir)/examples $(wildcard docs/examples/*.c)
	install -D -m 644 $(BUILD)/cgtopdown.bash $(bashdir)/cgtopdown
	install -D -m 644 $(BUILD)/cgtopdown.zsh $(zshdir)/_cgtopdown
	install -d $(unitdir)
	sed 's|/usr/local/bin|$(PREFIX)/bin|' deploy/systemd/cgtopdown.service >$(unitdir)/cgtopdown.service
	test -e $(config) || install -D -m 640 deploy/systemd/cgtopdown.yaml $(config)

## uninstall    remove what install put there, but for the configuration (/etc/cgtopdown.yaml)
uninstall:
	rm -f $(bindir)/cgtopdown $(mandir)/man8/cgtopdown.8 $(patsubst docs/%,$(mandir)/man3/%,$(wildcard docs/*.3)) $(HEADERS:include/cgtopdown/%=$(includedir)/%) $(bashdir)/cgtopdown $(zshdir)/_cgtopdown \
		$(unitdir)/cgtopdown.service
	rm -rf $(docdir)

## clean        remove the build directories
clean:
	rm -rf $(BUILD) $(BUILD)-san $(BUILD)-clang $(BUILD)-arm64 $(BUILD_ARM64)

-include $(patsubst %,%.d,$(USER_OBJ) $(GEN_OBJ) $(BPF_OBJ) $(UNIT_OBJ) $(KTEST_BIN) $(TOOL_BIN) $(EXAMPLE_BIN) $(FUZZ_BIN))
