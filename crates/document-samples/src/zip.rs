//! ZIP files.

use std::io::Write as _;

/// A ZIP archive whose files are stored or deflated.
#[must_use]
pub fn archive(files: &[(&str, &[u8])], deflate: bool) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let offset = u32::try_from(bytes.len()).unwrap();
        let packed = if deflate { deflate_bytes(content) } else { content.to_vec() };
        let mut common = vec![20, 0, 0, 0, if deflate { 8 } else { 0 }, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        common.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
        common.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (offset, size) = (bytes.len(), directory.len());
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(u16::try_from(files.len()).unwrap().to_le_bytes());
    bytes.extend(u16::try_from(files.len()).unwrap().to_le_bytes());
    bytes.extend(u32::try_from(size).unwrap().to_le_bytes());
    bytes.extend(u32::try_from(offset).unwrap().to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn deflate_bytes(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}
