//! Reading vendors' JSON without trusting it.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};

/// The first `N` items of a list; the others are read over, so that a list of millions of empty
/// objects takes no memory. `null` is an empty list. For `#[serde(deserialize_with)]` beside
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

#[cfg(test)]
mod tests {
    use serde::Deserialize;

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
}
