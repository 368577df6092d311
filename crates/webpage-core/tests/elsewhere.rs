//! Pages whose content is elsewhere: made by scripts, behind a refresh, in frames.

use webpage_core::{PageLimits, WebPage, parse_page};

fn page(html: &str) -> WebPage {
    parse_page(html.as_bytes(), "https://shop.example/mugs/blue", Some("text/html"), &PageLimits::default())
}

const DATA: &str = "<script type=application/ld+json>{\"@type\": \"Product\", \"name\": \"Blue mug\", \"description\": \
    \"A mug of stoneware.\", \"offers\": {\"price\": \"12.50\", \"priceCurrency\": \"EUR\"}}</script>";

#[test]
fn a_short_page_that_says_what_its_data_says_needs_no_script() {
    let html = format!(
        "<title>Blue mug</title>{DATA}<script src=count.js></script><main><h1>Blue mug</h1><p>A mug of stoneware.\
         <p>12,50 EUR</main>"
    );
    let page = page(&html);
    assert!(!page.needs_script);
    assert_eq!(page.body, "# Blue mug\n\nA mug of stoneware.\n\n12,50 EUR");
}

#[test]
fn a_page_that_only_its_data_tells_of_needs_scripts() {
    let html = format!("<title>Blue mug</title>{DATA}<div id=app></div><script src=app.js></script>");
    let shell = page(&html);
    assert!(shell.needs_script);
    assert_eq!(shell.body, "Blue mug\n\nA mug of stoneware.\n\n12.50 EUR");
    assert!(page("<div id=root></div><p>Loading, please wait.</p><script src=app.js></script>").needs_script);
    let data_alone = page(&format!("<main><p>Nothing here.</main>{DATA}"));
    assert!(!data_alone.needs_script && data_alone.body.contains("stoneware"), "{}", data_alone.body);
}

#[test]
fn a_plea_for_scripts_is_no_content() {
    let html = format!(
        "{DATA}<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>\
         <script src=app.js></script>"
    );
    assert_eq!(page(&html).body, "Blue mug\n\nA mug of stoneware.\n\n12.50 EUR");
    let told = "The harbour was full of boats, and the quay of people who looked at them. ".repeat(8);
    let html = format!("<div id=root></div><noscript><p>{told}</noscript><script src=app.js></script>");
    assert_eq!(page(&html).body, told.trim());
}

#[test]
fn a_refresh_at_once_is_a_redirect_and_a_later_one_only_from_a_page_that_says_little() {
    let to = |content: &str, body: &str| {
        page(&format!("<meta http-equiv=Refresh content=\"{content}\">{body}")).refresh
    };
    let long = "The harbour was full of boats, and the quay of people. ".repeat(20);
    let new = Some("https://shop.example/mugs/new".to_owned());
    assert_eq!(to("0; URL='new#top'", &long), new);
    assert_eq!(to("5;url=new", "<p>We have moved."), new);
    assert_eq!(to("0, new", ""), new);
    for stays in ["5;url=new", "0;url=", "0", "x;url=new", "0;url=/mugs/blue#a", "0;url=javascript:alert(1)"]
    {
        assert_eq!(to(stays, &long), None, "{stays}");
    }
    assert_eq!(to("300;url=new", ""), None);
    assert_eq!(page("<noscript><meta http-equiv=refresh content='0;url=/plain'></noscript>").refresh, None);
}

#[test]
fn frames_of_the_site_are_named_where_the_page_says_little() {
    let set = "<frameset><frame name=menu src=menu.html><frame name=main src=text.html><frame src=https://ads.example/>\
               <frame src=/mugs/blue></frameset>";
    assert_eq!(page(set).frames, ["https://shop.example/mugs/text.html"]);
    let inside = "<iframe src=a.html></iframe><iframe src=a.html></iframe><iframe src=b.html width=1></iframe>\
                  <div hidden><iframe src=c.html></iframe></div><iframe src=d></iframe><iframe src=e></iframe>\
                  <iframe src=f></iframe>";
    let named = ["a.html", "d", "e"].map(|name| format!("https://shop.example/mugs/{name}"));
    assert_eq!(page(inside).frames, named);
    let long = "The harbour was full of boats, and the quay of people. ".repeat(20);
    assert!(page(&format!("<main><p>{long}</main>{inside}")).frames.is_empty());
}
