//! A curve that visits every point of a box of 8 ranks x 16 banks x 16 stripes, from neighbour to neighbour.
//!
//! Deviation: the paper speaks of cubes, but 8 x 16 x 16 is none, and it does not say how the curve covers it. Here four
//! Hilbert curves of 8 x 8 x 8 stand in a square of banks and stripes, turned so that each ends beside the start of the next:
//! low banks and low stripes, high banks, high stripes, low banks again.

/// Points along each side of one Hilbert curve, as a power of two.
const ORDER: u32 = 3;
const SIDE: u32 = 1 << ORDER;
const POINTS: u32 = SIDE * SIDE * SIDE;

/// A place in the box.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// 0 to 7.
    pub rank: u32,
    /// 0 to 15.
    pub bank: u32,
    /// 0 to 15.
    pub stripe: u32,
}

/// The point at position `at` of the curve.
///
/// # Panics
/// When the curve has no such point: it has 2048.
pub fn curve_point(at: u32) -> Point {
    assert!(at < 4 * POINTS, "point {at} of {}", 4 * POINTS);
    // `along` leads from the curve's start to its end, over one side of the cube; the others begin and end at 0.
    let [along, second, third] = hilbert(at % POINTS);
    let last = SIDE - 1;
    match at / POINTS {
        0 => Point { rank: second, bank: along, stripe: third },
        1 => Point { rank: second, bank: SIDE + third, stripe: along },
        2 => Point { rank: second, bank: SIDE + third, stripe: SIDE + along },
        _ => Point { rank: second, bank: last - along, stripe: SIDE + last - third },
    }
}

/// Position on the three-dimensional Hilbert curve, first coordinate along the side from start to end.
///
/// Source: Skilling, *Programming the Hilbert curve*, AIP Conf. Proc. 707, 2004: transposed Gray code, undone level by level.
fn hilbert(at: u32) -> [u32; 3] {
    // Bits of the position, dealt out to the axes from the highest down.
    let mut axes = [0; 3];
    for bit in 0..ORDER * 3 {
        axes[(2 - bit % 3) as usize] |= (at >> bit & 1) << (bit / 3);
    }
    let carry = axes[2] >> 1;
    axes[2] ^= axes[1];
    axes[1] ^= axes[0];
    axes[0] ^= carry;
    let mut level = 2;
    while level < SIDE {
        let below = level - 1;
        for index in (0..3).rev() {
            if axes[index] & level == 0 {
                let swapped = (axes[0] ^ axes[index]) & below;
                axes[0] ^= swapped;
                axes[index] ^= swapped;
            } else {
                axes[0] ^= below;
            }
        }
        level <<= 1;
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn one_curve_starts_in_a_corner_and_ends_at_the_next_one() {
        assert_eq!((hilbert(0), hilbert(POINTS - 1)), ([0, 0, 0], [SIDE - 1, 0, 0]));
    }

    #[test]
    fn the_curve_visits_every_point_of_the_box_once() {
        let points: HashSet<_> = (0..2048).map(curve_point).collect();
        assert_eq!(points.len(), 8 * 16 * 16);
        assert!(points.iter().all(|point| point.rank < 8 && point.bank < 16 && point.stripe < 16));
    }

    #[test]
    fn each_point_is_a_neighbour_of_the_one_before() {
        for at in 1..2048 {
            let (before, point) = (curve_point(at - 1), curve_point(at));
            let distance = before.rank.abs_diff(point.rank)
                + before.bank.abs_diff(point.bank)
                + before.stripe.abs_diff(point.stripe);
            assert_eq!(distance, 1, "from {before:?} to {point:?}");
        }
    }
}
