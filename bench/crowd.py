"""A crowd of HTTP clients in a process of its own, as cheap as can be, so that the server is what is measured.

Reads from standard input one JSON object: `port`, `connections`, `seconds` (how long to go on; null: until all are
sent), `a_second` (how many requests are due in a second; null: as many as are answered) and `requests`, each a list of
method, path, headers and body. Each connection takes the next request as soon as its last one is answered, and waits
until it is due; a latency counts from then, so that one that had to wait for a connection is not praised for it. Writes
one JSON object: `seconds` from the first byte to the last, `latencies` in seconds,
in the order of the answers, and `statuses`, how many answers had each.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from typing import Any

_LENGTH = b"content-length:"


def _packed(method: str, path: str, headers: dict[str, str], body: str | None) -> bytes:
    content = (body or "").encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
    if content:
        lines += ["Content-Type: application/json"]
    lines += [f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content


async def _client(
    port: int, requests: Iterator[tuple[bytes, float | None]], until: float, seen: list[tuple[float, int]]
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request, due in requests:
        if due is not None:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        began = due or time.perf_counter()
        if began > until:
            break
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        at = head.lower().find(_LENGTH)
        if at >= 0:
            await reader.readexactly(int(head[at + len(_LENGTH) :].split(b"\r\n", 1)[0]))
        seen.append((time.perf_counter() - began, int(head[9:12])))
    writer.close()


async def _crowd(asked: dict[str, Any]) -> dict[str, Any]:
    packed = [_packed(*request) for request in asked["requests"]]
    seen: list[tuple[float, int]] = []
    began, rate = time.perf_counter(), asked.get("a_second")
    each = cycle(packed) if asked["seconds"] else packed
    requests = ((request, began + number / rate if rate else None) for number, request in enumerate(each))
    until = began + asked["seconds"] if asked["seconds"] else float("inf")
    await asyncio.gather(*(_client(asked["port"], requests, until, seen) for _ in range(asked["connections"])))
    return {
        "seconds": time.perf_counter() - began,
        "latencies": [latency for latency, _ in seen],
        "statuses": Counter(status for _, status in seen),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_crowd(json.load(sys.stdin)))))
