//! Prices of tokens and images.

use crate::{Cost, Usage};

/// Prices of a million tokens, in billionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Input tokens.
    pub input: u64,
    /// Input tokens from the vendor's prompt cache; `None` for the price of `input`.
    pub cached: Option<u64>,
    /// Output tokens, reasoning tokens included.
    pub output: u64,
    /// Prices of long requests, where they differ.
    pub long: Option<LongPrice>,
    /// Price of an image in billionths of a US dollar, for models that bill by image instead of by token.
    pub picture: Option<u64>,
}

/// Prices of requests with more input tokens than a limit. They apply to all tokens of such a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongPrice {
    /// Input tokens above which they apply.
    pub above: u32,
    /// Input tokens.
    pub input: u64,
    /// Input tokens from the vendor's prompt cache; `None` for the price of `input`.
    pub cached: Option<u64>,
    /// Output tokens.
    pub output: u64,
}

/// US dollars in the unit of [`Price`].
pub(super) const fn dollars(dollars: f64) -> u64 {
    // A dollar has 10⁹ units (`Cost`); rounded, since binary fractions may lie below.
    (dollars * 1e9 + 0.5) as u64
}

impl Price {
    /// Prices in US dollars of a million input and output tokens. The caller must reject negative values and
    /// NaN.
    #[must_use]
    pub const fn dollars(input: f64, output: f64) -> Self {
        Self { input: dollars(input), cached: None, output: dollars(output), long: None, picture: None }
    }

    /// Sets the price in US dollars of a million input tokens from the prompt cache.
    #[must_use]
    pub const fn cached(self, cached: f64) -> Self {
        Self { cached: Some(dollars(cached)), ..self }
    }

    /// Sets the prices in US dollars of requests with more than `above` input tokens. The price of cached
    /// tokens rises by the same factor as that of input tokens.
    #[must_use]
    pub const fn long(self, above: u32, input: f64, output: f64) -> Self {
        let cached = match self.cached {
            Some(cached) if self.input > 0 => {
                let scaled = cached as u128 * dollars(input) as u128 / self.input as u128;
                Some(scaled as u64)
            }
            _ => None,
        };
        let long = LongPrice { above, input: dollars(input), cached, output: dollars(output) };
        Self { long: Some(long), ..self }
    }

    /// Sets the price of an image in US dollars.
    #[must_use]
    pub const fn picture(self, picture: f64) -> Self {
        Self { picture: Some(dollars(picture)), ..self }
    }

    /// The cost of images; `None` without images, or where they are billed by token.
    pub(crate) fn cost_of_pictures(&self, pictures: u64) -> Option<Cost> {
        let price = self.picture.filter(|_| pictures > 0)?;
        price.checked_mul(pictures).map(Cost)
    }

    /// A price of zero.
    #[must_use]
    pub const fn free() -> Self {
        Self { input: 0, cached: None, output: 0, long: None, picture: None }
    }

    pub(super) fn is_free(&self) -> bool {
        *self == Self::free()
    }

    /// The cost of this usage, rounded up; `None` on overflow.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Option<Cost> {
        let (input, cached, output) = match self.long {
            Some(long) if usage.input_tokens > u64::from(long.above) => {
                (long.input, long.cached, long.output)
            }
            _ => (self.input, self.cached, self.output),
        };
        let from_cache = usage.cached_tokens.min(usage.input_tokens);
        let sum = [
            (usage.input_tokens - from_cache, input),
            (from_cache, cached.unwrap_or(input)),
            (usage.output_tokens, output),
        ]
        .into_iter()
        .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
        .try_fold(0_u128, u128::checked_add)?;
        u64::try_from(sum.div_ceil(1_000_000)).ok().map(Cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input_tokens: u64, cached_tokens: u64, output_tokens: u64) -> Usage {
        Usage { input_tokens, cached_tokens, output_tokens, reasoning_tokens: output_tokens / 2 }
    }

    #[test]
    fn tokens_cost_by_their_kind_and_hidden_ones_are_not_counted_twice() {
        let price = Price::dollars(2.5, 10.0).cached(0.25);
        assert_eq!(price.cost(&usage(1_000_000, 0, 0)).unwrap().dollars(), 2.5);
        assert_eq!(price.cost(&usage(1_000_000, 400_000, 100_000)).unwrap().dollars(), 1.5 + 0.1 + 1.0);
        assert_eq!(Price::dollars(2.5, 10.0).cost(&usage(1_000, 1_000, 0)), Some(Cost(2_500_000)));
    }

    #[test]
    fn long_requests_have_their_own_price_for_all_tokens() {
        let price = Price::dollars(1.0, 2.0).cached(0.25).long(200_000, 2.0, 4.0);
        assert_eq!(price.cost(&usage(200_000, 0, 1_000_000)).unwrap().dollars(), 0.2 + 2.0);
        assert_eq!(price.cost(&usage(200_001, 200_001, 1_000_000)).unwrap(), Cost(4_100_000_500));
    }

    #[test]
    fn the_smallest_price_is_not_lost_and_the_largest_number_is_no_overflow() {
        assert_eq!(Price::dollars(0.0001, 0.0).cost(&usage(1, 0, 0)), Some(Cost(1)));
        assert_eq!(Price::free().cost(&usage(u64::MAX, 0, u64::MAX)), Some(Cost(0)));
        assert_eq!(Price::dollars(1e9, 1e9).cost(&usage(u64::MAX, 9, u64::MAX)), None);
    }

    #[test]
    fn more_cached_than_read_is_no_credit() {
        assert_eq!(Price::dollars(1.0, 0.0).cached(0.5).cost(&usage(10, 1_000, 0)), Some(Cost(5_000)));
    }
}
