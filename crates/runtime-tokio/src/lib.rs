#![doc = include_str!("../README.md")]

mod offload;
mod rng;
mod spawn;
mod timer;

pub use offload::TokioOffload;
pub use rng::SystemRng;
pub use spawn::TokioSpawn;
pub use timer::TokioTimer;
