//! The word that says what is left of a window.

/// 16 bits of a tag, and what is left in 48. For small windows these are a mark, what the first answer told in 23 bits,
/// and what is left in 24.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Left {
    pub(super) tag: u16,
    pub(super) left: f64,
    /// What was left by the first answer; `None` where that is not needed any more, or is too much to matter.
    pub(super) start: Option<f64>,
}

const BITS: u32 = 48;
const MOST: u64 = (1 << (BITS - 1)) - 1;
const SMALL_BITS: u32 = 24;
const MOST_SMALL: u64 = (1 << SMALL_BITS) - 1;
const MOST_START: u64 = MOST_SMALL >> 1;
const IS_SMALL: u64 = 1 << (BITS - 1);

impl Left {
    pub(super) fn of(word: u64) -> Self {
        let tag = (word >> BITS) as u16;
        if word & IS_SMALL == 0 {
            return Self { tag, left: (word & MOST) as f64, start: None };
        }
        let start = (word >> SMALL_BITS & MOST_START) as f64;
        Self { tag, left: (word & MOST_SMALL) as f64, start: Some(start) }
    }

    pub(super) fn word(self) -> u64 {
        // `as` saturates and takes NaN for zero.
        let left = self.left as u64;
        let tag = u64::from(self.tag) << BITS;
        match self.start.map(|start| start as u64) {
            Some(start) if start <= MOST_START && left <= MOST_SMALL => {
                tag | IS_SMALL | start << SMALL_BITS | left
            }
            _ => tag | left.min(MOST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_all() {
        for (left, start, back, start_back) in [
            (5.0, None, 5.0, None),
            (5.9, Some(7.0), 5.0, Some(7.0)),
            (-3.0, Some(8_388_607.0), 0.0, Some(8_388_607.0)),
            (5.0, Some(8_388_608.0), 5.0, None),
            (16_777_216.0, Some(1.0), 16_777_216.0, None),
            (1e30, None, MOST as f64, None),
            (f64::NAN, None, 0.0, None),
        ] {
            let word = Left { tag: 0xfffe, left, start }.word();
            assert_eq!(Left::of(word), Left { tag: 0xfffe, left: back, start: start_back });
        }
    }
}
