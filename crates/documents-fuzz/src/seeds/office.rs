//! Documents, presentations and books in packages.

use super::texts_archive;

pub(crate) fn docx() -> Vec<Vec<u8>> {
    let body = r#"<w:p><w:pPr><w:pStyle w:val="h"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">Text </w:t></w:r><w:r><w:rPr><w:b/><w:vanish w:val="0"/></w:rPr><w:t>bold</w:t><w:tab/><w:br/><w:sym w:font="Symbol" w:char="F061"/></w:r><w:hyperlink r:id="link"><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="1"/></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>deep</w:t></w:r></w:p>
<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:fldSimple w:instr="PAGE"><w:r><w:t>3</w:t></w:r></w:fldSimple><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "https://example.org/f"</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>field</w:t><w:fldChar w:fldCharType="end"/></w:r></w:p>
<w:sdt><w:sdtPr><w:alias w:val="Name"/><w:tag w:val="name"/><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent><w:p><w:r><w:t>filled</w:t></w:r></w:p></w:sdtContent></w:sdt>
<w:tbl><w:tblGrid><w:gridCol w:w="100"/><w:gridCol w:w="100"/><w:gridCol w:w="100"/></w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>wide</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>tall</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>inner</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p/></w:tc><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>
<w:p><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:rad><m:e><m:r><m:t>b</m:t></m:r></m:e></m:rad></m:den></m:f><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>
<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="a picture"/><wps:txbx><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></wps:txbx><c:chart r:id="chart1"/></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict/></mc:Fallback></mc:AlternateContent></w:r></w:p>
<w:sectPr><w:headerReference r:id="x"/></w:sectPr>"#;
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><w:body>{body}</w:body></w:document>"#
    );
    let names = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#;
    let styles = format!(
        r#"<w:styles {names}><w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="q"><w:name w:val="Quote"/><w:basedOn w:val="h"/></w:style></w:styles>"#
    );
    let numbering = format!(
        r#"<w:numbering {names}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="(%1.%2)"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>"#
    );
    let notes = format!(
        r#"<w:footnotes {names}><w:footnote w:id="1"><w:p><w:r><w:footnoteRef/><w:t>below</w:t></w:r></w:p></w:footnote></w:footnotes>"#
    );
    let chart = r#"<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Series</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>x</c:v></c:pt><c:pt idx="1"><c:v>y</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="1"><c:v>2</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"#;
    let relation = |id: &str, kind: &str, target: &str| {
        format!(r#"<Relationship Id="{id}" Type="http://x/relationships/{kind}" Target="{target}"/>"#)
    };
    let relations = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}{}{}{}<Relationship Id="link" Type="http://x/relationships/hyperlink" Target="https://example.org/a" TargetMode="External"/></Relationships>"#,
        relation("s", "styles", "styles.xml"),
        relation("n", "numbering", "numbering.xml"),
        relation("f", "footnotes", "footnotes.xml"),
        relation("chart1", "chart", "charts/chart1.xml"),
    );
    vec![texts_archive(&[
        (
            "[Content_Types].xml",
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#,
        ),
        ("word/document.xml", &document),
        ("word/_rels/document.xml.rels", &relations),
        ("word/styles.xml", &styles),
        ("word/numbering.xml", &numbering),
        ("word/footnotes.xml", &notes),
        ("word/charts/chart1.xml", chart),
        (
            "docProps/core.xml",
            r#"<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The quay</dc:title></cp:coreProperties>"#,
        ),
    ])]
}

pub(crate) fn pptx() -> Vec<Vec<u8>> {
    let names = r#"xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#;
    let line = |text: &str| {
        format!(
            "<a:p><a:pPr lvl=\"1\"><a:buAutoNum type=\"arabicPeriod\"/></a:pPr><a:r><a:t>{text}</a:t></a:r><a:br/></a:p>"
        )
    };
    let shape = |kind: &str, text: &str| {
        format!(
            r#"<p:sp><p:nvSpPr><p:cNvPr id="1" name="n"/><p:nvPr><p:ph type="{kind}" idx="1"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="100" y="200"/><a:ext cx="300" cy="400"/></a:xfrm></p:spPr><p:txBody>{text}</p:txBody></p:sp>"#
        )
    };
    let table = r#"<p:graphicFrame><p:xfrm><a:off x="1" y="900"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>wide</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/></a:tr><a:tr><a:tc rowSpan="2"><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc vMerge="1"/><a:tc><a:txBody><a:p/></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>"#;
    let picture = r#"<p:pic><p:nvPicPr><p:cNvPr id="2" name="P" descr="a picture"/></p:nvPicPr></p:pic>"#;
    let slide = |shapes: &str| {
        format!("<p:sld {names}><p:cSld><p:spTree><p:grpSp>{shapes}</p:grpSp></p:spTree></p:cSld></p:sld>")
    };
    let first = slide(
        &[
            shape("title", &line("Title")),
            shape("body", &[line("one"), line("two")].concat()),
            table.to_owned(),
        ]
        .concat(),
    );
    let second = slide(&[shape("ctrTitle", &line("Second")), picture.to_owned()].concat());
    let notes = format!(
        "<p:notes {names}><p:cSld><p:spTree>{}</p:spTree></p:cSld></p:notes>",
        shape("body", &line("say hello"))
    );
    let main = format!(
        r#"<p:presentation {names}><p:sldIdLst><p:sldId id="1" r:id="b"/><p:sldId id="2" r:id="a"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>"#
    );
    let relations = |of: &[(&str, &str, &str)]| {
        let one = |(id, kind, target): &(&str, &str, &str)| {
            format!(r#"<Relationship Id="{id}" Type="http://x/{kind}" Target="{target}"/>"#)
        };
        format!("<Relationships>{}</Relationships>", of.iter().map(one).collect::<String>())
    };
    vec![texts_archive(&[
        (
            "[Content_Types].xml",
            r#"<Types><Override ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>"#,
        ),
        ("ppt/presentation.xml", &main),
        (
            "ppt/_rels/presentation.xml.rels",
            &relations(&[("a", "slide", "slides/slide1.xml"), ("b", "slide", "slides/slide2.xml")]),
        ),
        ("ppt/slides/slide1.xml", &first),
        ("ppt/slides/slide2.xml", &second),
        (
            "ppt/slides/_rels/slide1.xml.rels",
            &relations(&[
                ("n", "notesSlide", "../notesSlides/n.xml"),
                ("l", "slideLayout", "../slideLayouts/l.xml"),
            ]),
        ),
        (
            "ppt/slideLayouts/l.xml",
            &format!(
                "<p:sldLayout {names}><p:cSld><p:spTree>{}</p:spTree></p:cSld></p:sldLayout>",
                shape("body", "")
            ),
        ),
        ("ppt/notesSlides/n.xml", &notes),
    ])]
}

const NAMES: &str = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink""#;
const STYLES: &str = r#"<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-bullet text:level="2"/></text:list-style>"#;

fn open_document(kind: &str, body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content {NAMES}><office:automatic-styles>{STYLES}</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    );
    texts_archive(&[
        ("mimetype", &format!("application/vnd.oasis.opendocument.{kind}")),
        ("content.xml", &content),
        (
            "styles.xml",
            &format!(
                "<office:document-styles {NAMES}><office:styles>{STYLES}</office:styles></office:document-styles>"
            ),
        ),
        (
            "meta.xml",
            "<office:document-meta><office:meta><dc:title>Title</dc:title><dc:creator>Ada</dc:creator></office:meta></office:document-meta>",
        ),
    ])
}

pub(crate) fn odt() -> Vec<Vec<u8>> {
    let body = r#"<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Head</text:h><text:p>a <text:s text:c="2"/>c<text:tab/>d<text:line-break/>e<text:span text:style-name="T1">hidden</text:span></text:p><text:p text:style-name="P1">said</text:p><text:p>mark<text:note><text:note-citation>i</text:note-citation><text:note-body><text:p>below</text:p></text:note-body></text:note><text:a xlink:href="https://example.org/c">there</text:a></text:p><text:list text:style-name="L1"><text:list-item text:start-value="4"><text:p>one</text:p><text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list></text:list-item></text:list><table:table><table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>wide</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-rows-spanned="2"><text:p>tall</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row></table:table><draw:frame><draw:text-box><text:p>in a box</text:p></draw:text-box><svg:desc>picture</svg:desc></draw:frame></office:text>"#;
    vec![open_document("text", body)]
}

pub(crate) fn odp() -> Vec<Vec<u8>> {
    let body = r#"<office:presentation><draw:page draw:name="a"><draw:frame presentation:class="title" svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame><draw:frame presentation:class="outline" svg:y="4cm"><draw:text-box><text:list><text:list-item><text:p>point</text:p></text:list-item></text:list></draw:text-box></draw:frame><presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>say hello</text:p></draw:text-box></draw:frame></presentation:notes></draw:page><draw:page draw:name="b"><draw:custom-shape><text:p>shape</text:p></draw:custom-shape><draw:g><draw:frame><table:table><table:table-row><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table></draw:frame></draw:g></draw:page></office:presentation>"#;
    vec![open_document("presentation", body)]
}

pub(crate) fn epub() -> Vec<Vec<u8>> {
    let package = r#"<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Quay</dc:title><dc:creator>Ada</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/><item id="b" href="../b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>"#;
    vec![texts_archive(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            r#"<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/main.opf"/></rootfiles></container>"#,
        ),
        ("book/main.opf", package),
        (
            "book/a b.xhtml",
            "<html><head><title>t</title></head><body><p>last &amp; least</p><table><tr><td>x</td></tr></table></body></html>",
        ),
        (
            "b.xhtml",
            "<html><body><h1>One</h1><p>first <a href=\"a%20b.xhtml#x\">link</a></p><ul><li>item</li></ul></body></html>",
        ),
    ])]
}
