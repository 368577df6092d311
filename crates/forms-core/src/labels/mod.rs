//! Labels of printed text: its lines, the labels beside and above a position, and how well a label fits a field.

mod checkboxes;
mod concepts;
mod labelled_lines;
mod lines;
mod position;
mod printed_answers;
mod reader;
mod vocabulary;

pub use checkboxes::{Checkbox, boxes};
pub use concepts::{Concepts, Word, concepts, fit, stands_for, words};
pub use labelled_lines::{LabelledValue, labelled_values};
pub use lines::{Line, Segment, TextLines};
pub use position::{above_label, label_fit, left_label, sectioned_fit};
pub use printed_answers::PrintedAnswer;
pub use reader::{FieldWords, LabelReader, is_label};
pub use vocabulary::{DATE_QUALIFIERS, PARTY_QUALIFIERS};
