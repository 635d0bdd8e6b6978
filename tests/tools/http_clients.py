#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# http_clients.py - clients that an HTTP server has to bear: many, slow, stuck, hostile.
"""usage: http_clients.py WHAT PORT [ARGUMENT]

many PORT COUNT      so many at once, 12 from each of 127.0.0.1, .2, ...; prints how each ended, if it
                     was closed the third time it asked
crowd PORT COUNT     so many at once from one address
slow PORT            a byte now and then; prints after how many seconds, and bytes, each was cut off
stuck PORT SECONDS   asks, and does not read the answer; says "stuck" once all do
hoard PORT           40 more of these, one after the other; reads on after a line on stdin, and says what each got,
                     and of which snapshot a whole answer is
halfopen PORT SECONDS 16 unfinished requests from each of 127.0.0.1 to .4, each
                     begun anew when it is cut off; says "held" once all are there
hostile PORT         a line per case: what was answered, "closed", or "HANGS"
"""
import collections
import re
import socket
import struct
import sys
import threading
import time

REQUEST = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def connect(port, source="127.0.0.1", timeout=30):
    return socket.create_connection(("127.0.0.1", port), timeout, (source, 0))


def read_all(client):
    data = b""
    while chunk := client.recv(65536):
        data += chunk
    return data


def outcome(data):
    """The status of a whole answer, "closed" without one."""
    head, _, body = data.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1."):
        return "closed" if not data else "not HTTP"
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:") and int(line.split(b":")[1]) > len(body):
            return "cut"
    return head.split()[1].decode()


def ask(port, source):
    try:
        with connect(port, source) as client:
            client.sendall(REQUEST)
            return outcome(read_all(client))
    except ConnectionError:
        return "closed"
    except TimeoutError:
        return "HANGS"


def ask_patiently(port, source, tries, outcomes):
    while (ended := ask(port, source)) == "closed" and tries > 1:
        tries -= 1
    outcomes.append(ended)


def run_all(port, sources, tries):
    outcomes = []
    threads = [threading.Thread(target=ask_patiently, args=(port, source, tries, outcomes)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, count in sorted(collections.Counter(outcomes).items()):
        print(name, count)


def many(port, count):
    # One that a busy machine keeps from sending for 10 ms gives way to others, if places are short.
    run_all(port, [f"127.0.0.{1 + i // 12}" for i in range(int(count))], 3)


def crowd(port, count):
    run_all(port, ["127.0.0.1"] * int(count), 1)


def drip(port, text, outcomes):
    start = time.monotonic()
    count = 0
    try:
        with connect(port, "127.0.0.9") as client:
            client.settimeout(0.5)
            for byte in text * 1000:
                client.sendall(bytes([byte]))
                count += 1
                try:
                    if not client.recv(4096):
                        break
                except TimeoutError:
                    pass
    except ConnectionError:
        pass
    outcomes.append((time.monotonic() - start, count))


def slow(port):
    texts = [b"G", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 99, b"\r\n", b" "] * 4
    outcomes = []
    threads = [threading.Thread(target=drip, args=(port, text, outcomes)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seconds, count in outcomes:
        print(f"{seconds:.3f} {count}")


def stuck(port, seconds):
    clients = []
    for number in range(10):
        client = socket.socket()
        # So little that the answer does not fit between us.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.bind(("127.0.0.7", 0))
        client.connect(("127.0.0.1", port))
        client.sendall(REQUEST if number % 2 else REQUEST[:-2])
        clients.append(client)
    print("stuck", flush=True)
    time.sleep(float(seconds))


def halfopen(port, seconds):
    def begin(number):
        """None: it had to give way at once, or there is no port for it now; tried again."""
        try:
            client = connect(port, f"127.0.0.{1 + number % 4}")
            client.sendall(REQUEST[:-2])
            client.setblocking(False)
        except OSError:
            return None
        return client

    clients = [begin(number) for number in range(64)]
    print("held", flush=True)
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        for number, client in enumerate(clients):
            try:
                if client and client.recv(4096):
                    continue
            except BlockingIOError:
                continue
            except ConnectionError:
                pass
            if client:
                client.close()
            clients[number] = begin(number)
        time.sleep(0.02)


def hoard(port):
    clients = []
    for number in range(40):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.bind((f"127.0.1.{number}", 0))
        client.connect(("127.0.0.1", port))
        client.sendall(REQUEST)
        clients.append(client)
        time.sleep(0.15)
    print("stuck", flush=True)
    sys.stdin.readline()
    for client in clients:
        client.settimeout(30)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        try:
            data = read_all(client)
            snapshot = re.search(rb"\ncgtopdown_snapshots_total ([0-9]+)\n", data)
            ended = outcome(data)
            print(f"{ended} {snapshot[1].decode()}" if ended == "200" else ended)
        except ConnectionError:
            print("closed")


def hostile(port):
    get = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
    cases = {
        "garbage": bytes(range(256)) * 64,
        "TLS hello": bytes.fromhex("16030100f4010000f00303") + b"\0" * 240,
        "nothing": b"",
        "newlines": b"\r\n" * 5000,
        "long line": b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
        "many headers": get + b"".join(b"H%d: x\r\n" % i for i in range(5000)) + b"\r\n",
        "long header": get + b"X: " + b"y" * 200000 + b"\r\n\r\n",
        "NUL in path": b"GET /\0metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "dots in path": b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "percent in path": b"GET /%00%2e%zz%n%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "no host": b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
        "HTTP/0.9": b"GET /healthz\r\n\r\n",
        "HTTP/9.9": b"GET /healthz HTTP/9.9\r\n\r\n",
        "body": get + b"Content-Length: 5\r\n\r\nhello",
        "endless body": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n" + b"z" * 9999,
        "negative body": get + b"Content-Length: -1\r\n\r\n",
        "two lengths": get + b"Content-Length: 0\r\nContent-Length: 7\r\n\r\nGET / H",
        "chunked": get + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
        "smuggled": get + b"Content-Length: 30\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "delete": b"DELETE / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
        "no method": b" / HTTP/1.1\r\n\r\n",
        "strange method": b"\xff\xfe / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "connect": b"CONNECT evil:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "upgrade": get + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        "bad basic": get + b"Authorization: Basic !!!!\r\nConnection: close\r\n\r\n",
        "long accept": get + b"Accept: " + b"a/b;q=0.1," * 800 + b"\r\nConnection: close\r\n\r\n",
        "long encoding": get + b"Accept-Encoding: " + b"gzip;q=0," * 800 + b"\r\nConnection: close\r\n\r\n",
        "pipelined": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50 + REQUEST,
    }
    outcomes = {}

    def send(number, name, text):
        data = b""
        try:
            with connect(port, f"127.0.2.{number}") as client:
                try:
                    client.sendall(text)
                    if name in ("nothing", "upgrade"):
                        client.shutdown(socket.SHUT_WR)
                    while chunk := client.recv(65536):
                        data += chunk
                except ConnectionError:
                    pass
            outcomes[name] = f"{outcome(data)} {len(re.findall(rb'HTTP/1[.][01] [0-9]{3} ', data))}"
        except TimeoutError:
            outcomes[name] = "HANGS"

    threads = [threading.Thread(target=send, args=(number, *case)) for number, case in enumerate(cases.items(), 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in cases:
        print(f"{name}: {outcomes[name]}")
    # A reset in the middle of everything.
    for text in (b"", b"GET", REQUEST):
        client = connect(port, "127.0.0.6")
        client.sendall(text)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("many", "crowd", "slow", "stuck", "hoard", "halfopen", "hostile"):
        sys.exit(__doc__)
    globals()[sys.argv[1]](int(sys.argv[2]), *sys.argv[3:])
