"""A real server for the tests. FORMWORK_BINARY is the path of its program."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from formwork import Client

INVOICE = "Vendor: Harbour Works\nTotal: 12.50\nCurrency: EUR\nDue date: 2026-03-14\n"


@dataclass(repr=False)
class Server:
    url: str
    key: str


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    command = [os.environ["FORMWORK_BINARY"], "--listen", "127.0.0.1:0", "--data-dir", str(folder / "data")]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        url, key = (process.stdout.readline().split()[-1] for _ in range(2))
        yield Server(url, key)
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, server.key) as client:
        yield client


@pytest.fixture
def invoice(tmp_path: Path) -> Path:
    path = tmp_path / "invoice.txt"
    path.write_text(INVOICE)
    return path
