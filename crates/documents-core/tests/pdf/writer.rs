//! Writes small PDFs: pages of content streams with standard fonts.

/// A page, US Letter.
#[derive(Clone, Default)]
pub(crate) struct Page {
    content: String,
    rotate: u32,
    /// Forms by name, with their content.
    forms: Vec<(String, String)>,
    /// Dictionaries of annotations.
    annotations: String,
}

/// Height of a page in points.
pub(crate) const HEIGHT: f64 = 792.0;

impl Page {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A line in Helvetica; its baseline begins at `x`, `y` from the top left corner.
    pub(crate) fn text(self, x: f64, y: f64, size: f64, text: &str) -> Self {
        self.font_text("F", x, y, size, text)
    }

    /// The same in one of the fonts of [`pdf`].
    pub(crate) fn font_text(self, font: &str, x: f64, y: f64, size: f64, text: &str) -> Self {
        let escape = |c: char| match c {
            '\\' | '(' | ')' => format!("\\{c}"),
            // A code of one byte.
            '\u{80}'..='\u{ff}' => format!("\\{:03o}", u32::from(c)),
            c => c.to_string(),
        };
        let escaped: String = text.chars().map(escape).collect();
        let y = HEIGHT - y;
        self.raw(&format!("BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET"))
    }

    /// Lines below each other.
    pub(crate) fn lines(self, x: f64, y: f64, size: f64, lines: &[&str]) -> Self {
        let leading = 1.2 * size;
        lines
            .iter()
            .enumerate()
            .fold(self, |page, (index, line)| page.text(x, y + leading * index as f64, size, line))
    }

    /// Operators of a content stream.
    pub(crate) fn raw(mut self, operators: &str) -> Self {
        self.content.push_str(operators);
        self.content.push('\n');
        self
    }

    /// A grey picture over the whole page.
    pub(crate) fn pictured(self) -> Self {
        self.raw("q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q")
    }

    /// An annotation with these entries; its box is given from the top left corner.
    pub(crate) fn annotation(mut self, [x0, y0, x1, y1]: [f64; 4], entries: &str) -> Self {
        let (low, high) = (HEIGHT - y1, HEIGHT - y0);
        self.annotations.push_str(&format!("<</Type/Annot/Rect[{x0} {low} {x1} {high}]{entries}>>"));
        self
    }

    pub(crate) fn rotated(mut self, degrees: u32) -> Self {
        self.rotate = degrees;
        self
    }

    /// A form that the page, or another form, can draw with `/name Do`.
    pub(crate) fn form(mut self, name: &str, content: &str) -> Self {
        self.forms.push((name.to_owned(), content.to_owned()));
        self
    }
}

/// A document whose fonts are `F` (Helvetica), `B` (bold) and `H`, whose letters from `A` on stand for
/// the Hebrew ones from alef on and whose 2 for the ligature fi, by a `ToUnicode`
/// map; the same codes, in two bytes, are Hiragana in `V`, which runs down, and in `W`, which does not,
/// and nothing in `U`.
pub(crate) fn pdf(pages: &[Page]) -> Vec<u8> {
    pdf_with(pages, "", "")
}

/// The same with more entries in the catalog, and with those of its information.
pub(crate) fn pdf_with(pages: &[Page], catalog_entries: &str, information: &str) -> Vec<u8> {
    let mut file = File::default();
    let catalog = file.reserve();
    let tree = file.reserve();
    let helvetica = file.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>");
    let bold = file.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>");
    let map = file.stream("", HEBREW.as_bytes());
    let hebrew = file.add(
        format!(
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode {map} 0 R>>"
        )
        .as_bytes(),
    );
    let wide_map = file.stream("", WIDE.as_bytes());
    let descriptor = file.add(b"<</Type/FontDescriptor/FontName/Column/Flags 4/FontBBox[0 0 1 1]>>");
    let descendant = file.add(
        format!(
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Column/FontDescriptor {descriptor} 0 R\
             /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>"
        )
        .as_bytes(),
    );
    let vertical = file.add(
        format!(
            "<</Type/Font/Subtype/Type0/BaseFont/Column/Encoding/Identity-V/DescendantFonts[{descendant} 0 R]\
             /ToUnicode {wide_map} 0 R>>"
        )
        .as_bytes(),
    );
    let unmapped = file.add(
        format!("<</Type/Font/Subtype/Type0/BaseFont/Column/Encoding/Identity-H/DescendantFonts[{descendant} 0 R]>>")
            .as_bytes(),
    );
    let fonts = format!(
        "/Font<</F {helvetica} 0 R/B {bold} 0 R/H {hebrew} 0 R/V {vertical} 0 R/U {unmapped} 0 R\
             /W<</Type/Font/Subtype/Type0/BaseFont/Column/Encoding/Identity-H/DescendantFonts[{descendant} 0 R]\
             /ToUnicode {wide_map} 0 R>>>>"
    );
    let mut kids = String::new();
    for page in pages {
        let resources = file.reserve();
        let mut forms = String::new();
        for (name, content) in &page.forms {
            let head = format!("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources {resources} 0 R");
            let form = file.stream(&head, content.as_bytes());
            forms.push_str(&format!("/{name} {form} 0 R"));
        }
        file.set(resources, format!("<<{fonts}/XObject<<{forms}>>>>").as_bytes());
        let content = file.stream("", page.content.as_bytes());
        let (rotate, annotations) = (page.rotate, &page.annotations);
        let number = file.add(
            format!(
                "<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 612 792]/Rotate {rotate}/Annots[{annotations}]/Contents {content} 0 R\
                 /Resources {resources} 0 R>>"
            )
            .as_bytes(),
        );
        kids.push_str(&format!("{number} 0 R "));
    }
    let count = pages.len();
    file.set(tree, format!("<</Type/Pages/Kids[{kids}]/Count {count}>>").as_bytes());
    file.set(catalog, format!("<</Type/Catalog/Pages {tree} 0 R{catalog_entries}>>").as_bytes());
    let information = file.add(format!("<<{information}>>").as_bytes());
    file.finish(&format!("/Root {catalog} 0 R/Info {information} 0 R"))
}

const HEBREW: &str = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
    /CMapName /Hebrew def /CMapType 2 def\n1 begincodespacerange <00> <FF> endcodespacerange\n\
    1 beginbfrange <41> <5A> <05D0> endbfrange\n2 beginbfchar <20> <0020> <32> <FB01> endbfchar\n\
    endcmap end end";

const WIDE: &str = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
    /CMapName /Wide def /CMapType 2 def\n1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
    1 beginbfrange <0041> <005A> <3042> endbfrange\nendcmap end end";

/// The objects of a file.
#[derive(Default)]
pub(crate) struct File {
    objects: Vec<Vec<u8>>,
}

impl File {
    /// The number of an object that is written later.
    pub(crate) fn reserve(&mut self) -> usize {
        self.objects.push(Vec::new());
        self.objects.len()
    }

    pub(crate) fn add(&mut self, object: &[u8]) -> usize {
        self.objects.push(object.to_vec());
        self.objects.len()
    }

    pub(crate) fn set(&mut self, number: usize, object: &[u8]) {
        self.objects[number - 1] = object.to_vec();
    }

    /// A stream with these entries in its dictionary.
    pub(crate) fn stream(&mut self, entries: &str, bytes: &[u8]) -> usize {
        let mut object = format!("<<{entries}/Length {}>>\nstream\n", bytes.len()).into_bytes();
        object.extend_from_slice(bytes);
        object.extend_from_slice(b"\nendstream");
        self.add(&object)
    }

    pub(crate) fn finish(&self, trailer: &str) -> Vec<u8> {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        let mut table = String::from("0000000000 65535 f \n");
        for (index, object) in self.objects.iter().enumerate() {
            table.push_str(&format!("{:010} 00000 n \n", bytes.len()));
            bytes.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
            bytes.extend_from_slice(object);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        let (start, size) = (bytes.len(), self.objects.len() + 1);
        bytes.extend_from_slice(
            format!("xref\n0 {size}\n{table}trailer\n<</Size {size}{trailer}>>\nstartxref\n{start}\n%%EOF\n")
                .as_bytes(),
        );
        bytes
    }
}

/// A zlib stream that inflates to `phrase` and many copies of it: one literal phrase and `matches`
/// references of 258 bytes back over it, in one block of fixed codes (RFC 1951, 3.2.6).
pub(crate) fn bomb(phrase: &[u8; 6], matches: usize) -> Vec<u8> {
    let mut bits = Bits { bytes: vec![0x78, 0x9c], used: 0 };
    bits.push(0b011, 3);
    for byte in phrase {
        bits.push_code(0x30 + u32::from(*byte), 8);
    }
    for _ in 0..matches {
        bits.push_code(0b1100_0101, 8);
        // Distance 6: code 4, and one bit above its base of 5.
        bits.push_code(4, 5);
        bits.push(1, 1);
    }
    bits.push_code(0, 7);
    bits.bytes
}

struct Bits {
    bytes: Vec<u8>,
    /// Bits used of the last byte; 0 asks for a new one.
    used: u32,
}

impl Bits {
    /// Appends bits, the least significant first.
    fn push(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.used == 0 {
                self.bytes.push(0);
            }
            let last = self.bytes.len() - 1;
            self.bytes[last] |= u8::try_from(value >> bit & 1).unwrap() << self.used;
            self.used = (self.used + 1) % 8;
        }
    }

    /// Appends a Huffman code, the most significant bit first.
    fn push_code(&mut self, code: u32, count: u32) {
        (0..count).rev().for_each(|bit| self.push(code >> bit & 1, 1));
    }
}
