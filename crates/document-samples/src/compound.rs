//! Compound files (OLE).

use std::io::{Cursor, Write as _};

/// A compound file of streams. Their paths may contain storages.
#[must_use]
pub fn compound(streams: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).unwrap();
    for (path, content) in streams {
        if let Some((storage, _)) = path.rsplit_once('/') {
            file.create_storage_all(format!("/{storage}")).unwrap();
        }
        file.create_stream(format!("/{path}")).unwrap().write_all(content).unwrap();
    }
    file.flush().unwrap();
    file.into_inner().into_inner()
}
