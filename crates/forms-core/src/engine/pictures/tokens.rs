//! Input tokens of a picture, by the vendors' documentation of vision.

use gen_core::{PICTURE_TOKENS, Provider};

use crate::pictures::PICTURE_SIDE;

/// The sides of an A4 page in points, for pages of unknown size.
const A4: (f32, f32) = (595.0, 842.0);
/// Pixels of a side of the square that is a token for Anthropic's and Mistral's models.
const MERGED_PATCH: u64 = 28;
/// Mistral scales pictures down to this side.
const MISTRAL_SIDE: u64 = 1_540;
/// Pixels of a side of OpenAI's patches, each of which counts 1.2 tokens at most.
const PATCH: u64 = 32;
/// Google divides a picture into squares of two thirds of the shorter side, 256 to 768 pixels, of 258 tokens each.
const TILE: u64 = 768;
const MIN_TILE: u64 = 256;
const TILE_TOKENS: u64 = 258;

/// The tokens of the picture of a page, as its vendor's newest models count them; others count less. `size`: width and
/// height of the page in points, where known.
pub(in super::super) fn picture_tokens(provider: Provider, size: Option<(f32, f32)>) -> u64 {
    let (width, height) = pixels(size.unwrap_or(A4));
    match provider {
        Provider::Anthropic => patches((width, height), MERGED_PATCH),
        Provider::Mistral => {
            let longer = width.max(height).max(MISTRAL_SIDE);
            patches((width * MISTRAL_SIDE / longer, height * MISTRAL_SIDE / longer), MERGED_PATCH)
        }
        Provider::OpenAi => patches((width, height), PATCH) * 6 / 5,
        Provider::Google => {
            patches((width, height), (width.min(height) * 2 / 3).clamp(MIN_TILE, TILE)) * TILE_TOKENS
        }
        Provider::Formwork => PICTURE_TOKENS,
    }
}

/// Width and height of the picture.
fn pixels((width, height): (f32, f32)) -> (u64, u64) {
    let longer = width.max(height).max(1.0);
    let of = |side: f32| (f64::from(side / longer) * f64::from(PICTURE_SIDE)).round().max(1.0) as u64;
    (of(width), of(height))
}

fn patches((width, height): (u64, u64), side: u64) -> u64 {
    width.max(1).div_ceil(side) * height.max(1).div_ceil(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a4_costs_what_the_vendors_say() {
        let tokens = |provider| picture_tokens(provider, Some((595.0, 842.0)));
        // 1,108 by 1,568 pixels.
        assert_eq!(tokens(Provider::Anthropic), 40 * 56);
        assert_eq!(tokens(Provider::OpenAi), 35 * 49 * 6 / 5);
        assert_eq!(tokens(Provider::Google), 2 * 3 * 258);
        assert_eq!(tokens(Provider::Mistral), 39 * 55);
        assert_eq!(tokens(Provider::Formwork), PICTURE_TOKENS);
        assert_eq!(picture_tokens(Provider::OpenAi, None), tokens(Provider::OpenAi));
    }

    #[test]
    fn pages_of_any_size_have_tokens() {
        for size in [(0.0, 0.0), (f32::NAN, 1.0), (1e30, 1.0), (1.0, 1e30), (-1.0, 5.0)] {
            for provider in [Provider::Anthropic, Provider::OpenAi, Provider::Google, Provider::Mistral] {
                assert!(
                    (1..100_000).contains(&picture_tokens(provider, Some(size))),
                    "{size:?} {provider:?}"
                );
            }
        }
    }
}
