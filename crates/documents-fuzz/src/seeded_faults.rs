//! Faults injected into the parser, to check that the fuzzer finds them.

use document::{BlockKind, Document};

/// An injected fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeededFault {
    /// A heading of the fifth level or lower panics.
    Panic,
    /// A list in a list in a list loops forever.
    Hang,
    /// A list one level deeper exhausts the memory.
    Memory,
    /// In a document of two tables the last block has a wrong offset.
    Offset,
    /// A second parse of a long text differs from the first.
    Difference,
}

impl SeededFault {
    /// All faults, with their names on the command line.
    pub const ALL: &[(&str, Self)] = &[
        ("panic", Self::Panic),
        ("hang", Self::Hang),
        ("memory", Self::Memory),
        ("offset", Self::Offset),
        ("difference", Self::Difference),
    ];

    /// The fault with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, fault)| *fault)
    }

    /// The value of the option `--planted`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, fault)| *fault == self).map_or("", |(name, _)| name)
    }

    /// Applies the fault to a document.
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
