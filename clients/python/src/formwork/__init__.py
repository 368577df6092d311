"""Client of Formwork: typed records with evidence from documents."""

from ._async_client import AsyncClient
from ._client import Client
from ._errors import (
    Conflict,
    ExtractionFailed,
    FieldError,
    Forbidden,
    FormworkError,
    InvalidRequest,
    NotFound,
    RateLimited,
    RecordInvalid,
    Unauthorized,
    Unavailable,
)
from ._events import AsyncStream, Event, Stream
from ._extraction import Evidence, Extraction

__all__ = [
    "AsyncClient",
    "AsyncStream",
    "Client",
    "Conflict",
    "Event",
    "Evidence",
    "Extraction",
    "ExtractionFailed",
    "FieldError",
    "Forbidden",
    "FormworkError",
    "InvalidRequest",
    "NotFound",
    "RateLimited",
    "RecordInvalid",
    "Stream",
    "Unauthorized",
    "Unavailable",
]
