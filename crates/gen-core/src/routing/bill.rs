//! Tokens before and after a call, and what they come to.

use crate::{ChatRequest, Cost, Message, Part, Spend, Usage};

/// Characters to a token, where nobody has counted: the vendors' own rule of thumb for English.
const CHARS_PER_TOKEN: u64 = 4;

/// Tokens of so many characters.
pub(crate) fn tokens(chars: u64) -> u64 {
    chars.div_ceil(CHARS_PER_TOKEN)
}

/// Characters of a text.
pub(crate) fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

/// Tokens that a request has about, over all its parts.
pub(crate) fn input(request: &ChatRequest) -> u64 {
    let system = request.system.as_deref().map_or(0, chars);
    let schema = request.response_schema.as_ref().map_or(0, |schema| chars(&schema.schema.to_string()));
    let messages: u64 = request.messages.iter().map(message).sum();
    tokens(system.saturating_add(schema).saturating_add(messages))
}

fn message(message: &Message) -> u64 {
    let part = |part: &Part| match part {
        Part::Text(text) => chars(text),
        Part::Document { name, description, text } => {
            chars(name) + description.as_deref().map_or(0, chars) + chars(text)
        }
    };
    message.parts.iter().map(part).sum()
}

/// What all attempts of a request cost together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bill {
    pub(crate) usage: Usage,
    /// `None` once a price was not known.
    pub(crate) cost: Option<Cost>,
}

impl Default for Bill {
    fn default() -> Self {
        Self { usage: Usage::default(), cost: Some(Cost(0)) }
    }
}

impl Bill {
    /// Adds an attempt.
    pub(crate) fn add(&mut self, spend: Spend) {
        self.usage += spend.usage;
        self.cost = match (self.cost, spend.cost) {
            (Some(mut sum), Some(cost)) => {
                sum += cost;
                Some(sum)
            }
            _ => None,
        };
    }
}

impl From<Bill> for Spend {
    fn from(bill: Bill) -> Self {
        Self { usage: bill.usage, cost: bill.cost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ResponseSchema, Role};

    #[test]
    fn input_tokens_are_a_quarter_of_the_characters_of_all_parts_rounded_up() {
        let document =
            Part::Document { name: "ab".into(), description: Some("cd".into()), text: "éé".into() };
        let request = ChatRequest {
            system: Some("1234".into()),
            messages: vec![Message { role: Role::User, parts: vec![Part::Text("12345".into()), document] }],
            ..ChatRequest::default()
        };
        assert_eq!(input(&request), 4);
        let schema = Some(ResponseSchema { name: "n".into(), schema: serde_json::json!({"a": 1}) });
        assert_eq!(input(&ChatRequest { response_schema: schema, ..request }), 6);
        assert_eq!(input(&ChatRequest::default()), 0);
    }

    #[test]
    fn one_unknown_price_makes_the_whole_cost_unknown() {
        let used = Usage { input_tokens: 3, ..Usage::default() };
        let mut bill = Bill::default();
        bill.add(Spend { usage: used, cost: Some(Cost(5)) });
        assert_eq!((bill.usage.input_tokens, bill.cost), (3, Some(Cost(5))));
        bill.add(Spend { usage: used, cost: None });
        bill.add(Spend { usage: used, cost: Some(Cost(5)) });
        assert_eq!((bill.usage.input_tokens, bill.cost), (9, None));
    }
}
