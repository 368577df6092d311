//! Word documents.

use document::{FieldKind, Format, ParseError};

use crate::zip::zip;
use crate::{blocks, expect, grid, links, read, try_read};

const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const STRICT: &str = "http://purl.oclc.org/ooxml/wordprocessingml/main";
const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;

/// A document of one namespace with further parts.
fn packed(namespace: &str, body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="{namespace}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
        xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:v="urn:schemas-microsoft-com:vml"
        xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"
        xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><w:body>{body}</w:body></w:document>"#
    );
    let relations: Vec<String> = parts
        .iter()
        .filter_map(|(name, _)| name.strip_prefix("word/"))
        .filter(|name| !name.contains('/'))
        .map(|name| {
            let kind = name.trim_end_matches(".xml");
            format!(r#"<Relationship Id="{kind}" Type="http://x/relationships/{kind}" Target="{name}"/>"#)
        })
        .collect();
    let relations = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}
        <Relationship Id="link" Type="http://x/relationships/hyperlink" Target="https://example.org/a" TargetMode="External"/></Relationships>"#,
        relations.concat()
    );
    let mut files = vec![
        ("[Content_Types].xml", TYPES),
        ("word/document.xml", document.as_str()),
        ("word/_rels/document.xml.rels", relations.as_str()),
    ];
    files.extend(parts);
    zip(&files)
}

fn docx(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    packed(W, body, parts)
}

fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn styled(style: &str, text: &str) -> String {
    format!(r#"<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#)
}

fn item(list: u32, level: u32, text: &str) -> String {
    format!(
        r#"<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#
    )
}

const STYLES: &str = r#"<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
    <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
    <w:style w:type="paragraph" w:styleId="clause"><w:name w:val="Clause"/><w:basedOn w:val="berschrift1"/></w:style>
    <w:style w:type="paragraph" w:styleId="q"><w:name w:val="Quote"/></w:style>
    <w:style w:type="paragraph" w:styleId="code"><w:name w:val="Source Code"/></w:style></w:styles>"#;

const NUMBERING: &str = r#"<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
    <w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
    <w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>"#;

#[test]
fn paragraphs_are_what_their_styles_make_them() {
    let body = [
        styled("berschrift1", "Start"),
        styled("clause", "Inherited"),
        styled("q", "Said"),
        styled("code", "let a;"),
        styled("code", "let b;"),
        p("Text"),
        r#"<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>By outline</w:t></w:r></w:p>"#.to_owned(),
    ];
    let document = read(&docx(&body.concat(), &[("word/styles.xml", STYLES)]));
    assert_eq!(document.format, Format::Docx);
    let kinds = [
        ("h1", "Start"),
        ("h1", "Inherited"),
        ("quote", "Said"),
        ("code", "let a;\nlet b;"),
        ("p", "Text"),
        ("h2", "By outline"),
    ];
    expect(&document, &kinds);
    assert!(
        document.text.contains(
            "# Start\n\n# Inherited\n\n> Said\n\n```\nlet a;\nlet b;\n```\n\nText\n\n## By outline"
        )
    );
}

#[test]
fn both_editions_of_the_format_are_read() {
    expect(&read(&packed(STRICT, &p("strict"), &[])), &[("p", "strict")]);
    let renamed = format!(
        r#"<q:document xmlns:q="{W}"><q:body><q:p><q:r><q:t>own prefix</q:t></q:r></q:p></q:body></q:document>"#
    );
    let renamed = zip(&[("[Content_Types].xml", TYPES), ("word/document.xml", &renamed)]);
    expect(&read(&renamed), &[("p", "own prefix")]);
}

#[test]
fn lists_count_nest_and_go_on() {
    let body = [
        item(1, 0, "one"),
        item(1, 1, "deep"),
        item(1, 1, "deeper"),
        p("between"),
        item(1, 0, "two"),
        item(2, 0, "dot"),
    ];
    let document = read(&docx(&body.concat(), &[("word/numbering.xml", NUMBERING)]));
    let kinds = [
        ("ol0", "one"),
        ("ol1", "(a) deep"),
        ("ol1", "(b) deeper"),
        ("p", "between"),
        ("ol0", "two"),
        ("ul0", "dot"),
    ];
    expect(&document, &kinds);
    assert!(document.text.starts_with("3. one\n\n    - (a) deep\n\n"), "{}", document.text);
    assert!(document.text.contains("\n\n4. two\n\n- dot"), "{}", document.text);
}

#[test]
fn an_item_without_text_counts() {
    let body = item(1, 0, "one") + &item(1, 0, "") + &item(1, 0, "three");
    let document = read(&docx(&body, &[("word/numbering.xml", NUMBERING)]));
    assert_eq!(document.text, "3. one\n\n5. three");
}

#[test]
fn tables_keep_their_spans_and_inner_tables_their_text() {
    let cell =
        |properties: &str, content: &str| format!("<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>");
    let inner = format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", cell("", &p("in")), cell("", &p("ner")));
    let rows = [
        cell(r#"<w:gridSpan w:val="2"/>"#, &p("wide")) + &cell(r#"<w:vMerge w:val="restart"/>"#, &p("tall")),
        cell("", &p("a")) + &cell("", &inner) + &cell("<w:vMerge/>", "<w:p/>"),
        cell("", &(p("b") + &p("c"))) + &cell("", "<w:p/>") + &cell("<w:vMerge/>", "<w:p/>"),
    ];
    let table: String = rows.iter().map(|row| format!("<w:tr>{row}</w:tr>")).collect();
    let deleted = format!("<w:tr><w:trPr><w:del/></w:trPr>{}</w:tr>", cell("", &p("gone")));
    let document = read(&docx(&format!("<w:tbl>{table}{deleted}</w:tbl>"), &[]));
    let owned = |row, column, rows, columns, text: &str| (row, column, rows, columns, text.to_owned());
    let cells = [
        owned(0, 0, 1, 2, "wide"),
        owned(0, 2, 3, 1, "tall"),
        owned(1, 0, 1, 1, "a"),
        owned(1, 1, 1, 1, "in ner"),
        owned(2, 0, 1, 1, "b c"),
    ];
    assert_eq!(grid(&document), cells);
}

#[test]
fn changes_are_read_as_accepted() {
    let body = r#"<w:p><w:r><w:t xml:space="preserve">kept </w:t></w:r><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>
        <w:moveFrom><w:r><w:t>from</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t> to</w:t></w:r></w:moveTo></w:p>
        <w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>one </w:t></w:r></w:p><w:p><w:r><w:t>line</w:t></w:r></w:p>
        <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:commentRangeStart w:id="1"/><w:r><w:t>seen</w:t></w:r></w:p>"#;
    expect(&read(&docx(body, &[])), &[("p", "kept new to"), ("p", "one line"), ("p", "seen")]);
}

#[test]
fn links_are_found_by_element_and_by_field() {
    let body = r#"<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r><w:hyperlink r:id="link"><w:r><w:t>the page</w:t></w:r></w:hyperlink>
        <w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://example.org/b" </w:instrText></w:r>
        <w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t> field</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>.</w:t></w:r></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc><w:tc><w:p><w:hyperlink r:id="link"><w:r><w:t>in a cell</w:t></w:r></w:hyperlink></w:p></w:tc></w:tr></w:tbl>"#;
    let document = read(&docx(body, &[]));
    assert!(document.text.starts_with("See the page field."));
    let owned = |text: &str, url: &str| (text.to_owned(), url.to_owned());
    let expected = [
        owned("the page", "https://example.org/a"),
        owned("field", "https://example.org/b"),
        owned("in a cell", "https://example.org/a"),
    ];
    assert_eq!(links(&document), expected);
}

#[test]
fn notes_follow_the_text_in_the_order_of_their_marks() {
    let notes = format!(
        r#"<w:footnotes xmlns:w="{W}"><w:footnote w:id="0">{}</w:footnote><w:footnote w:id="5">{}</w:footnote></w:footnotes>"#,
        p("separator"),
        p("the first")
    );
    let ends = format!(
        r#"<w:endnotes xmlns:w="{W}"><w:endnote w:id="5">{}</w:endnote></w:endnotes>"#,
        p("the last")
    );
    let body = r#"<w:p><w:r><w:t>One</w:t></w:r><w:r><w:footnoteReference w:id="5"/></w:r><w:r><w:t> two</w:t></w:r><w:r><w:endnoteReference w:id="5"/></w:r></w:p>"#;
    let document = read(&docx(body, &[("word/footnotes.xml", &notes), ("word/endnotes.xml", &ends)]));
    expect(&document, &[("p", "One[^1] two[^2]"), ("note", "the first"), ("note", "the last")]);
    assert!(document.text.ends_with("[^1]: the first\n\n[^2]: the last"));
}

#[test]
fn text_boxes_are_read_once_and_pictures_by_their_description() {
    let choice = r#"<mc:Choice Requires="wps"><w:drawing><wp:inline><wps:wsp><wps:txbx><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></wps:txbx></wps:wsp></wp:inline></w:drawing></mc:Choice>"#;
    let fallback = r#"<mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback>"#;
    let body = format!(
        r#"<w:p><w:r><w:t>around</w:t></w:r><w:r><mc:AlternateContent>{choice}{fallback}</mc:AlternateContent></w:r></w:p>
        <w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="A harbour at dawn"/></wp:inline></w:drawing></w:r></w:p>
        <w:p><w:r><mc:AlternateContent><mc:Choice Requires="new"><w:drawing/></mc:Choice>{fallback}</mc:AlternateContent></w:r></w:p>"#
    );
    let document = read(&docx(&body, &[]));
    expect(&document, &[("p", "around"), ("p", "boxed"), ("figure", "A harbour at dawn"), ("p", "boxed")]);
}

#[test]
fn formulas_breaks_and_symbols_are_text() {
    let body = r#"<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:sym w:font="Wingdings" w:char="F0FE"/></w:r></w:p>
        <w:p><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:rad><m:deg/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad></m:den></m:f></m:oMath></w:p>"#;
    expect(&read(&docx(body, &[])), &[("p", "a\tb\nc\u{2011}d☑"), ("p", "$\\frac{1}{\\sqrt{x}}$")]);
}

#[test]
fn content_controls_are_text_and_fields() {
    let control = |properties: &str, text: &str| {
        format!(
            "<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent><w:r><w:t>{text}</w:t></w:r></w:sdtContent></w:sdt>"
        )
    };
    let body = format!(
        "<w:p>{}</w:p><w:p>{}<w:r><w:t> agreed</w:t></w:r></w:p>",
        control(r#"<w:alias w:val="Your name"/><w:tag w:val="name"/><w:text/>"#, "Ada"),
        control(r#"<w:tag w:val="terms"/><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>"#, "☒"),
    );
    let document = read(&docx(&body, &[]));
    expect(&document, &[("p", "Ada"), ("p", "[x] agreed")]);
    let fields: Vec<_> = document
        .fields
        .iter()
        .map(|field| (field.name.as_str(), field.kind, field.value.as_deref()))
        .collect();
    assert_eq!(
        fields,
        [("name", FieldKind::Text, Some("Ada")), ("terms", FieldKind::Checkbox, Some("true"))]
    );
    assert_eq!(document.fields[0].label.as_deref(), Some("Your name"));
}

#[test]
fn fields_of_old_forms_show_what_is_chosen() {
    let field = |data: &str| {
        format!(
            r#"<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORM</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>"#
        )
    };
    let tick =
        field(r#"<w:name w:val="insured"/><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>"#);
    let list = field(
        r#"<w:name w:val="port"/><w:ddList><w:result w:val="1"/><w:listEntry w:val="Bergen"/><w:listEntry w:val="Hull"/></w:ddList>"#,
    );
    let document = read(&docx(
        &format!("<w:p>{tick}<w:r><w:t xml:space='preserve'> insured, to </w:t></w:r>{list}</w:p>"),
        &[],
    ));
    expect(&document, &[("p", "[x] insured, to Hull")]);
    let fields: Vec<_> = document
        .fields
        .iter()
        .map(|field| (field.name.as_str(), field.kind, field.value.as_deref()))
        .collect();
    assert_eq!(
        fields,
        [("insured", FieldKind::Checkbox, Some("true")), ("port", FieldKind::Choice, Some("Hull"))]
    );
}

#[test]
fn what_the_file_says_about_itself_is_told() {
    let core = r#"<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Lease</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2024-05-01T10:00:00Z</dcterms:created></cp:coreProperties>"#;
    let metadata = read(&docx(&p("x"), &[("docProps/core.xml", core)])).metadata;
    assert_eq!((metadata.title.as_deref(), metadata.author.as_deref()), (Some("Lease"), Some("Ada")));
    assert_eq!(metadata.created.as_deref(), Some("2024-05-01T10:00:00Z"));
}

#[test]
fn charts_and_diagrams_are_read_by_their_text() {
    let chart = r#"<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart>
        <c:title><c:tx><c:rich><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser>
        <c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Herring</c:v></c:pt></c:strCache></c:strRef></c:tx>
        <c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt></c:strCache></c:strRef></c:cat>
        <c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4.4000000000000004</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"#;
    let body =
        r#"<w:p><w:r><w:drawing><wp:inline><c:chart r:id="chart"/></wp:inline></w:drawing></w:r></w:p>"#;
    let document = read(&docx(body, &[("word/chart.xml", chart)]));
    assert_eq!(blocks(&document)[0], ("figure".to_owned(), "Chart: Catch".to_owned()));
    assert!(
        document.text.contains("| Category | Herring |\n| --- | --- |\n| May | 4.4 |"),
        "{}",
        document.text
    );
}

#[test]
fn a_document_without_text_says_so() {
    assert!(matches!(try_read(&docx("<w:p/>", &[])), Err(ParseError::NoText)));
    assert!(matches!(try_read(&zip(&[("[Content_Types].xml", TYPES)])), Err(ParseError::Damaged(_))));
}

#[test]
fn signs_and_styled_letters_of_formulas_are_latex() {
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let binomial = format!(
        r#"<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>{}</m:num><m:den>{}</m:den></m:f>"#,
        run("n"),
        run("k")
    );
    let braced = format!(r#"<m:groupChr><m:e>{}</m:e></m:groupChr>"#, run("\u{1d465}_1"));
    let body = format!("<w:p><m:oMath>{}{binomial}{braced}</m:oMath></w:p>", run("\u{1d6fc}\u{2264}5%"));
    assert_eq!(
        read(&docx(&body, &[])).text,
        "$\\alpha \\leq 5\\%\\genfrac{}{}{0pt}{}{n}{k}\\underbrace{x\\_1}$",
    );
}

#[test]
fn letters_drawn_as_a_shape_are_read() {
    let shape = r#"<w:p><w:r><w:pict><v:shape><v:textpath string="Season Greetings"/></v:shape></w:pict></w:r></w:p>"#;
    assert_eq!(read(&docx(&format!("{}{shape}", p("Dear all")), &[])).text, "Dear all\n\nSeason Greetings");
}
