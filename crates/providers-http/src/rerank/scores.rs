//! Reads the scores of an answer.

use gen_core::{Fault, ProviderError};
use serde::Deserialize;

use crate::lenient::{Count, Scalar, first};

/// Maximum number of texts per call.
pub(super) const MOST: usize = 256;
/// Entries that are read: one more than texts, so that too many are noticed.
const ENTRIES: usize = MOST + 1;

/// Answer of `POST …/rerank`: `results`, in Voyage's interface `data`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RerankAnswer {
    #[serde(default, alias = "data", deserialize_with = "first::<ENTRIES, _, _>")]
    pub(super) results: Vec<RerankEntry>,
    #[serde(default)]
    usage: Option<TokenCounts>,
    #[serde(default)]
    meta: Option<AnswerMeta>,
}

/// Answer of TEI.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct RerankList {
    #[serde(deserialize_with = "first::<ENTRIES, _, _>")]
    results: Vec<RerankEntry>,
}

impl From<RerankList> for RerankAnswer {
    fn from(RerankList { results }: RerankList) -> Self {
        Self { results, ..Self::default() }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct RerankEntry {
    #[serde(default)]
    index: Scalar,
    #[serde(default)]
    relevance_score: Scalar,
    #[serde(default)]
    score: Scalar,
}

/// Cohere's.
#[derive(Debug, Deserialize)]
struct AnswerMeta {
    #[serde(default)]
    tokens: Option<TokenCounts>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct TokenCounts {
    #[serde(default)]
    input_tokens: Count,
    #[serde(default)]
    prompt_tokens: Count,
    #[serde(default)]
    total_tokens: Count,
}

impl RerankAnswer {
    /// The input tokens that the provider reports; some only say how many there were in all.
    pub(super) fn input_tokens(&self) -> Option<u64> {
        let meta = self.meta.as_ref().and_then(|meta| meta.tokens);
        let TokenCounts { input_tokens, prompt_tokens, total_tokens } = self.usage.or(meta)?;
        [input_tokens, prompt_tokens, total_tokens].into_iter().filter_map(|count| count.0).max()
    }

    /// The scores of `texts` texts in order. A wrong answer is an error: half of the scores would be an order
    /// that only looks right.
    pub(super) fn scores(self, texts: usize) -> Result<Vec<f32>, ProviderError> {
        let wrong = |message: String| ProviderError::new(Fault::Protocol, message);
        if self.results.len() != texts {
            let given = self.results.len();
            return Err(wrong(format!("the provider gave {given} scores for {texts} texts")));
        }
        let mut ordered: Vec<Option<f32>> = vec![None; texts];
        for entry in self.results {
            let free =
                entry.place(texts).and_then(|index| ordered.get_mut(index)).filter(|place| place.is_none());
            let place = free.ok_or_else(|| wrong("the provider numbered its scores wrongly".to_owned()))?;
            let score = entry.number().map(|score| score as f32).filter(|score| score.is_finite());
            let score =
                score.ok_or_else(|| wrong("the provider gave a score that is no number".to_owned()))?;
            *place = Some(score);
        }
        Ok(ordered.into_iter().flatten().collect())
    }
}

impl RerankEntry {
    /// The index of its text. A fraction is none: what is rounded may be that of another text.
    fn place(&self, texts: usize) -> Option<usize> {
        let Scalar::Number(index) = self.index else { return None };
        (0..texts).find(|place| *place as f64 == index)
    }

    fn number(&self) -> Option<f64> {
        [&self.relevance_score, &self.score].into_iter().find_map(|score| match score {
            Scalar::Number(number) => Some(*number),
            Scalar::None | Scalar::Flag(_) | Scalar::Text(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(answer: Value, texts: usize) -> Result<Vec<f32>, ProviderError> {
        serde_json::from_value::<RerankAnswer>(answer).unwrap().scores(texts)
    }

    fn entry(index: i64, score: f64) -> Value {
        json!({"index": index, "relevance_score": score})
    }

    #[test]
    fn scores_are_in_the_order_of_the_texts() {
        let sorted = json!({"results": [entry(1, 0.5), entry(0, 0.25), entry(2, -3.0)]});
        assert_eq!(read(sorted, 3).unwrap(), [0.25, 0.5, -3.0]);
        assert_eq!(read(json!({"data": [entry(0, 1.0)]}), 1).unwrap(), [1.0]);
        let list = json!([{"index": 1, "score": 2}, {"index": 0, "score": 1e-12}]);
        let list: RerankAnswer = serde_json::from_value::<RerankList>(list).unwrap().into();
        assert_eq!(list.scores(2).unwrap(), [1e-12, 2.0]);
    }

    #[test]
    fn scores_that_are_missing_repeated_out_of_range_or_no_numbers_are_refused() {
        for results in [
            json!([]),
            json!(null),
            json!([entry(0, 1.0)]),
            json!([entry(0, 1.0), entry(1, 1.0), entry(1, 1.0)]),
            json!([entry(0, 1.0), entry(0, 1.0)]),
            json!([entry(0, 1.0), entry(2, 1.0)]),
            json!([entry(0, 1.0), entry(-1, 1.0)]),
            json!([entry(0, 1.0), {"relevance_score": 1.0}]),
            json!([entry(0, 1.0), {"index": 1.5, "relevance_score": 1.0}]),
            json!([entry(0, 1.0), {"index": 1}]),
            json!([entry(0, 1.0), {"index": 1, "relevance_score": null}]),
            json!([entry(0, 1.0), {"index": 1, "relevance_score": "NaN"}]),
            json!([entry(0, 1.0), entry(1, 1e300)]),
        ] {
            let error = read(json!({ "results": results }), 2).unwrap_err();
            assert_eq!(error.fault, Fault::Protocol, "{results}");
        }
        let many: Vec<Value> = (0..10_000).map(|index| entry(index, 1.0)).collect();
        assert!(read(json!({ "results": many }), MOST).is_err());
    }

    #[test]
    fn tokens_are_read_from_each_vendors_place() {
        let told = |answer: Value| serde_json::from_value::<RerankAnswer>(answer).unwrap().input_tokens();
        assert_eq!(told(json!({"usage": {"total_tokens": 26}})), Some(26));
        assert_eq!(told(json!({"usage": {"prompt_tokens": 0, "total_tokens": 815}})), Some(815));
        assert_eq!(told(json!({"meta": {"tokens": {"input_tokens": 7, "output_tokens": 0}}})), Some(7));
        assert_eq!(told(json!({"meta": {"billed_units": {"search_units": 1}}})), None);
    }
}
