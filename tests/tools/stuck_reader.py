#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# stuck_reader.py - runs a command whose stderr is read only when told.
"""stuck_reader.py pipe|socket|terminal COMMAND...

Says the command's process id. Then does what it is told on stdin, a word a line, and says "done":
  fill   write into stderr until there is no room
  read   read all that is there, without what was filled in and a terminal's colours, and say it
Its end is not that of the command.
"""
import fcntl
import os
import re
import socket
import struct
import subprocess
import sys
import termios
import time

# A terminal keeps at most so many bytes for its reader: N_TTY_BUF_SIZE - 1 (drivers/tty/n_tty.c).
TERMINAL_BYTES = 4095
FILLING = b"~" * 4095 + b"\n"


def without_waiting(action):
    """Repeats it until it would wait; what it returned."""
    results = []
    while True:
        try:
            results.append(action())
        except BlockingIOError:
            return results


def reader_and_writer(kind):
    if kind == "pipe":
        return os.pipe()
    if kind == "terminal":
        return os.openpty()
    return tuple(end.detach() for end in socket.socketpair())


def opened_anew(writer, kind):
    """To fill it without that the command's own end does not wait any more."""
    if kind != "socket":
        descriptor = os.open(f"/proc/self/fd/{writer}", os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        return lambda: os.write(descriptor, FILLING)
    end = socket.socket(fileno=writer)
    return lambda: end.send(FILLING, socket.MSG_DONTWAIT)


def is_full(reader, kind):
    """Whether it stays so: what the kernel hands on to a terminal's reader makes room for more."""
    if kind != "terminal":
        return True
    return struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, bytes(4)))[0] == TERMINAL_BYTES


def main():
    kind, command = sys.argv[1], sys.argv[2:]
    reader, writer = reader_and_writer(kind)
    os.set_blocking(reader, False)
    fill = opened_anew(writer, kind)
    print(subprocess.Popen(command, stderr=writer).pid, flush=True)
    for line in sys.stdin:
        if line == "fill\n":
            while True:
                full = is_full(reader, kind)
                if not without_waiting(fill) and full:
                    break
                time.sleep(0.01)
        else:
            data = b"".join(without_waiting(lambda: os.read(reader, 65536)))
            data = re.sub(rb"~|\r|\033\[[0-9]*m", b"", data)
            sys.stdout.write(data.lstrip(b"\n").decode())
        print("done", flush=True)


main()
