//! Which statuses are retried.

use std::fmt;

use crate::given;

/// The lowest and the highest status that a set can hold (RFC 9110 section 15: 1xx to 5xx).
const FIRST: u16 = 100;
const LAST: u16 = 599;

/// One bit for each status from [`FIRST`] on, in words of 64.
const WORDS: usize = 8;
const WORD_BITS: u16 = 64;

/// A set of statuses, 100 to 599.
#[derive(Clone, PartialEq, Eq)]
pub struct StatusSet {
    bits: [u64; WORDS],
}

impl StatusSet {
    #[must_use]
    pub fn empty() -> Self {
        Self { bits: [0; WORDS] }
    }

    /// Adds one status.
    ///
    /// # Errors
    /// The rule when outside 100 to 599.
    pub fn insert(&mut self, status: i64) -> Result<(), String> {
        match u16::try_from(status) {
            Ok(fitting) if (FIRST..=LAST).contains(&fitting) => {
                self.set(fitting);
                Ok(())
            }
            _ => Err(rule(&status.to_string())),
        }
    }

    /// Adds a class written as '5xx' (case-insensitive x).
    ///
    /// # Errors
    /// The rule for anything else.
    pub fn insert_class(&mut self, class: &[u8]) -> Result<(), String> {
        let [digit @ b'1'..=b'5', b'x' | b'X', b'x' | b'X'] = class else {
            return Err(rule(&given::text(&String::from_utf8_lossy(class))));
        };
        let first = u16::from(digit - b'0') * 100;
        (first..first + 100).for_each(|status| self.set(status));
        Ok(())
    }

    #[must_use]
    pub fn contains(&self, status: u16) -> bool {
        let (word, mask) = place(status);
        self.bits.get(word).is_some_and(|bits| bits & mask != 0)
    }

    fn set(&mut self, status: u16) {
        let (word, mask) = place(status);
        if let Some(bits) = self.bits.get_mut(word) {
            *bits |= mask;
        }
    }
}

/// 429 and 5xx.
impl Default for StatusSet {
    fn default() -> Self {
        let mut set = Self::empty();
        set.set(429);
        (500..=LAST).for_each(|status| set.set(status));
        set
    }
}

impl fmt::Debug for StatusSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries((FIRST..=LAST).filter(|status| self.contains(*status))).finish()
    }
}

/// The word and the bit of a status; a status below [`FIRST`] has no word.
fn place(status: u16) -> (usize, u64) {
    match status.checked_sub(FIRST) {
        Some(offset) => (usize::from(offset / WORD_BITS), 1 << (offset % WORD_BITS)),
        None => (usize::MAX, 0),
    }
}

fn rule(given: &str) -> String {
    format!(r#"must contain only statuses from 100 to 599 and classes "1xx" to "5xx", {given} given"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_429_and_5xx() {
        let set = StatusSet::default();
        let held: Vec<u16> = (0..=u16::MAX).filter(|status| set.contains(*status)).collect();
        let mut expected = vec![429];
        expected.extend(500..=599);
        assert_eq!(held, expected);
    }

    #[test]
    fn single_statuses_go_in_alone() {
        for status in [100, 163, 164, 227, 228, 404, 599] {
            let mut set = StatusSet::empty();
            assert_eq!(set.insert(i64::from(status)), Ok(()));
            let held: Vec<u16> = (0..=u16::MAX).filter(|status| set.contains(*status)).collect();
            assert_eq!(held, [status]);
        }
    }

    #[test]
    fn statuses_outside_are_refused() {
        for status in [i64::MIN, -1, 0, 99, 600, 700, 65_536 + 429, i64::MAX] {
            let mut set = StatusSet::empty();
            assert_eq!(
                set.insert(status),
                Err(format!(
                    "must contain only statuses from 100 to 599 and classes \"1xx\" to \"5xx\", {status} given"
                ))
            );
            assert_eq!(set, StatusSet::empty());
        }
    }

    #[test]
    fn classes_hold_a_hundred_each() {
        for (class, first) in [("1xx", 100), ("2xX", 200), ("3Xx", 300), ("4XX", 400), ("5xx", 500)] {
            let mut set = StatusSet::empty();
            assert_eq!(set.insert_class(class.as_bytes()), Ok(()));
            let held: Vec<u16> = (0..=u16::MAX).filter(|status| set.contains(*status)).collect();
            assert_eq!(held, (first..first + 100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn other_classes_are_refused() {
        for class in ["", "5", "5x", "5xxx", "0xx", "6xx", "x5x", "429", " 5xx", "5yy"] {
            let mut set = StatusSet::empty();
            let rule = set.insert_class(class.as_bytes()).unwrap_err();
            assert!(rule.ends_with(&format!(", \"{class}\" given")), "{rule}");
        }
        assert!(StatusSet::empty().insert_class(b"\xff\x00x").is_err());
    }

    #[test]
    fn debug_names_the_statuses() {
        let mut set = StatusSet::empty();
        set.insert(429).unwrap();
        assert_eq!(format!("{set:?}"), "{429}");
    }
}
