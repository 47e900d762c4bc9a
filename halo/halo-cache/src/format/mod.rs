//! The bytes on cache and disk, as specified in `FORMAT.md`: encoding and decoding only.

mod item;
mod layout;
mod note;
mod record;

pub use item::{ITEM_BYTES, Item, ItemState, ZEROS_CHECKSUM};
pub use layout::{LABEL_BYTES, Layout};
pub use note::{Lacks, Note, PLACE_BYTES, Place};
pub use record::{
    Id, RECORD_BYTES, Record, RecordState, SMALL_MASK_VERSION, Stage, VERSION, WITHOUT_MASK_VERSION, version_of,
};
