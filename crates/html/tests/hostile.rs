//! Texts that mean harm: each takes time linear in its length, and no deep stack.

use html::{Lexer, Token, decode_text};

/// Long enough that quadratic time would take minutes.
const LENGTH: usize = 1 << 18;

#[test]
fn floods_of_anything_end() {
    let pieces = [
        "<p ",
        "<p>",
        "</p",
        "</",
        "<",
        "<!",
        "<!-",
        "<!--",
        "<!---",
        "<?",
        "<![CDATA[",
        "<a b='\" c=\"",
        "<a =",
        "<a/",
        "<title>",
        "<script>",
        "<textarea></title>",
        "<x-y hidden>",
        "</ ",
        "-",
        "--",
        "--!",
        "&",
        "&#",
        "&#x0",
        "&#0",
        "&amp",
        "&CounterClockwiseContourIntegra",
        "&notit;",
        "\"",
        "='",
        "\u{202e}",
        "\0",
        "\r",
    ];
    for before in ["", "<", "<!--", "<p ", "<p a=\"", "<p a='", "<script>", "</p", "&#", "&a"] {
        for piece in pieces {
            let source = format!("{before}{}", piece.repeat(LENGTH / piece.len()));
            let mut lexer = Lexer::new(&source);
            let mut length = 0;
            while let Some(token) = lexer.next() {
                length += match token {
                    Token::Text(text) => decode_text(text).len().min(text.len() * 3),
                    Token::Start(tag) => tag.raw_name.len() + lexer.raw_text(tag.name).len(),
                    Token::End(tag) => tag.raw_name.len(),
                };
            }
            assert!(length <= 3 * source.len(), "{before} {piece}: {length}");
        }
    }
}

#[test]
fn a_tree_has_a_largest_size_and_says_so() {
    let tree = html::parse("<p>a<p>b<p>c", 4);
    assert_eq!((tree.node_count(), tree.is_truncated(), tree.plain(0, 100)), (4, true, "a".to_owned()));
    assert!(!html::parse("<p>a", 4).is_truncated());
}
