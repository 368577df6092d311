//! The blob port on object_store.
