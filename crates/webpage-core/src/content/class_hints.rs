//! Derives the purpose of elements from the class names and ids that authors give.

use html::{Id, Tree};

/// Maximum names of an attribute that are examined. Protects time.
const MAX_NAMES: usize = 24;
/// Maximum bytes of a name that is examined. Protects time.
const MAX_NAME: usize = 60;

/// The purpose of an element, as its class, id and role suggest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassHints(u16);

impl ClassHints {
    /// Menus, breadcrumbs, pagers, side bars.
    pub(crate) const NAVIGATION: Self = Self(1);
    /// Buttons for sharing and following.
    pub(crate) const SHARING: Self = Self(2);
    /// Comments of readers.
    pub(crate) const COMMENTS: Self = Self(4);
    /// Related pages.
    pub(crate) const RELATED: Self = Self(8);
    /// Advertisements, newsletters, banners.
    pub(crate) const PROMOTION: Self = Self(16);
    /// Cookies, copyright, terms.
    pub(crate) const LEGAL: Self = Self(32);
    /// Accounts, carts, search forms.
    pub(crate) const ACCOUNT: Self = Self(64);
    /// Metadata of an article: tags, dates and authors.
    pub(crate) const ABOUT: Self = Self(128);
    /// Hidden elements.
    pub(crate) const HIDDEN: Self = Self(256);
    /// Main content.
    pub(crate) const CONTENT: Self = Self(512);
    /// A message among others.
    pub(crate) const POST: Self = Self(1024);
    /// The author of a message, and the signature below it.
    pub(crate) const PROFILE: Self = Self(2048);
    /// Consent dialogs, which are never content.
    pub(crate) const CONSENT: Self = Self(4096);
    /// Filters of a list.
    pub(crate) const FILTER: Self = Self(16_384);
    /// Elements that look like a button.
    pub(crate) const BUTTON: Self = Self(32_768);
    /// Product reviews.
    pub(crate) const REVIEWS: Self = Self(8192);

    pub(crate) fn contains(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The hints of an element.
    pub(crate) fn of(tree: &Tree<'_>, id: Id) -> Self {
        let mut signs = Self::default();
        for attribute in ["class", "id"] {
            if let Some(value) = tree.raw_attribute(id, attribute) {
                for name in value.split_ascii_whitespace().take(MAX_NAMES) {
                    signs = signs.union(of_name(name));
                }
            }
        }
        let classes = tree.raw_attribute(id, "class").unwrap_or_default();
        if signs.contains(Self::HIDDEN) && classes.split_ascii_whitespace().any(is_for_a_width) {
            signs = signs.difference(Self::HIDDEN);
        }
        match tree.raw_attribute(id, "role") {
            Some("navigation" | "menu" | "menubar" | "toolbar") => signs = signs.union(Self::NAVIGATION),
            Some("search" | "searchbox") => signs = signs.union(Self::ACCOUNT),
            Some("dialog" | "alertdialog" | "tooltip") => signs = signs.union(Self::PROMOTION),
            Some("main") => signs = signs.union(Self::CONTENT),
            _ => {}
        }
        signs
    }
}

/// Whether a class is responsive: it says how an element is displayed on screens of some width, as
/// `md:block`, `d-lg-flex` and `hide@small` do. What is hidden on one is visible on another.
fn is_for_a_width(class: &str) -> bool {
    const WIDTHS: [&str; 12] =
        ["xs", "sm", "md", "lg", "xl", "xxl", "2xl", "small", "medium", "large", "desktop", "tablet"];
    let mut parts = class.split([':', '@', '-']);
    parts.any(|part| WIDTHS.contains(&part))
        && (class.contains('@')
            || ["block", "flex", "grid", "inline", "table"].iter().any(|way| class.ends_with(way)))
}

/// The hints of one class or id. Words are split at hyphens, underscores and camel case.
fn of_name(name: &str) -> ClassHints {
    // Utility classes describe the appearance: `hover:menu`, `[&_nav]`, `lg:hidden`.
    if name.len() > MAX_NAME || name.contains([':', '[', '(', '@', '/', '!']) {
        return ClassHints::default();
    }
    if matches!(
        name,
        "hidden" | "hide" | "invisible" | "d-none" | "is-hidden" | "u-hidden" | "visuallyhidden" | "noprint"
    ) {
        return ClassHints::HIDDEN;
    }
    // The modifier after two hyphens describes the appearance, not the purpose.
    let name = name.split("--").next().unwrap_or(name);
    let words: Vec<String> =
        name.split(['-', '_', '.']).filter(|part| !is_made_up(part)).flat_map(words).collect();
    let mut signs = ClassHints::default();
    for (place, word) in words.iter().enumerate() {
        let next = words.get(place + 1).map_or("", String::as_str);
        signs = signs.union(of_words(word, next));
    }
    // Content words that belong to boilerplate, such as related posts.
    if signs.contains(ClassHints::RELATED.union(ClassHints::PROMOTION)) {
        signs.difference(ClassHints::CONTENT)
    } else {
        signs
    }
}

/// Whether letters follow digits: a generated number in base 16 or 36, such as `38ad5ea`, which has no words.
fn is_made_up(part: &str) -> bool {
    let digit = part.bytes().position(|byte| byte.is_ascii_digit());
    digit
        .and_then(|at| part.get(at..))
        .is_some_and(|rest| rest.bytes().any(|byte| byte.is_ascii_alphabetic()))
}

/// Splits words at camel case and at non-letters.
fn words(part: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for character in part.chars() {
        let hump = character.is_ascii_uppercase() && before.is_ascii_lowercase();
        if (hump || !character.is_ascii_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_ascii_alphabetic() {
            word.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn of_words(word: &str, next: &str) -> ClassHints {
    match (word, next) {
        ("has" | "no" | "with" | "without" | "is", _) => ClassHints::default(),
        ("skip", "link" | "links" | "nav" | "to" | "main" | "content") | ("table", "of") => {
            ClassHints::NAVIGATION
        }
        ("read" | "up" | "also", "next" | "also" | "like")
        | ("cross" | "up", "sell")
        | ("most", "read" | "popular") => ClassHints::RELATED,
        ("you", "may" | "might") | ("more", "from" | "stories" | "articles" | "posts" | "news") => {
            ClassHints::RELATED
        }
        ("sign", "up" | "in") | ("log", "in") => ClassHints::ACCOUNT,
        ("author", "bio" | "box" | "info" | "card" | "about") | ("about", "author") => ClassHints::ABOUT,
        ("entry" | "post" | "article", "meta" | "footer" | "tags" | "info" | "date") => ClassHints::ABOUT,
        ("search", "result" | "results") | ("results", "search") => ClassHints::default(),
        ("pub" | "publish" | "published" | "publication", "date" | "time" | "on")
        | ("posted", "on" | "by" | "in")
        | ("reading" | "read", "time") => ClassHints::ABOUT,
        (
            "user" | "author" | "member",
            "info" | "details" | "extras" | "profile" | "stats" | "title" | "signature" | "banner",
        ) => ClassHints::PROFILE,
        ("sr" | "visually", "only" | "hidden") | ("screen", "reader") => ClassHints::HIDDEN,
        (
            "entry" | "post" | "article" | "story" | "page" | "main" | "body" | "blog" | "news",
            "content" | "body" | "text" | "copy",
        ) => ClassHints::CONTENT,
        _ => of_word(word),
    }
}

fn of_word(word: &str) -> ClassHints {
    match word {
        "nav" | "navbar" | "navigation" | "navi" | "menu" | "menus" | "submenu" | "megamenu"
        | "breadcrumb" | "breadcrumbs" | "crumbs" | "crumb" | "pagination" | "pager" | "paging"
        | "paginator" | "skiplink" | "sidebar" | "sidenav" | "topnav" | "subnav" | "toc" | "toolbar"
        | "masthead" | "topbar" | "offcanvas" | "hamburger" | "headerlink" | "permalink" | "sitemap" => {
            ClassHints::NAVIGATION
        }
        "share" | "sharing" | "social" | "sharedaddy" | "addtoany" | "addthis" | "sociable" | "socials"
        | "sharethis" | "shares" | "sharebar" | "follow" | "socialmedia" => ClassHints::SHARING,
        "comment" | "comments" | "disqus" | "respond" | "commentlist" | "replies" | "commentary" => {
            ClassHints::COMMENTS
        }
        "related" | "recommended" | "recommendation" | "recommendations" | "recommend" | "similar"
        | "suggested" | "suggestions" | "trending" | "popular" | "upsell" | "upsells" | "outbrain"
        | "taboola" | "recirc" | "recirculation" | "crosssell" | "readmore" | "morefrom" => {
            ClassHints::RELATED
        }
        "promo" | "promotion" | "promos" | "newsletter" | "newsletters" | "subscribe" | "subscription"
        | "signup" | "advert" | "advertisement" | "advertising" | "adverts" | "ads" | "ad" | "adsense"
        | "adslot" | "adbox" | "sponsor" | "sponsored" | "sponsors" | "popup" | "modal" | "overlay"
        | "lightbox" | "paywall" | "donate" | "donation" | "optin" | "mailchimp" | "advertisment"
        | "interstitial" | "announcement" | "toast" | "cta" | "ctas" => ClassHints::PROMOTION,
        "review" | "reviews" | "yotpo" | "bazaarvoice" | "okendo" | "loox" | "judgeme" | "testimonials" => {
            ClassHints::REVIEWS
        }
        "btn" | "button" | "buttons" | "btns" => ClassHints::BUTTON,
        "facet" | "facets" | "filter" | "filters" | "refinement" | "refinements" => ClassHints::FILTER,
        "cookie" | "cookies" | "consent" | "gdpr" | "onetrust" | "cookiebot" => ClassHints::CONSENT,
        "copyright" | "legal" | "footer" | "colophon" | "disclosure" => ClassHints::LEGAL,
        "signature" | "postprofile" | "userinfo" | "userdetails" | "poster" | "avatar" => ClassHints::PROFILE,
        "login" | "signin" | "register" | "minicart" | "basket" | "wishlist" | "checkout" | "search"
        | "searchform" | "searchbox" | "searchbar" | "logon" | "cart" => ClassHints::ACCOUNT,
        "byline" | "tags" | "taglist" | "tagcloud" | "authorbox" | "dateline" | "timestamp" | "postmeta"
        | "bio" => ClassHints::ABOUT,
        "screenreader" | "skeleton" => ClassHints::HIDDEN,
        "main" | "content" | "article" | "story" | "maincontent" => ClassHints::CONTENT,
        "message" | "post" | "answer" | "question" | "reply" | "topic" => ClassHints::POST,
        _ => ClassHints::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        assert!(of_name("siteNav-list").contains(ClassHints::NAVIGATION));
        assert!(of_name("post__share_buttons").contains(ClassHints::SHARING));
        assert!(of_name("entry-content").contains(ClassHints::CONTENT));
        assert_eq!(of_name("navy"), ClassHints::default());
        assert_eq!(of_name("has-sidebar").0 & ClassHints::HIDDEN.0, 0);
        assert_eq!(of_name("md:hidden"), ClassHints::default());
        assert_eq!(of_name("element-38ad5ea"), ClassHints::default());
        assert_eq!(of_name("skip-item"), ClassHints::default());
        assert!(of_name("ad-slot1").contains(ClassHints::PROMOTION));
    }
}
