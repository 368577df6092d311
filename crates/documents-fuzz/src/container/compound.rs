//! Compound files (OLE).

use std::io::{Cursor, Read as _, Write as _};

use super::{INFLATED, Part};

/// The streams with their paths.
pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<Part>> {
    let mut file = cfb::CompoundFile::open(Cursor::new(bytes)).ok()?;
    let paths: Vec<_> =
        file.walk().filter(cfb::Entry::is_stream).map(|entry| entry.path().to_path_buf()).collect();
    let mut parts = Vec::new();
    for path in paths {
        let mut content = Vec::new();
        file.open_stream(&path).ok()?.take(INFLATED).read_to_end(&mut content).ok()?;
        let name = path.to_str()?.trim_start_matches('/').to_owned();
        parts.push(Part { name, content, ..Part::default() });
    }
    Some(parts)
}

/// A file of streams; those with an invalid name are left out.
pub(super) fn pack(parts: &[Part]) -> Option<Vec<u8>> {
    let mut file = cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).ok()?;
    for part in parts {
        if let Some((storage, _)) = part.name.rsplit_once('/') {
            file.create_storage_all(format!("/{storage}")).ok();
        }
        if let Ok(mut stream) = file.create_stream(format!("/{}", part.name)) {
            stream.write_all(&part.content).ok()?;
        }
    }
    file.flush().ok()?;
    Some(file.into_inner().into_inner())
}
