"""A batch of extractions as most Python programs make them: Instructor, asyncio and a semaphore.

A peer for `cargo xtask bench delta`. Reads one JSON line, {"url", "concurrency", "texts"}; writes a line when it is
ready; on the next line it starts, and writes {"seconds", "results"} when every text has its record.
"""

import asyncio
import datetime
import json
import sys
import time

import instructor
from openai import AsyncOpenAI
from pydantic import BaseModel, Field

RULES = "Fill in the fields from the document. Use null for what it does not state."


class Goods(BaseModel):
    """A line of the note."""

    article: str | None
    pieces: int | None
    price: float | None = Field(description="Of one piece")


class Note(BaseModel):
    """The form."""

    number: str | None = Field(description="Number of the delivery note")
    date: datetime.date | None = Field(description="Day of delivery")
    customer: str | None = Field(description="Who gets the goods")
    goods: list[Goods] | None = Field(description="Delivered goods")
    total: float | None = Field(description="Sum of the goods")


async def extract_all(url: str, concurrency: int, texts: list[str]) -> list[Note]:
    """One record for each text, so many at the same time."""
    vendor = AsyncOpenAI(base_url=url, api_key="none")
    client = instructor.from_openai(vendor, mode=instructor.Mode.JSON_SCHEMA)
    places = asyncio.Semaphore(concurrency)

    async def extract(text: str) -> Note:
        async with places:
            return await client.chat.completions.create(
                model="bench",
                response_model=Note,
                messages=[{"role": "system", "content": RULES}, {"role": "user", "content": text}],
            )

    return await asyncio.gather(*(extract(text) for text in texts))


def main() -> None:
    """Plays the part of the peer."""
    task = json.loads(sys.stdin.readline())
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.monotonic()
    results = asyncio.run(extract_all(task["url"], task["concurrency"], task["texts"]))
    seconds = time.monotonic() - began
    records = [note.model_dump(mode="json") for note in results]
    print(json.dumps({"seconds": seconds, "results": records}), flush=True)
    # Stays until it has been looked at.
    sys.stdin.readline()


if __name__ == "__main__":
    main()
