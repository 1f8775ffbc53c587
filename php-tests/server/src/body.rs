//! The bytes of an answer, whole or as a repeated unit, so that a body of many gigabytes costs a few kilobytes.

use bytes::{Bytes, BytesMut};

/// A repeated unit is laid out this far, to be sent in blocks rather than byte by byte.
const BLOCK: usize = 64 * 1024;

#[derive(Clone, Debug)]
pub enum Body {
    Whole(Bytes),
    Repeat { block: Bytes, total: u64 },
}

impl Default for Body {
    fn default() -> Self {
        Self::Whole(Bytes::new())
    }
}

impl Body {
    /// `unit` over and over, `total` bytes long. An empty unit is an empty body.
    #[must_use]
    pub fn repeat(unit: &[u8], total: u64) -> Self {
        if unit.is_empty() {
            return Self::default();
        }
        // Whole units only: a piece that starts again at the block's beginning then continues the pattern.
        let enough = usize::try_from(total).unwrap_or(BLOCK).min(BLOCK);
        let mut block = BytesMut::with_capacity(enough + unit.len());
        while block.len() < enough {
            block.extend_from_slice(unit);
        }
        Self::Repeat { block: block.freeze(), total }
    }

    #[must_use]
    pub fn len(&self) -> u64 {
        match self {
            Self::Whole(bytes) => bytes.len() as u64,
            Self::Repeat { total, .. } => *total,
        }
    }

    /// Shorter, never longer.
    #[must_use]
    pub fn cut(self, to: u64) -> Self {
        match self {
            Self::Whole(bytes) => {
                let to = usize::try_from(to).unwrap_or(usize::MAX).min(bytes.len());
                Self::Whole(bytes.slice(..to))
            }
            Self::Repeat { block, total } => Self::Repeat { block, total: total.min(to) },
        }
    }

    /// The bytes in order, in pieces of at most `size`.
    #[must_use]
    pub fn pieces(&self, size: u64) -> Pieces {
        let size = usize::try_from(size.max(1)).unwrap_or(usize::MAX);
        let (block, left) = match self {
            Self::Whole(bytes) => (bytes.clone(), bytes.len() as u64),
            Self::Repeat { block, total } => (block.clone(), *total),
        };
        Pieces { block, left, at: 0, size }
    }
}

#[derive(Clone, Debug)]
pub struct Pieces {
    block: Bytes,
    left: u64,
    at: usize,
    size: usize,
}

impl Iterator for Pieces {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        if self.left == 0 || self.block.is_empty() {
            return None;
        }
        let here = self.block.len() - self.at;
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let take = self.size.min(here).min(left);
        let piece = self.block.slice(self.at..self.at + take);
        self.at = if take == here { 0 } else { self.at + take };
        self.left -= take as u64;
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_body_keeps_its_pattern_over_block_ends() {
        let total = 3 * BLOCK as u64 + 1;
        let all: Vec<u8> = Body::repeat(b"abc", total).pieces(1000).flatten().collect();
        assert_eq!(all.len() as u64, total);
        assert!(all.iter().enumerate().all(|(i, b)| *b == b"abc"[i % 3]));
    }

    #[test]
    fn pieces_of_a_whole_body_join_to_it() {
        let body = Body::Whole(Bytes::from_static(b"hello world"));
        assert_eq!(body.pieces(3).count(), 4);
        assert_eq!(body.cut(5).pieces(100).next().unwrap(), "hello");
    }
}
