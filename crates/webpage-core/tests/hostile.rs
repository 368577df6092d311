//! Pages that mean harm: each ends, soon, with an answer of a bounded size.

use webpage_core::{PageLimits, WebPage, parse_page};

const URL: &str = "https://harbour.example/a/b";

fn page(html: &str) -> WebPage {
    parse_page(html.as_bytes(), URL, None, &PageLimits::default())
}

#[test]
fn deep_nesting_needs_no_deep_stack() {
    // The stack of a thread of tests is small.
    for tag in [
        "div",
        "b",
        "a href=/x",
        "table><tr><td",
        "ul><li",
        "blockquote",
        "span",
        "article",
        "svg",
        "x-y",
        "p",
    ] {
        let page = page(&format!("<p>Before it.{}<p>After it.", format!("<{tag}>").repeat(100_000)));
        assert!(page.body.len() < 1 << 20, "{tag}: {}", page.body.len());
        assert!(page.body.contains("Before it."), "{tag}");
    }
    let closed = format!("{}x{}", "<div>".repeat(100_000), "</div>".repeat(100_000));
    assert_eq!(page(&closed).body, "x");
}

#[test]
fn floods_of_anything_end() {
    let floods = [
        "a=1 ".repeat(1 << 16),
        "<p ".repeat(1 << 16),
        "<a b='\" c=\"".repeat(1 << 14),
        "<title>".repeat(1 << 15),
        "<!--".repeat(1 << 16),
        "<![CDATA[".repeat(1 << 15),
        "&".repeat(1 << 18),
        "&amp;&#x1F600;&CounterClockwiseContourIntegral;".repeat(1 << 12),
        "&#".repeat(1 << 16),
        "</".repeat(1 << 16),
        "<script>".repeat(1 << 15),
        "<a href=/x>y".repeat(1 << 13),
        "<h2>Related</h2>".repeat(1 << 11),
        "<div class='nav menu share'>".repeat(1 << 12),
        "<li>".repeat(1 << 14),
        "<td>".repeat(1 << 14),
        "<meta name=a content=b>".repeat(1 << 12),
        "<img src=/x alt=y>".repeat(1 << 12),
        "`".repeat(1 << 16),
        "[](".repeat(1 << 16),
        "\u{202e}".repeat(1 << 16),
        "<base href=//x>".repeat(1 << 12),
        "<iframe src=/x>".repeat(1 << 12),
        "<dl><dt>a<dd>b".repeat(1 << 12),
        "<noscript>javascript".repeat(1 << 12),
        "<span>More".repeat(1 << 14),
        "<p>Words that are the same in each of them. ".repeat(1 << 13),
        "<button aria-controls=x id=x hidden>".repeat(1 << 12),
    ];
    let limits = PageLimits::default();
    for flood in floods {
        let name: String = flood.chars().take(24).collect();
        for html in [flood.clone(), format!("<p>{flood}"), format!("<div {flood}>Words</div>")] {
            let page = page(&html);
            assert!(page.body.len() <= limits.body_bytes, "{name}");
            assert!(page.links.len() <= limits.links, "{name}");
            assert!(page.title.chars().count() <= limits.title_chars + 1, "{name}");
        }
    }
}

#[test]
fn a_limit_cuts_and_is_told() {
    let words = "<p>Some words of a page.".repeat(1_000);
    let limits = PageLimits { body_bytes: 500, ..PageLimits::default() };
    let cut = parse_page(words.as_bytes(), URL, None, &limits);
    assert!(cut.truncated && cut.body.len() <= 500 && cut.body.starts_with("Some words"));
    let limits = PageLimits { nodes: 100, ..PageLimits::default() };
    assert!(parse_page(words.as_bytes(), URL, None, &limits).truncated);
    let limits = PageLimits { html_bytes: 300, ..PageLimits::default() };
    assert!(parse_page(words.as_bytes(), URL, None, &limits).truncated);
    assert!(!page(&words).truncated);
}

#[test]
fn nothing_but_the_web_is_linked() {
    let targets = [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " java\nscript:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://a.example/x",
        "ftp://a.example/x",
        "http://",
        "https:///",
    ];
    for target in targets {
        let page = page(&format!(
            "<base href='{target}'><meta property=og:image content='{target}'><main><p>Words and <a href='{target}'>a link \
             of them</a> <img src='{target}' alt='a picture'></main>"
        ));
        assert!(page.links.is_empty(), "{target}: {:?}", page.links);
        assert!(!page.body.contains("]("), "{target}: {}", page.body);
        assert!(
            page.image.as_ref().is_none_or(|image| image.starts_with("https://")),
            "{target}: {:?}",
            page.image
        );
    }
    let page = page("<main><p>Words and <a href='https://ada:secret@a.example/x'>a link of them</a></main>");
    assert_eq!(page.body, "Words and [a link of them](https://a.example/x)");
}

#[test]
fn text_is_no_markup() {
    let page = page(
        "<main><p>&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1)) <p># no heading<p>- no item</main>",
    );
    assert_eq!(
        page.body,
        "\\<script>alert(1)\\</script> [x]\\(javascript:alert(1))\n\n\\# no heading\n\n\\- no item"
    );
    let code = self::page("<main><pre>```\n# end\n````</pre></main>");
    assert_eq!(code.body, "`````\n```\n# end\n````\n`````");
}

#[test]
fn one_line_is_one_line_without_tricks() {
    let page = page(
        "<title>Pay\u{202e}gnp\u{202c}\r\n<b>now</b>\u{0}\u{7}\u{feff}</title><meta name=author content='A\u{2066}da\nMarsh'>\
         <p>Words <a href=/x title='t'>of\u{202e} a\nlink</a> here",
    );
    assert_eq!(page.title, "Paygnp <b>now</b>");
    assert_eq!(page.author.as_deref(), Some("Ada Marsh"));
    assert_eq!(page.links.first().map(|link| link.title.as_str()), Some("of a link"));
}

#[test]
fn any_bytes_are_a_page() {
    // A linear congruential generator: the same bytes in every run.
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    for kind in
        [None, Some("text/html; charset=utf-16"), Some("text/html; charset=iso-2022-jp"), Some("charset=x")]
    {
        for _ in 0..50 {
            let mut bytes = b"<title>t</title><p>".to_vec();
            bytes.extend(std::iter::repeat_with(&mut next).take(2_000));
            let page = parse_page(&bytes, "not an address", kind, &PageLimits::default());
            assert!(page.links.is_empty());
        }
    }
    assert_eq!(parse_page(b"", "", None, &PageLimits::default()), WebPage::default());
}

#[test]
fn structured_data_is_bounded_too() {
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let wide = format!("[{}]", vec!["{\"@type\": \"Article\", \"name\": \"n\"}"; 50_000].join(","));
    let authors =
        format!("{{\"@type\": \"Article\", \"author\": [{}]}}", vec!["{\"name\": \"A\"}"; 50_000].join(","));
    for data in [nested, wide, authors] {
        let page = page(&format!("<script type=application/ld+json>{data}</script><p>Words of the page."));
        assert!(page.body.len() < 1 << 20, "{}", page.body.len());
        assert!(page.author.is_none_or(|author| author.len() < 1_000));
    }
}
