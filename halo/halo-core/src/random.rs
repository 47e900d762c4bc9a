//! A small seeded generator: tables and policies must repeat from run to run.

/// `SplitMix64`: one word of state, equidistributed, far more than a random walk through a hash table needs.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator that starts at `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`; the bias is below `bound / 2^32`.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0);
        if bound <= u32::MAX as u64 { ((self.next_u64() >> 32) * bound) >> 32 } else { self.next_u64() % bound }
    }
}

/// Spreads every bit of `word` over all 64 (Stafford's variant 13 of the `MurmurHash3` finaliser).
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
