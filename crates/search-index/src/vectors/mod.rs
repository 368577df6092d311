//! The vector index, in memory: an exact scan of quantised vectors, and for large bases a graph that is built
//! in the background. It knows no words and no workspaces.

mod block;
mod codes;
mod entry;
mod graph;
mod index;
mod rows;
#[cfg(test)]
mod rows_alone;
mod shard;
mod snapshot;
mod stream;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod top;
mod view;

pub use index::{InMemoryVectorIndex, VectorSettings};
