//! Stand-ins for tests of those who call models: a model that follows a script, time that moves when
//! nothing else can, and a meter that counts. Behind the feature `scripted`.

mod meter;
mod model;
mod time;

pub use meter::{CountingMeter, MeterLog};
pub use model::{ScriptedModel, text_answer, turn};
pub use time::{VirtualTimer, run, run_until};
