//! The rotation: one line more than there is data, and a gap that wanders through all of them.

/// Maps `lines` logical lines to `lines + 1` physical ones, of which one is the gap.
///
/// logical l -> p = (l + start) mod n; if p >= gap then p + 1. Every `interval` writes the line before the gap moves into
/// it; when the gap has wandered through all lines, start is one higher, and every line has moved by one.
/// Source: Qureshi et al., MICRO 2009; Auburn §3.2.1 with stripes as lines.
#[derive(Clone, Debug)]
pub struct StartGap {
    lines: u32,
    start: u32,
    gap: u32,
    writes: u32,
    interval: u32,
}

/// The content of physical line `from` was copied to `to`, which is a write to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The new gap.
    pub from: u32,
    /// The old gap.
    pub to: u32,
}

impl StartGap {
    /// A rotation of `lines` lines that moves one of them every `interval` writes.
    ///
    /// # Panics
    /// When either is 0.
    pub fn new(lines: u32, interval: u32) -> Self {
        assert!(lines > 0 && interval > 0, "{lines} lines, moved every {interval} writes");
        Self { lines, start: 0, gap: lines, writes: 0, interval }
    }

    /// Where logical line `logical` is now: 0 to `lines`.
    pub fn place(&self, logical: u32) -> u32 {
        debug_assert!(logical < self.lines);
        let turned = logical + self.start;
        let turned = if turned >= self.lines { turned - self.lines } else { turned };
        if turned >= self.gap { turned + 1 } else { turned }
    }

    /// Counts a write; a step when one is due.
    pub fn written(&mut self) -> Option<Step> {
        self.writes += 1;
        if self.writes < self.interval {
            return None;
        }
        self.writes = 0;
        Some(self.step())
    }

    fn step(&mut self) -> Step {
        let to = self.gap;
        if self.gap == 0 {
            self.gap = self.lines;
            self.start = (self.start + 1) % self.lines;
        } else {
            self.gap -= 1;
        }
        Step { from: self.gap, to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory that is moved as told: at every moment each line's content must be where the map says.
    fn contents_follow_the_map(lines: u32, check_all_every: u32) {
        let mut rotation = StartGap::new(lines, 1);
        let mut memory: Vec<u32> = (0..=lines).collect();
        memory[lines as usize] = u32::MAX;
        // A whole turn brings every line back to where it was.
        for moment in 0..lines * (lines + 1) {
            let Some(step) = rotation.written() else { panic!("each write moves a line") };
            let moved = memory[step.from as usize];
            memory[step.to as usize] = moved;
            memory[step.from as usize] = u32::MAX;
            assert_eq!(rotation.place(moved), step.to, "moment {moment}");
            if moment % check_all_every == 0 {
                for logical in 0..lines {
                    assert_eq!(memory[rotation.place(logical) as usize], logical, "moment {moment}");
                }
            }
        }
        assert_eq!(
            (0..lines).map(|logical| rotation.place(logical)).collect::<Vec<_>>(),
            (0..lines).collect::<Vec<_>>()
        );
    }

    #[test]
    fn every_line_is_found_at_every_moment_of_a_whole_turn() {
        for lines in 1..40 {
            contents_follow_the_map(lines, 1);
        }
        contents_follow_the_map(crate::STRIPES, 1);
    }

    /// The rotation of a cube: the moved line at every moment, all lines every 500 moments.
    #[test]
    fn a_cube_of_2048_lines_is_consistent_through_a_whole_turn() {
        contents_follow_the_map(2048, 500);
    }

    #[test]
    fn a_line_moves_only_when_the_interval_is_over() {
        let mut rotation = StartGap::new(8, 100);
        assert!((1..100).all(|_| rotation.written().is_none()));
        assert_eq!(rotation.written(), Some(Step { from: 7, to: 8 }));
        assert!(rotation.written().is_none());
    }
}
