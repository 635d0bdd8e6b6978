#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# hung_mount.py - mounts a filesystem that answers nobody, as one of a server that is away.
"""hung_mount.py DIRECTORY killable|taken

Who waits can be killed, as with NFS; or not even that, as requests were taken.
Says "mounted", and "hung" when somebody waits. SIGTERM unmounts it: who waits has an
error then.
"""
import ctypes
import os
import select
import signal
import struct
import sys

# include/uapi/linux/fuse.h: struct fuse_in_header, FUSE_INIT, struct fuse_init_out of 7.23.
HEADER = struct.Struct("<IIQQIIII")
FUSE_INIT = 26
MNT_DETACH = 2


def answer_init(device):
    _, operation, unique, *_ = HEADER.unpack_from(os.read(device, 1 << 20))
    assert operation == FUSE_INIT
    answer = struct.pack("<IIIIHHIIHHI", 7, 23, 0, 0, 0, 0, 4096, 1, 0, 0, 0)
    answer += bytes(64 - len(answer))
    os.write(device, struct.pack("<IiQ", 16 + len(answer), 0, unique) + answer)


def main():
    directory = os.path.realpath(sys.argv[1]).encode()
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
    if libc.mount(b"hung", directory, b"fuse", 0, options):
        sys.exit(f"mount: {os.strerror(ctypes.get_errno())}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        answer_init(device)
        print("mounted", flush=True)
        select.select([device], [], [])
        print("hung", flush=True)
        while "taken" in sys.argv:
            os.read(device, 1 << 20)
        signal.pause()
    finally:
        libc.umount2(directory, MNT_DETACH)


main()
