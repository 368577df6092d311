//! What every crate of the workspace shares: who asks ([`Scope`]), what time it is ([`Clock`]),
//! where identifiers come from ([`IdSource`]), how lists are cut ([`PageRequest`], [`Page`]) and
//! what can go wrong ([`ErrorKind`], [`StoreError`]).
//!
//! It knows nothing of HTTP, SQL, vendors or any single resource, and stays small.

mod clock;
mod error;
mod ids;
mod page;
mod scope;

pub use clock::{Clock, FixedClock, SystemClock, Timestamp};
pub use error::{BoxError, DomainError, ErrorKind, StoreError, Violation};
pub use ids::{IdSource, Revision, SeededIds, capability_token, new_id};
pub use page::{Cursor, CursorError, Page, PageRequest, Position};
pub use scope::{Author, Scope, UserId, WorkspaceId};
