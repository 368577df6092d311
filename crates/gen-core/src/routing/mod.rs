//! The way of a request to a model that answers it: places, circuits, limits of time, retries,
//! fallbacks, the books. It knows models by their ports alone.

mod answer;
mod attempt;
mod backend;
mod bill;
mod circuit;
mod decide;
mod drive;
mod gate;
mod gateway;
mod live;
mod nearest;
mod observe;
mod operations;
mod pace;
mod policy;

pub use answer::{GenEvent, GenEvents, Generated, StreamEnd, Transcript};
pub use backend::{Backend, ServerName, ServerNameError, Upstream};
pub use observe::{Incident, Observer, Unobserved};
pub use policy::{Capacity, CircuitSettings, Retry, Timeouts};

pub(crate) use backend::{Route, Routes, Target};
pub(crate) use drive::run;
pub(crate) use gateway::Gateway;
pub(crate) use live::pass_on;
pub(crate) use nearest::{nearest, told};
pub(crate) use operations::{Ask, Draw, Embed, Open, Speak, used, used_by_pictures, used_by_speech};
pub(crate) use pace::Pace;
