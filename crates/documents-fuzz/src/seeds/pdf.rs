//! PDFs.

use crate::container::{Container, Part};

/// Objects of a PDF file.
#[derive(Default)]
struct Objects(Vec<Part>);

impl Objects {
    fn add(&mut self, number: u32, body: &str) {
        self.0.push(Part { name: number.to_string(), head: body.as_bytes().to_vec(), ..Part::default() });
    }

    /// A compressed stream with these dictionary entries.
    fn stream(&mut self, number: u32, entries: &str, content: &str) {
        let head = format!("<<{entries}/Filter/FlateDecode/Length 0>>").into_bytes();
        self.0.push(Part {
            name: number.to_string(),
            head,
            content: content.as_bytes().to_vec(),
            packed: true,
        });
    }

    fn file(mut self) -> Vec<u8> {
        self.0.push(Part { name: "trailer".to_owned(), head: b"/Root 1 0 R".to_vec(), ..Part::default() });
        Container::Pdf.pack(&self.0).unwrap_or_default()
    }
}

const FONTS: &str = "/Font<</F 10 0 R/B 11 0 R/H 12 0 R/V 14 0 R>>";
const MAP: &str = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n/CMapName /Own def /CMapType 2 def\n1 begincodespacerange <0000> <FFFF> endcodespacerange\n1 beginbfrange <0041> <005A> <05D0> endbfrange\n1 beginbfchar <0020> <0020> endbfchar\nendcmap end end";
const NARROW_MAP: &str = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n1 beginbfrange <41> <5A> <05D0> endbfrange\n2 beginbfchar <20> <0020> <32> <FB01> endbfchar\nendcmap end end";

/// A document whose pages have these contents and entries.
fn document(pages: &[(&str, &str)], catalog: &str, more: &[(u32, &str)]) -> Vec<u8> {
    let mut objects = Objects::default();
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 20 + 2 * page)).collect();
    objects.add(1, &format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"));
    objects.add(2, &format!("<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 612 792]>>", pages.len()));
    objects.add(3, &format!("<<{FONTS}/XObject<</X 4 0 R>>>>"));
    objects.stream(
        4,
        "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources 3 0 R",
        "BT /F 10 Tf 72 60 Td (in a form) Tj ET",
    );
    objects.add(10, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>");
    objects.add(11, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding<</Type/Encoding/Differences[65/A/B/fi 128/Euro]>>/FirstChar 65/LastChar 66/Widths[600 700]>>");
    objects
        .add(12, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 13 0 R>>");
    objects.stream(13, "", NARROW_MAP);
    objects.add(14, "<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-V/DescendantFonts[15 0 R]/ToUnicode 17 0 R>>");
    objects.add(15, "<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/FontDescriptor 16 0 R/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000/W[65[500 600 700]]/DW2[880 -1000]>>");
    objects.add(16, "<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 0 1 1]>>");
    objects.stream(17, "", MAP);
    for (index, (content, entries)) in (0..).zip(pages) {
        let number = 20 + 2 * index;
        objects.add(
            number,
            &format!("<</Type/Page/Parent 2 0 R/Resources 3 0 R/Contents {} 0 R{entries}>>", number + 1),
        );
        objects.stream(number + 1, "", content);
    }
    for (number, body) in more {
        objects.add(*number, body);
    }
    objects.file()
}

/// Lines of text, one below another.
fn lines(x: f64, y: f64, size: f64, of: &[&str]) -> String {
    let step = size * 1.2;
    let line = |(row, text): (u32, &&str)| {
        format!("BT /F {size} Tf 1 0 0 1 {x} {} Tm ({text}) Tj ET\n", y - step * f64::from(row))
    };
    (0..).zip(of).map(line).collect()
}

/// Two columns of prose under a heading, with a list and running headers.
fn prose() -> Vec<u8> {
    let words = [
        "the quay lies by the har-",
        "bour and ships come in",
        "with tea and salt every",
        "week of the year when",
        "the wind is fair for it",
    ];
    let page = |number: u32| {
        [
            lines(72.0, 760.0, 9.0, &["Running header of the paper"]),
            format!("BT /B 18 Tf 1 0 0 1 72 700 Tm (Head {number}) Tj ET\n"),
            lines(72.0, 660.0, 10.0, &words),
            lines(320.0, 660.0, 10.0, &words),
            lines(72.0, 560.0, 10.0, &["1. first item", "2. second item", "   a) deeper item", "- a dash"]),
            "BT /H 12 Tf 72 480 Td (ABC DE2) Tj ET BT /V 12 Tf 500 480 Td <004100420043> Tj ET BT 3 Tr /F 10 Tf 72 460 Td (hidden) Tj ET /X Do\n".to_owned(),
            "BT /F 10 Tf 2 Tc 3 Tw 90 Tz 12 TL 72 440 Td [(ar) -250 (ray) 120 (s)] TJ T* (next) ' 1 2 (last) \" ET\n".to_owned(),
            lines(300.0, 30.0, 9.0, &[number.to_string().as_str()]),
        ]
        .concat()
    };
    let (one, two) = (page(1), page(2));
    document(&[(&one, ""), (&two, "/Rotate 90/CropBox[0 0 600 700]")], "", &[])
}

/// A ruled table, an unruled one, and one that continues on the next page.
fn tables() -> Vec<u8> {
    let mut content = String::from("0.5 w\n");
    for row in 0..5 {
        let y = 700 - row * 20;
        content.push_str(&format!("72 {y} m 372 {y} l S\n"));
    }
    for column in 0..4 {
        let x = 72 + column * 100;
        content.push_str(&format!("{x} 620 m {x} {} l S\n", if column == 1 { 680 } else { 700 }));
    }
    for (row, texts) in
        [["Goods", "", "Sum"], ["Tea", "12", "4.50"], ["Salt", "7", "1,200.00"], ["All", "19", "-3"]]
            .iter()
            .enumerate()
    {
        for (column, text) in texts.iter().enumerate() {
            let (x, y) = (76.0 + 100.0 * column as f64, 686.0 - 20.0 * row as f64);
            content.push_str(&lines(x, y, 10.0, &[text]));
        }
    }
    for row in 0..8 {
        let y = 500.0 - 14.0 * f64::from(row);
        content.push_str(&lines(72.0, y, 10.0, &[format!("Name {row}").as_str()]));
        content.push_str(&lines(250.0, y, 10.0, &[format!("{}.50", row * 7).as_str()]));
        content.push_str(&lines(400.0, y, 10.0, &[format!("{}", 1000 + row).as_str()]));
    }
    content
        .push_str("0.9 g 72 200 200 40 re f 0 g 80 100 100 60 re W n BI /W 1 /H 1 /CS /G /BPC 8 ID x EI\n");
    document(&[(&content, ""), (&content, "")], "", &[])
}

/// Form fields, links, annotations, a structure tree and an outline.
fn interactive() -> Vec<u8> {
    let content = "/H1 <</MCID 0>> BDC BT /B 16 Tf 72 700 Td (Form) Tj ET EMC /P <</MCID 1>> BDC BT /F 10 Tf 72 660 Td (Name:) Tj 0 -40 Td (Agree) Tj ET EMC /Span <</ActualText (other)>> BDC BT /F 10 Tf 72 560 Td (shown) Tj ET EMC /Artifact BMC BT /F 8 Tf 72 20 Td (left out) Tj ET EMC";
    let page = "/StructParents 0/Annots[30 0 R 31 0 R 32 0 R 33 0 R 34 0 R]";
    document(
        &[(content, page)],
        "/AcroForm<</Fields[30 0 R 31 0 R 32 0 R]>>/StructTreeRoot 40 0 R/MarkInfo<</Marked true>>/Outlines 50 0 R/Lang(en)",
        &[
            (30, "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/TU(Your name)/V(Ada)/Rect[120 650 300 670]>>"),
            (31, "<</Type/Annot/Subtype/Widget/FT/Btn/T(agree)/V/Yes/AS/Yes/Rect[120 610 135 625]>>"),
            (32, "<</Type/Annot/Subtype/Widget/FT/Ch/T(kind)/V(one)/Opt[(one)(two)]/Rect[120 570 300 590]>>"),
            (33, "<</Type/Annot/Subtype/Link/Rect[72 555 110 570]/A<</S/URI/URI(https://example.org/a)>>>>"),
            (34, "<</Type/Annot/Subtype/FreeText/Contents(a remark)/Rect[300 500 400 520]>>"),
            (40, "<</Type/StructTreeRoot/K 41 0 R/ParentTree<</Nums[0[42 0 R 43 0 R]]>>>>"),
            (41, "<</Type/StructElem/S/Document/P 40 0 R/K[42 0 R 43 0 R]>>"),
            (42, "<</Type/StructElem/S/H1/P 41 0 R/Pg 20 0 R/K 0>>"),
            (43, "<</Type/StructElem/S/P/P 41 0 R/Pg 20 0 R/K 1/ActualText(Name)>>"),
            (50, "<</Type/Outlines/First 51 0 R/Last 51 0 R/Count 1>>"),
            (51, "<</Title(Form)/Parent 50 0 R/Dest[20 0 R/XYZ 72 710 0]>>"),
        ],
    )
}

pub(crate) fn all() -> Vec<Vec<u8>> {
    vec![prose(), tables(), interactive()]
}
