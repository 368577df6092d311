"""The four operations on notes as most Python services have them: FastAPI, SQLAlchemy, SQLite.

A peer for `cargo xtask bench http`. Durable like ours: WAL with synchronous=FULL. Each request looks
its API key up. Run with uvicorn; the database's path is in the environment variable NOTES_DB.
"""

import hashlib
import json
import os
from datetime import datetime, timezone

from fastapi import Depends, FastAPI, Header, HTTPException, Query
from pydantic import BaseModel
from sqlalchemy import Engine, ForeignKey, Index, create_engine, event, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    """All tables."""


class ApiKey(Base):
    """A key, by the hash of its text."""

    __tablename__ = "api_keys"
    hash: Mapped[str] = mapped_column(primary_key=True)
    user_name: Mapped[str]


class Resource(Base):
    """What notes are attached to."""

    __tablename__ = "resources"
    id: Mapped[str] = mapped_column(primary_key=True)


class Note(Base):
    """A note."""

    __tablename__ = "notes"
    id: Mapped[int] = mapped_column(primary_key=True)
    resource_id: Mapped[str] = mapped_column(ForeignKey("resources.id"))
    role: Mapped[str]
    content: Mapped[str]
    meta: Mapped[str]
    user_name: Mapped[str]
    created: Mapped[datetime]
    updated: Mapped[datetime]
    __table_args__ = (Index("notes_by_age", "resource_id", "created", "id"),)


# A connection for each thread: with the usual 15 for 40 threads, requests that hold one wait for threads
# that wait for one, until all of them time out.
engine = create_engine(
    f"sqlite:///{os.environ['NOTES_DB']}", connect_args={"timeout": 30}, pool_size=64
)


@event.listens_for(Engine, "connect")
def durable(connection, _record):
    """Commits are on the disk when they are answered."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def session():
    """A session for the request."""
    with Session(engine) as opened:
        yield opened


def user(x_service_key: str = Header(), opened: Session = Depends(session)) -> str:
    """The name of the key's user."""
    found = opened.get(ApiKey, hashlib.sha256(x_service_key.encode()).hexdigest())
    if found is None:
        raise HTTPException(401, "the API key is not valid")
    return found.user_name


class NewNote(BaseModel):
    """A note to create."""

    content: str
    role: str
    resource_id: str
    meta: str = "{}"


class NoteChange(BaseModel):
    """A note's new values."""

    content: str
    role: str


def shown(note: Note) -> dict:
    """A note as it is answered."""
    return {
        "noteId": str(note.id),
        "content": note.content,
        "role": note.role,
        "resource_id": note.resource_id,
        "meta": json.loads(note.meta),
        "userName": note.user_name,
        "created_timestamp": note.created.strftime("%Y-%m-%d %H:%M:%S"),
        "updated_timestamp": note.updated.strftime("%Y-%m-%d %H:%M:%S"),
    }


app = FastAPI()


@app.post("/v1/notes")
def create_note(new: NewNote, author: str = Depends(user), opened: Session = Depends(session)):
    """Adds a note."""
    now = datetime.now(timezone.utc)
    note = Note(
        resource_id=new.resource_id,
        role=new.role,
        content=new.content,
        meta=json.dumps(json.loads(new.meta)),
        user_name=author,
        created=now,
        updated=now,
    )
    opened.add(note)
    opened.commit()
    return shown(note)


@app.get("/v1/notes/{note_id}")
def get_note(note_id: int, _author: str = Depends(user), opened: Session = Depends(session)):
    """Reads a note."""
    note = opened.get(Note, note_id)
    if note is None:
        raise HTTPException(404, "there is no such note")
    return shown(note)


@app.put("/v1/notes/{note_id}")
def update_note(
    note_id: int, change: NoteChange, _author: str = Depends(user), opened: Session = Depends(session)
):
    """Changes a note."""
    note = opened.get(Note, note_id)
    if note is None:
        raise HTTPException(404, "there is no such note")
    note.content, note.role, note.updated = change.content, change.role, datetime.now(timezone.utc)
    opened.commit()
    return shown(note)


@app.get("/v1/notes/agent/{resource_id}")
def list_notes(
    resource_id: str,
    page: int = Query(1, ge=1),
    limit: int = Query(10, ge=1, le=100),
    _author: str = Depends(user),
    opened: Session = Depends(session),
):
    """Lists the notes of a resource, newest first."""
    of_resource = Note.resource_id == resource_id
    total = opened.scalar(select(func.count()).select_from(Note).where(of_resource))
    newest = select(Note).where(of_resource).order_by(Note.created.desc(), Note.id.desc())
    rows = opened.scalars(newest.offset((page - 1) * limit).limit(limit))
    return {"notes": [shown(note) for note in rows], "meta": {"total_items": total, "current_page": page}}


def prepare(rows: int) -> None:
    """Makes the tables with a key, a resource, and so many notes."""
    Base.metadata.create_all(engine)
    now = datetime.now(timezone.utc)
    with Session(engine) as opened:
        opened.add(ApiKey(hash=hashlib.sha256(b"bench").hexdigest(), user_name="Bench"))
        opened.add(Resource(id="bench"))
        opened.commit()
        note = {"resource_id": "bench", "role": "user", "content": "A note of the benchmark", "meta": "{}"}
        note |= {"user_name": "Bench", "created": now, "updated": now}
        for _ in range(rows // 1000):
            opened.bulk_insert_mappings(Note, [note] * 1000)
        opened.commit()


if __name__ == "__main__":
    import sys

    prepare(int(sys.argv[1]))
