//! The pages of a document that is being put together.

use std::collections::VecDeque;

use crate::page::PageProfile;

/// Pages at the beginning and at the end of a part that further pages are compared with. Bounds the time and the memory
/// of a document with thousands of pages. Chosen by hand.
const KEPT: usize = 4;

/// A part and what is known of it so far.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Numbers of its pages.
    pub(super) numbers: Vec<u32>,
    begin: Vec<PageProfile>,
    /// The pages after those of `begin`, the last ones.
    end: VecDeque<PageProfile>,
}

impl Part {
    pub(super) fn push(&mut self, page: PageProfile) {
        self.numbers.push(page.number);
        if self.begin.len() < KEPT {
            self.begin.push(page);
            return;
        }
        if self.end.len() >= KEPT {
            self.end.pop_front();
        }
        self.end.push_back(page);
    }

    pub(super) fn first(&self) -> Option<&PageProfile> {
        self.begin.first()
    }

    pub(super) fn last(&self) -> Option<&PageProfile> {
        self.end.back().or_else(|| self.begin.last())
    }

    /// The pages that are known.
    pub(super) fn pages(&self) -> impl Iterator<Item = &PageProfile> {
        self.begin.iter().chain(&self.end)
    }
}
