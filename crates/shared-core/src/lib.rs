#![doc = include_str!("../README.md")]

mod backoff;
mod clock;
mod error;
mod ids;
mod keyed_locks;
mod live_count;
mod offload;
mod page;
mod scope;
mod single_flight;
mod spawn;
mod timer;
mod ttl_cache;

pub use backoff::Backoff;
pub use clock::{Clock, FixedClock, SystemClock, Timestamp};
pub use error::{BoxError, DomainError, ErrorKind, StoreError, Violation};
pub use ids::{MAX_ID, Revision, Rng, SeededRng, capability_token, hex, new_id};
pub use keyed_locks::{KeyedGuard, KeyedLocks};
pub use live_count::{LiveCount, LiveGuard};
pub use offload::{InlineOffload, Offload, offload};
pub use page::{Cursor, CursorError, PAGE_BYTES, Page, PageRequest, Position, page_length};
pub use scope::{Author, Scope, UserId, WorkspaceId};
pub use single_flight::{Flight, SingleFlight};
pub use spawn::{Spawn, spawn_with_result};
pub use timer::{InstantTimer, Timer};
pub use ttl_cache::{Capacity, TtlCache};
