"""Steward's streams for Python, with httpx: `python3-httpx` in Debian, else `pip install httpx`."""
import json
import time

import httpx


def messages(pieces):
    """Yields the messages of a stream of bytes. What a broken connection left without its end is dropped, id and all.

    By bytes, and not by httpx's lines: those end at U+2028 as well, which JSON may contain.
    """
    rest, fields = b"", {}
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            name, _, value = line.decode().partition(":")
            if line != b"":
                fields[name] = value.removeprefix(" ")
                continue
            if "data" in fields:
                yield fields
            fields = {}


def follow(client, url, body, headers, delay_s=1.0):
    """Says something by POST, and yields each event of the run once, over as many connections as that takes.

    The Idempotency-Key in `headers` has a repeated request join the run instead of beginning another one.
    """
    last_id = None
    while True:
        resume = {} if last_id is None else {"last-event-id": last_id}
        try:
            with client.stream("POST", url, json=body, headers={**headers, **resume}) as answer:
                if answer.status_code != 200:
                    raise RuntimeError(f"{answer.status_code} {answer.read().decode()}")
                for message in messages(answer.iter_bytes()):
                    last_id = message.get("id", last_id)
                    event = json.loads(message["data"])
                    yield last_id, event
                    if event["type"] == "done":
                        return
        except httpx.TransportError:
            time.sleep(delay_s)
