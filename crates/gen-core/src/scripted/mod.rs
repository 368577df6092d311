//! Test doubles for callers of models: a model that follows a script, virtual time, and a meter that counts.
//! Behind the feature `scripted`.

mod meter;
mod model;
mod time;

pub use meter::{CountingMeter, MeterLog};
pub use model::{ScriptedModel, text_answer, turn};
pub use time::{VirtualTimer, run, run_until};
