//! A field of a proposed schema, with the print that suggests it.

/// Example values of a field.
const MAX_EXAMPLES: usize = 3;
/// Characters of an example. Bounds the answer.
const MAX_EXAMPLE: usize = 200;

/// Where a field of a proposed schema is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedField {
    /// JSON pointer into the schema, such as `/rows/items/properties/price`.
    pub path: String,
    /// The label or column head as printed.
    pub label: String,
    /// In how many of the documents it stands.
    pub documents: usize,
    /// Values that they print.
    pub examples: Vec<String>,
}

/// Distinct values as examples.
pub(super) fn examples<'v>(values: impl Iterator<Item = &'v str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for value in values.filter(|value| value.chars().nth(MAX_EXAMPLE).is_none()) {
        if found.len() < MAX_EXAMPLES && !found.iter().any(|known| known == value) {
            found.push(value.to_owned());
        }
    }
    found
}
