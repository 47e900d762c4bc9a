//! Criterion benches of the write cache; see `benches/`. There is no library here.
