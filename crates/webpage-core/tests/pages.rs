//! What becomes of pages.

use webpage_core::{LinkKind, PageKind, PageLimits, WebPage, parse_page};

const URL: &str = "https://www.harbour.example/news/cod.html";
const LONG: &str = "The boats of the harbour brought in more cod in March than in any month of the last ten years, and \
    the quay was full of people who came to look at it, to buy some of it, and to hear what the skippers had to tell.";

fn page(html: &str) -> WebPage {
    parse_page(html.as_bytes(), URL, Some("text/html; charset=utf-8"), &PageLimits::default())
}

fn body(inner: &str) -> String {
    page(&format!("<main>{inner}</main>")).body
}

#[test]
fn blocks_become_markdown() {
    assert_eq!(
        body("<h2>Fish <em>of</em> March</h2><p>Cod<br>and hake."),
        "## Fish *of* March\n\nCod\nand hake."
    );
    assert_eq!(
        body("<ul><li>Cod<li>Hake<ul><li>small<li>large</ul><li><p>Eel</ul>"),
        "- Cod\n- Hake\n  - small\n  - large\n- Eel"
    );
    assert_eq!(body("<ol start=3><li>Third<li>Fourth</ol>"), "3. Third\n4. Fourth");
    assert_eq!(body("<blockquote><p>So it is.<p>Said he.</blockquote>"), "> So it is.\n\n> Said he.");
    assert_eq!(
        body("<pre class='language-rust'><code>let a = 1;\n  let b = `c`;\n</code></pre>"),
        "```rust\nlet a = 1;\n  let b = `c`;\n```"
    );
    assert_eq!(body("<p>Use <code>a|b</code>, <b>not</b> <i>c</i>."), "Use `a|b`, **not** *c*.");
    assert_eq!(body("<dl><dt>Cod<dd>A fish<dt>Quay<dd>A wall</dl>"), "**Cod**: A fish\n\n**Quay**: A wall");
}

#[test]
fn tables_of_data_are_tables_and_frames_are_not() {
    let data = "<table><tr><th>Fish<th>Kilos<tr><td>Cod | large<td><b>412</b><tr><td colspan=2>none</table>";
    assert_eq!(body(data), "| Fish | Kilos |\n| --- | --- |\n| Cod \\| large | **412** |\n| none |  |");
    let frame = "<table><tr><td><h1>News</h1><p>Words of it.</table>";
    assert_eq!(body(frame), "# News\n\nWords of it.");
}

#[test]
fn values_stay_in_their_columns_beside_cells_that_span_rows_and_columns() {
    let of = |rows: &str| body(&format!("<table><tr><th>Region<th>Year<th>Catch{rows}</table>"));
    let head = "| Region | Year | Catch |\n| --- | --- | --- |\n";
    assert_eq!(
        of("<tr><td rowspan=2>North<td>2025<td>10<tr><td>2026<td>12<tr><td>South<td>2026<td>7"),
        format!("{head}| North | 2025 | 10 |\n|  | 2026 | 12 |\n| South | 2026 | 7 |")
    );
    assert_eq!(
        of("<tr><td colspan=2 rowspan=2>All<td>10<tr><td>12<tr><td>South<td>2026<td>7"),
        format!("{head}| All |  | 10 |\n|  |  | 12 |\n| South | 2026 | 7 |")
    );
    assert_eq!(
        of("<tr><td>North<td>2025<td rowspan=2>10<tr><td>South<td>2025<tr><td>East<td>2026<td>7"),
        format!("{head}| North | 2025 | 10 |\n| South | 2025 |  |\n| East | 2026 | 7 |")
    );
    assert_eq!(
        of("<tbody><tr><td rowspan=0>North<td>2025<td>10<tr><td>2026<td>12<tbody><tr><td>South<td>2026<td>7"),
        format!("{head}| North | 2025 | 10 |\n|  | 2026 | 12 |\n| South | 2026 | 7 |")
    );
}

#[test]
fn links_and_pictures_are_absolute() {
    let html = "<p>See <a href='../a b.html'>the <b>other</b> page</a>, <a href='#top'>the top</a>, \
        <a href='mailto:a@b.example'>a mail</a> and <img src=/cod.jpg alt='A [large] cod'><img src=/1.gif width=1 alt=x>\
        <img src=data:image/png;base64,AAAA alt=inline>";
    assert_eq!(
        body(html),
        "See [the **other** page](https://www.harbour.example/a%20b.html), the top, a mail and \
         ![A large cod](https://www.harbour.example/cod.jpg)"
    );
    let based = page("<base href='https://cdn.example/x/'><main><p><a href=y>why</a> and more</main>");
    assert_eq!(based.body, "[why](https://cdn.example/x/y) and more");
}

#[test]
fn what_is_around_the_content_is_left_out() {
    let html = format!(
        "<header><a href=/>Harbour</a></header><nav>Menu</nav><div class='cookie-banner'>We use cookies</div>\
         <article><h1>Cod</h1><p>{LONG}<p>So it was. {LONG}<div class=share-buttons>Share it</div>\
         <section><h3>Related articles</h3><ul><li><a href=/b>B</a></ul></section></article>\
         <aside>Weather</aside><div style='display: none'>secret</div><footer>Imprint</footer>"
    );
    assert_eq!(page(&html).body, format!("# Cod\n\n{LONG}\n\nSo it was. {LONG}"));
}

#[test]
fn the_messages_of_a_forum_are_content_and_comments_below_an_article_are_not() {
    let messages: String = (1..4)
        .map(|n| format!("<div class=comment itemscope itemtype='http://schema.org/Comment'><p>Message {n}. {LONG}</div>"))
        .collect();
    let thread = page(&format!("<div class=thread>{messages}</div>"));
    assert_eq!(thread.kind, PageKind::Forum);
    assert!((1..4).all(|n| thread.body.contains(&format!("Message {n}."))), "{}", thread.body);
    let article = format!(
        "<meta property=og:type content=article><article><p>{}</article><div id=comments><p>I say: {LONG}</div>",
        LONG.repeat(4)
    );
    assert!(!page(&article).body.contains("I say"));
}

#[test]
fn a_page_says_what_it_is_called_and_by_whom() {
    let html = format!(
        "<html lang=en-GB><title>Cod is back | Harbour News</title><meta name=description content='What was &amp; is'>\
         <meta property=og:image content=/cod.jpg><script type=application/ld+json>\
         {{\"@graph\": [{{\"@type\": \"NewsArticle\", \"headline\": \"Cod\", \"datePublished\": \"2026-03-31\",\
         \"author\": [{{\"name\": \"Ada Marsh\"}}, {{\"name\": \"Bo Lind\"}}],\
         \"publisher\": {{\"name\": \"Harbour News\"}}}}]}}</script><h1>Cod is back</h1><p>{LONG}"
    );
    let page = page(&html);
    assert_eq!((page.title.as_str(), page.kind), ("Cod is back", PageKind::Article));
    assert_eq!(page.description.as_deref(), Some("What was & is"));
    assert_eq!((page.language.as_deref(), page.published.as_deref()), (Some("en-GB"), Some("2026-03-31")));
    assert_eq!(
        (page.author.as_deref(), page.site.as_deref()),
        (Some("Ada Marsh, Bo Lind"), Some("Harbour News"))
    );
    assert_eq!(page.image.as_deref(), Some("https://www.harbour.example/cod.jpg"));
}

#[test]
fn links_of_the_content_come_first_and_menus_never() {
    let html = format!(
        "<nav><a href=/home>Home</a></nav><p><a href=/archive/>All the news of the harbour</a>\
         <main><h1>Cod</h1><p>{LONG} See the <a href='/list.pdf?x=1#p2'>landing list</a>. {LONG}<p>{LONG}\
         <a href='/list.pdf?x=1'>again</a> <a href='#here'>here</a> <a href='{URL}#more'>more of it</a>\
         <a href='javascript:alert(1)'>run</a> <a href='https://video.example/film.mp4'>A film of it</a></main>\
         <div class=related><a href=/hake><h3>Hake, too</h3><p>They came in April.</p></a></div>\
         <a href='https://twitter.com/intent/tweet?url=x'>Tweet</a><footer><a href=/terms>Terms</a></footer>"
    );
    let links = page(&html).links;
    let told: Vec<(&str, &str, LinkKind)> =
        links.iter().map(|l| (l.url.as_str(), l.title.as_str(), l.kind)).collect();
    assert_eq!(
        told,
        [
            ("https://www.harbour.example/list.pdf?x=1", "landing list", LinkKind::Document),
            ("https://video.example/film.mp4", "A film of it", LinkKind::Video),
            ("https://www.harbour.example/hake", "Hake, too", LinkKind::Web),
            ("https://www.harbour.example/archive/", "All the news of the harbour", LinkKind::Web),
        ]
    );
    assert_eq!(links[2].description, "They came in April.");
}

#[test]
fn the_data_of_a_script_shell_is_read_where_nothing_is_shown() {
    let data = format!(
        "{{\"props\": {{\"title\": \"Cod is back again\", \"body\": \"<p>{LONG}</p><p>And so on it went.</p>\",\
        \"cssClass\": \"a b c d e f g h i j k l\"}}}}"
    );
    let html = format!(
        "<title>Harbour</title><div id=__next></div><script id=__NEXT_DATA__ type=application/json>{data}</script>"
    );
    let next = page(&html);
    assert!(next.needs_script);
    assert_eq!(next.body, format!("Cod is back again\n\n{LONG}\n\nAnd so on it went."));
    let state = page(&format!("<div id=app></div><script>window.__STATE__ = {data};go()</script>"));
    assert!(state.body.contains(LONG) && state.needs_script, "{}", state.body);
    let shown = page(&format!(
        "<main><p>{LONG}<p>So it was. {LONG}</main><script type=application/json>{data}</script>"
    ));
    assert!(!shown.needs_script && !shown.body.contains("again"), "{}", shown.body);
}

#[test]
fn a_product_that_scripts_show_is_told_by_its_structured_data() {
    let html = "<title>Net</title><div id=root></div><script type=application/ld+json>{\"@type\": \"Product\",\
        \"name\": \"A net\", \"description\": \"Catches cod.\", \"offers\": {\"price\": 12.5, \"priceCurrency\": \"EUR\"}}\
        </script>";
    let page = page(html);
    assert_eq!((page.kind, page.body.as_str()), (PageKind::Product, "A net\n\nCatches cod.\n\n12.5 EUR"));
}

#[test]
fn encodings_are_those_of_http_the_page_or_its_bytes() {
    let of = |bytes: &[u8], kind| parse_page(bytes, URL, kind, &PageLimits::default()).body;
    assert_eq!(of(b"<p>caf\xe9 au lait", Some("text/html; charset=iso-8859-1")), "café au lait");
    assert_eq!(of(b"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2", None), "Привет");
    assert_eq!(of(b"\xfe\xff\0<\0p\0>\0h\0i", None), "hi");
}

#[test]
fn words_that_only_their_looks_keep_apart_are_apart() {
    let body =
        |html: &str| parse_page(html.as_bytes(), "https://a.example/", None, &PageLimits::default()).body;
    assert_eq!(body("<p><span>Lamphouse</span><span>Brass lamp</span>"), "Lamphouse Brass lamp");
    assert_eq!(body("<p><span>LAMP</span><span>Brass</span>"), "LAMP Brass");
    assert_eq!(body("<p><span>Height:</span><b>12 cm</b>"), "Height: **12 cm**");
    assert_eq!(body("<p><span>$49.00</span><span>$39.00</span>"), "$49.00 $39.00");
    // Parts of a word, of a number and of code, and what stands in a sentence.
    assert_eq!(body("<p><span>B</span><span>R</span><span>ead</span>"), "BRead");
    assert_eq!(body("<p><span>49.</span><span>99</span>"), "49.99");
    assert_eq!(body("<p><code><span>get</span><span>Name</span></code>"), "`getName`");
    assert_eq!(body("<p>i<span>Phone</span> and <b>more</b>"), "iPhone and **more**");
}
