#![doc = include_str!("../README.md")]

mod clock;
mod error;
mod ids;
mod page;
mod scope;
mod timer;

pub use clock::{Clock, FixedClock, SystemClock, Timestamp};
pub use error::{BoxError, DomainError, ErrorKind, StoreError, Violation};
pub use ids::{MAX_ID, Revision, Rng, SeededRng, capability_token, hex, new_id};
pub use page::{Cursor, CursorError, PAGE_BYTES, Page, PageRequest, Position, page_length};
pub use scope::{Author, Scope, UserId, WorkspaceId};
pub use timer::{InstantTimer, Timer};
