//! Trace files: any format, any packing.

use crate::input::Input;
use halo_sim::trace::{BadLines, Format, Packing, read};

/// A trace: format, packing and what happens to bad lines, then the file.
pub fn traces(input: &[u8]) {
    let mut input = Input::new(input);
    let choices = input.byte();
    let packings = [Packing::Plain, Packing::Gzip, Packing::Xz, Packing::Zstandard];
    let packing = packings[usize::from(choices & 3)];
    let (_, format) = Format::NAMES[usize::from(choices >> 2) % Format::NAMES.len()];
    let file = input.rest();

    let strict = read("fuzzed", packing.unpack(file), format, BadLines::Refuse);
    let lenient = read("fuzzed", packing.unpack(file), format, BadLines::Skip);
    for request in lenient.iter().flat_map(|trace| &trace.requests) {
        let end = request.offset_bytes.checked_add(u64::from(request.bytes));
        assert!(request.bytes > 0 && end.is_some_and(|end| end <= 1 << 48), "an impossible request: {request:?}");
    }
    if let Ok(strict) = strict {
        assert_eq!(lenient.ok().as_ref(), Some(&strict), "skipping bad lines changed a trace that has none");
        assert_eq!(strict.skipped_lines, 0);
    }
}
