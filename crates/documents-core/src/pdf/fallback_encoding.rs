//! Fallback meanings for codes without a Unicode mapping in their font.
//!
//! Embedded fonts of Chinese, Japanese and Korean often have no `ToUnicode` map, but their character
//! collection defines the codes. Other fonts have no such hint. For those two conventions of programs are
//! tried: codes that are Unicode, and codes that are glyph indices in the usual order of a TrueType font. A
//! result is kept when it looks like text.

use hayro_cmap::{BfString, CMap, CMapName, CidFamily, load_embedded};
use hayro_syntax::object::{Array, Dict, Name, Stream, String as PdfString};
use hayro_syntax::page::{Page, Resources};

/// Minimum codes for a guess. Chosen by hand; no measurement recorded.
const MIN_CODES: usize = 12;
/// Maximum fonts of a page that are examined. Protects time.
const MAX_FONTS: usize = 200;
/// In the usual order of a TrueType font the space has the glyph index 3. A space is U+0020, so codes are
/// shifted by 32 - 3.
const TRUE_TYPE_SHIFT: u32 = 29;

/// The meaning of codes without a map.
pub(super) enum FallbackEncoding {
    /// By a character collection.
    Collection(Box<Collection>),
    /// The character is the code plus an offset.
    Shifted(u32),
}

/// A character collection.
pub(super) struct Collection {
    /// From codes to CIDs; `None` when they are equal.
    encoding: Option<CMap>,
    /// From CIDs to text.
    text: CMap,
}

impl FallbackEncoding {
    /// The meaning of `codes`, which a page drew without a map.
    pub(super) fn of(page: &Page<'_>, codes: &[u32]) -> Option<Self> {
        if codes.is_empty() {
            return None;
        }
        let resources = page.resources();
        let forms = resources.x_objects.entries().take(MAX_FONTS).filter_map(|(name, _)| {
            let form = resources.x_objects.get::<Stream<'_>>(name.as_ref())?;
            form.dict().get::<Dict<'_>>("Resources").map(Resources::new)
        });
        let found = collection(&resources.fonts)
            .or_else(|| forms.into_iter().find_map(|form| collection(&form.fonts)));
        found.or_else(|| {
            [0, TRUE_TYPE_SHIFT].into_iter().find(|shift| looks_like_text(codes, *shift)).map(Self::Shifted)
        })
    }

    pub(super) fn text(&self, code: u32) -> Option<BfString> {
        match self {
            Self::Shifted(shift) => shifted(code, *shift).map(BfString::Char),
            Self::Collection(collection) => collection.text(code),
        }
    }
}

impl Collection {
    fn text(&self, code: u32) -> Option<BfString> {
        let Some(encoding) = &self.encoding else { return self.text.lookup_bf_string(code) };
        // The length of a code is unknown: the shortest that fits is tried first.
        (1..=4_u8)
            .filter(|length| *length == 4 || code >> (8 * u32::from(*length)) == 0)
            .filter_map(|length| encoding.lookup_cid_code(code, length))
            .find_map(|place| self.text.lookup_bf_string(place))
    }
}

/// The first collection of a font without a map.
fn collection(fonts: &Dict<'_>) -> Option<FallbackEncoding> {
    fonts.entries().take(MAX_FONTS).find_map(|(name, _)| {
        let font = fonts.get::<Dict<'_>>(name.as_ref())?;
        if font.contains_key("ToUnicode") {
            return None;
        }
        let descendant = font.get::<Array<'_>>("DescendantFonts")?.iter::<Dict<'_>>().next()?;
        let system = descendant.get::<Dict<'_>>("CIDSystemInfo")?;
        let registry = system.get::<PdfString<'_>>("Registry")?;
        let ordering = system.get::<PdfString<'_>>("Ordering")?;
        let family = CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes());
        let text = CMap::parse(load_embedded(family.ucs2_cmap()?)?, load_embedded)?;
        let encoding = font.get::<Name<'_>>("Encoding").filter(|name| !name.starts_with(b"Identity"));
        let encoding =
            encoding.and_then(|name| CMap::parse(load_embedded(CMapName::from_bytes(&name))?, load_embedded));
        Some(FallbackEncoding::Collection(Box::new(Collection { encoding, text })))
    })
}

fn shifted(code: u32, shift: u32) -> Option<char> {
    char::from_u32(code.checked_add(shift)?).filter(|c| !c.is_control())
}

/// Whether the decoded codes are words: nearly all (19 of 20) letters, digits, spaces and common punctuation
/// below U+0250, the end of the Latin letters; a third of them letters, and these mostly lower-case.
/// Chosen by hand; no measurement recorded.
fn looks_like_text(codes: &[u32], shift: u32) -> bool {
    let (mut usual, mut letters, mut small) = (0, 0, 0);
    for code in codes {
        let Some(c) = shifted(*code, shift).filter(|c| *c < '\u{250}') else { continue };
        usual += usize::from(c.is_alphanumeric() || " .,:;-/()%&@+".contains(c));
        letters += usize::from(c.is_alphabetic());
        small += usize::from(c.is_lowercase());
    }
    codes.len() >= MIN_CODES
        && usual * 20 >= codes.len() * 19
        && small * 2 > letters
        && letters * 3 > codes.len()
}
