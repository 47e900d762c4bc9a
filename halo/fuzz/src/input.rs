//! Fields from the fuzzer's bytes; behind their end everything is zero.

pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let (taken, rest) = self.0.split_at(N.min(self.0.len()));
        bytes[..taken.len()].copy_from_slice(taken);
        self.0 = rest;
        bytes
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let [byte] = self.bytes();
        byte
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    /// Mostly small numbers, so that they meet; 255 is followed by any number.
    pub(crate) fn number(&mut self) -> u64 {
        match self.byte() {
            255 => u64::from_le_bytes(self.bytes()),
            small => u64::from(small),
        }
    }
}
