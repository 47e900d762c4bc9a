//! Zstandard files: several frames one after the other, each with its checksum.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fmt::Display;
use std::io::{self, BufRead, Read};

/// Unpacks all frames of a file; the library's own reader ends with the first, and compares no checksum.
pub(super) struct Unpacked<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Unpacked<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Begins the next frame that has data; false at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                // A frame of another kind says how long it is.
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut self.source.by_ref().take(u64::from(length)), &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(damaged("the file ends within a frame"));
                    }
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&self) -> io::Result<()> {
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(stored), Some(calculated)) if stored != calculated => Err(damaged("the checksum does not fit")),
            _ => Ok(()),
        }
    }
}

fn damaged(reason: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.to_string())
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                self.in_frame = self.begin_frame()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)).map_err(damaged)?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.end_frame()?;
            self.in_frame = false;
        }
    }
}
