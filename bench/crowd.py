"""A crowd of HTTP clients in a process of its own, as cheap as can be, so that the server is what is measured.

Reads from standard input one JSON object: `port`, `connections`, `seconds` (how long to go on; null: until all are
sent) and `requests`, each a list of method, path, headers and body. Each connection takes the next request as soon as
its last one is answered. Writes one JSON object: `seconds` from the first byte to the last, `latencies` in seconds,
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


async def _client(port: int, requests: Iterator[bytes], until: float, seen: list[tuple[float, int]]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        began = time.perf_counter()
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
    requests = cycle(packed) if asked["seconds"] else iter(packed)
    seen: list[tuple[float, int]] = []
    began = time.perf_counter()
    until = began + asked["seconds"] if asked["seconds"] else float("inf")
    await asyncio.gather(*(_client(asked["port"], requests, until, seen) for _ in range(asked["connections"])))
    return {
        "seconds": time.perf_counter() - began,
        "latencies": [latency for latency, _ in seen],
        "statuses": Counter(status for _, status in seen),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_crowd(json.load(sys.stdin)))))
