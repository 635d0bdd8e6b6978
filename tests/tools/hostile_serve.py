#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# hostile_serve.py - listens at DIRECTORY/KIND for each kind of server that is none, and answers as that does.
#
# usage: hostile_serve.py DIRECTORY; prints "ready"
import os
import re
import socket
import sys
import threading

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
SCHEMA = b'{"schema":"cgtopdown/view/1","source":"sim","sequence":1,"time_ns":1,"core_types":[{"source":"sim","nodes":['


def garbage(connection):
    connection.sendall(os.urandom(4096))


def html(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>")


def refusal(connection):
    connection.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")


def closed(connection):
    connection.close()


def endless(connection):
    connection.sendall(HEAD + b"\r\n" + SCHEMA)
    while True:
        connection.sendall(b'{"name":"a","level":1},' * 4096)


def deep(connection):
    text = SCHEMA + b"[" * 1000000
    connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(text) + text)


def silent(connection):
    connection.recv(65536)
    threading.Event().wait()


asked = {}


def pass_on(connection, change):
    """What the serve at DIRECTORY/serve answers, changed by what its number is."""
    with socket.socket(socket.AF_UNIX) as other:
        other.connect(os.path.join(sys.argv[1], "serve"))
        other.sendall(b"GET /api/v1/view HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        text = b"".join(iter(lambda: other.recv(65536), b""))
    asked[change] = asked.get(change, 0) + 1
    connection.sendall(change(text, asked[change]))


def half_of_the_second(text, number):
    return text[:len(text) // 2] if number == 2 else text


def earlier_from_the_third(text, number):
    """Its time in nanoseconds keeps its length."""
    early = lambda match: match[1] + str(int(match[2]) - 30000000000).encode()
    return re.sub(rb'("time_ns": ?)(\d+)', early, text, count=1) if number > 2 else text


def cut(connection):
    pass_on(connection, half_of_the_second)


def set_back(connection):
    pass_on(connection, earlier_from_the_third)


def serve(listener, answer):
    while True:
        connection, _ = listener.accept()
        # To look whether somebody is there is no request.
        if answer is not closed and not connection.recv(65536):
            connection.close()
            continue
        try:
            answer(connection)
        except OSError:
            pass
        connection.close()


for kind in (garbage, html, refusal, closed, endless, deep, silent, cut, set_back):
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(os.path.join(sys.argv[1], kind.__name__))
    listening.listen(8)
    threading.Thread(target=serve, args=(listening, kind), daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
