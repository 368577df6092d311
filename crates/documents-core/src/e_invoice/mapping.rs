//! What a mapping of a syntax consists of.

/// A syntax of invoices: where its values are.
#[derive(Debug)]
pub(super) struct Syntax {
    /// Canonical names of the outermost element.
    pub(super) roots: &'static [&'static str],
    /// Names of earlier versions, each with the name that the mapping uses.
    pub(super) aliases: &'static [(&'static str, &'static str)],
    /// Path of the currency of amounts without one of their own, from the root or from an invoice.
    pub(super) currency: &'static str,
    /// Groups of the whole file.
    pub(super) groups: &'static [Group],
    /// Path of the invoices of a file that may contain several, with the groups of each.
    pub(super) invoices: Option<(&'static str, &'static [Group])>,
}

/// A group of business terms, written under a heading.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) heading: &'static str,
    /// Paths of its elements; empty for the element that contains the group.
    pub(super) at: &'static [&'static str],
    pub(super) layout: Layout,
    /// Its fields: the number of the term, and its value from an element of the group.
    pub(super) fields: &'static [(&'static str, Value)],
}

/// How a group is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// A line `name: value` for each value.
    Lines,
    /// A row for each element, with the terms that have a value as columns.
    Table,
}

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// All elements of a path.
    Path(&'static str),
    /// The first that has a value.
    First(&'static [Value]),
    /// All that have a value, as one text with this separator.
    Joined(&'static str, &'static [Value]),
}
