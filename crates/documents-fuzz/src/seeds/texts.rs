//! Formats that are text.

fn bytes(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

pub(crate) fn text() -> Vec<Vec<u8>> {
    let wide =
        "\u{feff}wide text\nof \u{3b1}\u{1f600} lines".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut all =
        bytes(&["First paragraph\nof two lines.\n\nSecond one.\n\n\u{5e9}\u{5dc}\u{5d5}\u{5dd} and more\n"]);
    all.extend([wide, b"caf\xe9 stra\xdfe \x96 in an old encoding\r\nM\xfcnchen".to_vec()]);
    all
}

pub(crate) fn markdown() -> Vec<Vec<u8>> {
    bytes(&[
        "# Head\n\nA [link](https://example.org/a) and *more* `code`.\n\n- a\n  - b\n    - c\n      - d\n1. one\n2. two\n   > said\n\n| x | y |\n|:--|--:|\n| 1 | 2 |\n| 3 \\| 4 | |\n\n```rust\nlet a = 1;\n```\n\nTitle\n=====\n\nx[^1]\n\n[^1]: a note\n\n<div>html</div>\n\n![picture](p.png)\n\n| second | table |\n|---|---|\n| a | b |\n",
    ])
}

pub(crate) fn html() -> Vec<Vec<u8>> {
    bytes(&[
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Title</title><meta name=\"author\" content=\"Ada\"><style>p{}</style></head><body><h1>Head</h1><p>Text <b>bold</b> <a href=\"https://example.org/\">link</a><br>line</p><ul><li>a<ol start=\"3\"><li>b<ul><li>c</li></ul></li></ol></li></ul><table><caption>c</caption><thead><tr><th colspan=\"2\">wide</th><th rowspan=\"2\">tall</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr><tr><td colspan=\"3\">3</td></tr></tbody></table><pre>code\n  more</pre><blockquote>said</blockquote><img alt=\"picture\" src=\"x\"><script>no()</script><select><option>o</option></select><dl><dt>t</dt><dd>d</dd></dl></body></html>",
        "<html><body><table><tr><td><table><tr><td rowspan=3>inner<td>x<tr><td>y</table><td>after<tr><td colspan=0>z</table><p hidden>gone<p style=\"display:none\">gone<details><summary>s</summary>more</details></html>",
    ])
}

pub(crate) fn pages() -> Vec<Vec<u8>> {
    let mut all = bytes(&[
        "<!doctype html><html lang=en><head><base href='/news/'><title>Cod is back | Harbour</title><meta property=og:type content=article><meta property='og:image' content='cod.jpg'><meta name=description content='What &amp; when'><script type='application/ld+json'>{\"@context\": \"https://schema.org\", \"@graph\": [{\"@type\": [\"NewsArticle\"], \"headline\": \"Cod\", \"author\": [{\"name\": \"Ada\"}], \"datePublished\": \"2026-03-31T08:00:00+0100\"}]}</script></head><body class='has-nav'><header><nav class=main-menu><a href=/>Home</a></nav></header><main><article><h1>Cod is back</h1><p>The boats of the harbour brought in more cod in March than in any month before, <a href='../water.html#x'>it is said</a>.<p>Second &mdash; <b>with <i>marks</i></b> and <code>code`s</code><figure><img data-src=a.png alt='a [net]' width=400><figcaption>A net</figcaption></figure><table><tr><th>Fish<th>Kilos<tr><td>Cod|<td colspan=2>412</table><pre class=language-sh>```\nrun</pre><ul><li>one<ol start=4><li>four</ol></ul><div class='share-bar'>Share</div><h2>Related articles</h2><ul><li><a href=list.pdf title=List>Read more</a></ul></article></main><div class=related-posts><a href=hake><h3>Hake</h3><p>They came in April and stayed.</p></a></div><footer>Imprint</footer></body></html>",
        "<meta charset=windows-1252><title>Shop</title><div id=__next></div><noscript>Please enable JavaScript</noscript><script id=__NEXT_DATA__ type=application/json>{\"props\": {\"title\": \"A net for cod\", \"description\": \"<p>It catches what swims by, night and day, and it holds.</p>\", \"list\": [{\"name\": \"one two three\"}]}}</script><script>window.__STATE__ = {\"text\": \"more words than nine in this one string of the state\"};</script><script type=application/ld+json>{\"@type\": \"Product\", \"name\": \"Net\", \"offers\": {\"price\": 12.5, \"priceCurrency\": \"EUR\"}}</script>",
        "<div class=thread><div class=post itemtype='http://schema.org/Comment'><span class=author-info>Ada</span><blockquote>So <blockquote>it was</blockquote></blockquote><p>First.</div><div class=post itemtype='http://schema.org/Comment'>Second<br>line</div><div class=post itemtype='http://schema.org/Comment'>Third &lt;b&gt; [x](y)</div></div><a href='javascript:x'>run</a><a href='//other.example/film.mp4'>film</a>",
    ]);
    all.push(b"<title>\xcf\xf0\xe8</title><p>\xe2\xe5\xf2 \x96 \xff".to_vec());
    all
}

pub(crate) fn csv() -> Vec<Vec<u8>> {
    bytes(&[
        "name,sum,date\r\n\"Ada, the first\",12.50,2024-01-02\r\n\"say \"\"x\"\"\",3,\r\nlast,\"two\nlines\",4\r\n",
        "a;b;c\n1,5;2;3\n4;5;6\n",
        "a\tb\n1\t2\n3\t4\n",
    ])
}

pub(crate) fn json() -> Vec<Vec<u8>> {
    bytes(&[
        "{\"name\": \"Ada\", \"lines\": [{\"a\": 1, \"b\": 2.5e3}, {\"a\": null, \"b\": true}], \"deep\": {\"er\": [[1, 2], [3, [4, [5]]]]}, \"text\": \"two\\nlines \\u00e9 \\ud83d\\ude00\"}",
        "{\"nbformat\": 4, \"nbformat_minor\": 5, \"metadata\": {\"language_info\": {\"name\": \"python\"}}, \"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"# Head\\n\", \"text\"], \"metadata\": {}}, {\"cell_type\": \"code\", \"source\": \"print(1)\", \"outputs\": [{\"output_type\": \"stream\", \"text\": [\"1\\n\"]}, {\"output_type\": \"execute_result\", \"data\": {\"text/plain\": \"2\"}}], \"metadata\": {}}]}",
        "[1, \"two\", {\"three\": []}, [], {}]\n",
    ])
}

pub(crate) fn xml() -> Vec<Vec<u8>> {
    bytes(&[
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE order [<!ENTITY a \"b\">]><order id=\"7\" xmlns:x=\"urn:x\"><!-- no --><x:line n=\"1\">Tea &amp; milk &#233;</x:line><line n=\"2\"><![CDATA[raw <b>]]></line><empty/><deep><er><est>text</est></er></deep></order>",
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title><item><title>One</title><link>https://example.org/1</link><description>first &lt;b&gt;</description></item><item><title>Two</title></item></channel></rss>",
    ])
}

pub(crate) fn rtf() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 3] = [
        br#"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Cyr;}}{\info{\title The quay}{\author Ada}{\creatim\yr2024\mo5\dy1}}{\stylesheet{\s1 heading 1;}}\s1 Head\par\pard caf\'e9 \u8364? {\b bold} {\f1\'cf\'f0}\line more\par {\listtext 1.\tab}\ls1\ilvl0 one\par {\listtext a)\tab}\ls1\ilvl1 deep\par\pard see {\field{\*\fldinst{HYPERLINK "https://example.org/d"}}{\fldrslt the page}} now{\footnote\pard below}.\par}"#,
        br#"{\rtf1 before\par\trowd\cellx2000\cellx4000\cellx6000\pard\intbl a\cell b\par c\cell d\cell\row\trowd\cellx4000\clvmgf\cellx6000\pard\intbl wide\cell tall\cell\row\trowd\cellx2000\cellx4000\clvmrg\cellx6000\pard\intbl e\cell f\cell\cell\row\pard after\par\trowd\cellx900\pard\intbl second table\cell\row\pard}"#,
        br#"{\rtf1\ansi {\pict\wmetafile8 0102ff}{\pict\bin4 abcd}{\v hidden}{\*\generator x}{\upr{one}{\*\ud{two}}}\uc2\u228\'E8a \itap2\intbl nested\nestcell{\*\nesttableprops\trowd\cellx100\nestrow}\cell\row\par{\object{\result shown}}\bullet\tab\emdash\page end of it\par}"#,
    ];
    texts.iter().map(|text| text.to_vec()).collect()
}
