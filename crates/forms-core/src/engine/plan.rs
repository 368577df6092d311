//! Which documents go into which call, and what a model may be asked.

use gen_core::ModelId;

/// How a group is put to a model.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// For each call, the documents it reads, by index in the group.
    pub(super) calls: Vec<Vec<usize>>,
    /// Whether the model can make use of being told what was wrong.
    pub(super) asks_again: bool,
}

impl Plan {
    /// The built-in model costs nothing, so it reads each document by itself, which shows where
    /// documents disagree; being asked again it would answer the same. Other models read the whole
    /// group at once: they can weigh one document against another.
    pub(super) fn new(model: &ModelId, documents: usize) -> Self {
        let all = (0..documents).collect::<Vec<_>>();
        match model.is_extractive() {
            _ if documents == 0 => Self { calls: Vec::new(), asks_again: false },
            true => Self { calls: all.chunks(1).map(<[usize]>::to_vec).collect(), asks_again: false },
            false => Self { calls: vec![all], asks_again: true },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_model_reads_one_document_a_call_and_others_the_group() {
        let own = Plan::new(&ModelId::extractive(), 2);
        assert_eq!(own, Plan { calls: vec![vec![0], vec![1]], asks_again: false });
        let other = Plan::new(&"m@openai".parse().unwrap(), 2);
        assert_eq!(other, Plan { calls: vec![vec![0, 1]], asks_again: true });
        assert_eq!(Plan::new(&"m@openai".parse().unwrap(), 0).calls, Vec::<Vec<usize>>::new());
    }
}
