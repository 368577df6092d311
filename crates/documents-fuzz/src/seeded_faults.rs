//! Faults put into the parser on purpose, to see that they are found.

use documents_core::{BlockKind, Document};

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeededFault {
    /// A heading of the fifth level or a lower one is a panic.
    Panic,
    /// A list in a list in a list is read for ever.
    Hang,
    /// A list one level deeper takes all memory.
    Memory,
    /// A document of two tables has its last block in the wrong place.
    Offset,
    /// What is read twice differs, where the text is long.
    Difference,
}

impl SeededFault {
    /// All faults, by the names that the command line takes.
    pub const ALL: &[(&str, Self)] = &[
        ("panic", Self::Panic),
        ("hang", Self::Hang),
        ("memory", Self::Memory),
        ("offset", Self::Offset),
        ("difference", Self::Difference),
    ];

    /// The fault of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, fault)| *fault)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, fault)| *fault == self).map_or("", |(name, _)| name)
    }

    /// Does to a document what the fault does.
    #[expect(clippy::panic, reason = "that is the fault")]
    pub(crate) fn apply(self, document: &mut Document, again: bool) {
        let tables =
            document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Table { .. })).count();
        let blocks = &mut document.blocks;
        match self {
            Self::Panic if blocks.iter().any(|block| is_low(&block.kind)) => panic!("planted"),
            Self::Hang if blocks.iter().any(|block| is_deep(&block.kind, 1)) => loop {
                std::hint::spin_loop();
            },
            Self::Memory if blocks.iter().any(|block| is_deep(&block.kind, 2)) => {
                let mut all: Vec<Vec<u8>> = Vec::new();
                loop {
                    all.push(vec![1; 64 << 20]);
                }
            }
            Self::Offset if tables > 1 => {
                if let Some(block) = blocks.last_mut() {
                    block.end += 10;
                }
            }
            Self::Difference if again && document.text.len() > 20_000 => document.text.push('!'),
            _ => {}
        }
    }
}

fn is_low(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Heading { level } if *level > 4)
}

fn is_deep(kind: &BlockKind, least: u8) -> bool {
    matches!(kind, BlockKind::ListItem { depth, .. } if *depth > least)
}
