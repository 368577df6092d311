//! Lenient, bounded deserialisation of vendors' JSON.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The first `N` items of a list. Further items are skipped, so that a list of millions of empty objects
/// takes no memory. `null` is an empty list. For `#[serde(deserialize_with)]` together with
/// `#[serde(default)]`.
pub(crate) fn first<'de, const N: usize, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_any(First::<N, T>(PhantomData))
}

struct First<const N: usize, T>(PhantomData<T>);

impl<'de, const N: usize, T: Deserialize<'de>> Visitor<'de> for First<N, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while items.len() < N {
            match list.next_element()? {
                Some(item) => items.push(item),
                None => return Ok(items),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(items)
    }
}

/// A string, or the text parts of a list such as `[{"type":"text","text":"…"}]`. Other parts (a model's
/// thoughts) are skipped. Any other value is no text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) Option<String>);

/// A non-negative integer; `None` for any other value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count(pub(crate) Option<u64>);

/// Names of capabilities: the items of a list, or the keys of an object whose values are `true`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

/// Maximum number of names. Bounds the time of hostile answers.
const MOST_NAMES: usize = 64;

/// A flag; any value but `true` is false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flag(pub(crate) bool);

#[derive(serde::Deserialize)]
struct TextPart {
    #[serde(default)]
    r#type: Scalar,
    #[serde(default)]
    text: Scalar,
}

/// A string, number or boolean; `None` for any other value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Scalar {
    #[default]
    None,
    Flag(bool),
    Number(f64),
    Text(String),
}

impl Scalar {
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::None | Self::Flag(_) | Self::Number(_) => None,
        }
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::None)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Flag(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Scalar, E> {
        Ok(Scalar::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::None)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Scalar::deserialize(deserializer)? {
            // A number of tokens beyond 2^53 is invalid.
            Scalar::Number(number) if (0.0..=9.0e15).contains(&number) => Some(number as u64),
            _ => None,
        }))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Scalar::deserialize(deserializer)? == Scalar::Flag(true)))
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or a list of parts")
    }

    fn visit_unit<E>(self) -> Result<Text, E> {
        Ok(Text(None))
    }

    fn visit_str<E>(self, value: &str) -> Result<Text, E> {
        Ok(Text(Some(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Text, E> {
        Ok(Text(Some(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text, A::Error> {
        let mut whole = String::new();
        while let Some(part) = list.next_element::<TextPart>()? {
            if part.r#type == Scalar::Text("text".to_owned()) {
                whole.push_str(&part.text.text().unwrap_or_default());
            }
        }
        Ok(Text(Some(whole)))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names or an object of flags")
    }

    fn visit_unit<E>(self) -> Result<Names, E> {
        Ok(Names::default())
    }

    fn visit_str<E>(self, value: &str) -> Result<Names, E> {
        Ok(Names(vec![value.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Names, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element::<Scalar>()? {
            names.extend(name.text().filter(|_| names.len() < MOST_NAMES));
        }
        Ok(Names(names))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
        let mut names = Vec::new();
        while let Some((name, flag)) = map.next_entry::<String, Flag>()? {
            if flag.0 && names.len() < MOST_NAMES {
                names.push(name);
            }
        }
        Ok(Names(names))
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NamesVisitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, from_value, json};

    use super::*;

    #[derive(Deserialize)]
    struct Answer {
        #[serde(default, deserialize_with = "super::first::<2, _, _>")]
        list: Vec<u8>,
    }

    fn list(json: &str) -> Option<Vec<u8>> {
        serde_json::from_str::<Answer>(json).ok().map(|answer| answer.list)
    }

    #[test]
    fn a_list_is_read_up_to_its_limit() {
        assert_eq!(list(r#"{"list": [1, 2, {"x": []}, "y"]}"#), Some(vec![1, 2]));
        assert_eq!(list(r#"{"list": null}"#), Some(vec![]));
        assert_eq!(list("{}"), Some(vec![]));
        assert_eq!(list(r#"{"list": 7}"#), None);
    }

    #[test]
    fn text_is_a_string_or_the_text_parts_of_a_list() {
        let text = |value: Value| from_value::<Text>(value).ok().and_then(|text| text.0);
        assert_eq!(text(json!("a")), Some("a".into()));
        assert_eq!(text(json!(null)), None);
        let parts = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
            {"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "text", "text": 7}]);
        assert_eq!(text(parts), Some("ab".into()));
        assert_eq!(text(json!({"a": 1})), None);
    }

    #[test]
    fn a_count_is_a_number_that_can_be_one() {
        for (value, count) in [
            (json!(7), Some(7)),
            (json!(7.0), Some(7)),
            (json!(-1), None),
            (json!(1e300), None),
            (json!("7"), None),
            (json!([[1]]), None),
            (json!({"a": {}}), None),
            (json!(null), None),
        ] {
            assert_eq!(from_value::<Count>(value.clone()).unwrap().0, count, "{value}");
        }
    }

    #[test]
    fn names_come_from_a_list_or_from_flags() {
        let names = |value| from_value::<Names>(value).unwrap().0;
        assert_eq!(names(json!(["a", 1, "b"])), ["a", "b"]);
        assert_eq!(names(json!({"a": true, "b": false, "c": 1, "d": true})), ["a", "d"]);
        assert!(names(json!(null)).is_empty());
    }
}
