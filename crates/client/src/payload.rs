//! The body of a response as it came: stretches in order, put together by whoever needs them together.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};

/// Shorter stretches are copied together. Each of them would keep the whole buffer alive that it was read into.
const SHORT: usize = 4 * 1024;

/// What is copied together is closed at this length, so that its growth never copies more.
const CLOSED: usize = 64 * 1024;

/// Memory of the caller's, lent for one body.
pub trait Room: std::fmt::Debug {
    /// What was written so far.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// False, and nothing written, if it is too much.
    #[must_use]
    fn write(&mut self, stretch: &[u8]) -> bool;

    /// What was written, where it was written.
    fn finish(self: Box<Self>) -> Bytes;
}

/// A body that came in one piece costs no allocation.
#[derive(Clone, Debug, Default)]
pub struct Payload {
    first: Bytes,
    middle: VecDeque<Bytes>,
    /// Short stretches put together.
    last: BytesMut,
    length: usize,
}

impl Payload {
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The stretches in order, none of them empty.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> + Clone {
        let middle = self.middle.iter().map(|stretch| &stretch[..]);
        let all = std::iter::once(&self.first[..]).chain(middle).chain([&self.last[..]]);
        all.filter(|stretch| !stretch.is_empty())
    }

    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.length);
        self.chunks().for_each(|stretch| all.extend_from_slice(stretch));
        all
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn push(&mut self, stretch: Bytes) {
        if self.is_empty() {
            *self = stretch.into();
            return;
        }
        self.length = self.length.saturating_add(stretch.len());
        if stretch.len() >= SHORT {
            self.close();
            self.middle.push_back(stretch);
            return;
        }
        self.last.extend_from_slice(&stretch);
        if self.last.len() >= CLOSED {
            self.close();
        }
    }

    fn close(&mut self) {
        if !self.last.is_empty() {
            self.middle.push_back(self.last.split().freeze());
        }
    }

    /// Takes the first stretch out.
    pub(crate) fn pop(&mut self) -> Option<Bytes> {
        self.close();
        let stretch = match std::mem::take(&mut self.first) {
            first if first.is_empty() => self.middle.pop_front()?,
            first => first,
        };
        self.length -= stretch.len();
        Some(stretch)
    }

    /// All of it as one stretch, which it is from then on.
    pub(crate) fn join(&mut self) -> &[u8] {
        if self.first.len() < self.length {
            *self = self.to_vec().into();
        }
        &self.first
    }
}

impl From<Bytes> for Payload {
    fn from(first: Bytes) -> Self {
        Self { length: first.len(), first, ..Self::default() }
    }
}

impl From<Vec<u8>> for Payload {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for Payload {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

impl From<&'static str> for Payload {
    fn from(text: &'static str) -> Self {
        Bytes::from(text).into()
    }
}

impl PartialEq for Payload {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.to_vec() == other.to_vec()
    }
}

impl<T: AsRef<[u8]> + ?Sized> PartialEq<T> for Payload {
    fn eq(&self, other: &T) -> bool {
        let mut rest = Some(other.as_ref());
        for stretch in self.chunks() {
            rest = rest.and_then(|rest| rest.strip_prefix(stretch));
        }
        rest.is_some_and(<[u8]>::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of different lengths and contents.
    fn stretches() -> Vec<Bytes> {
        let lengths = [1, 3, 0, SHORT, SHORT - 1, 2, 2 * SHORT, CLOSED - 1, 1];
        let pieces = lengths.into_iter().chain([1000; 100]).enumerate();
        pieces.map(|(n, length)| vec![n as u8; length].into()).collect()
    }

    fn of(stretches: &[Bytes]) -> Payload {
        let mut payload = Payload::default();
        stretches.iter().cloned().for_each(|stretch| payload.push(stretch));
        payload
    }

    #[test]
    fn stretches_stay_in_order() {
        for many in 0..stretches().len() {
            let stretches = &stretches()[..many];
            let (mut payload, whole) = (of(stretches), stretches.concat());
            assert_eq!((payload.len(), payload.is_empty()), (whole.len(), whole.is_empty()));
            assert_eq!(payload.to_vec(), whole);
            assert_eq!(payload, whole);
            assert_eq!(payload.chunks().collect::<Vec<_>>().concat(), whole);
            let mut popped = Vec::new();
            let mut rest = payload.clone();
            while let Some(stretch) = rest.pop() {
                popped.extend_from_slice(&stretch);
                assert_eq!(rest, whole[popped.len()..]);
            }
            assert_eq!((popped, rest.len()), (whole.clone(), 0));
            assert_eq!(payload.join(), whole);
            assert_eq!(payload.chunks().count(), usize::from(!whole.is_empty()));
        }
    }

    #[test]
    fn one_can_go_on_after_taking_out() {
        let mut payload = of(&["ab".into(), "cd".into()]);
        assert_eq!(payload.pop().unwrap(), "ab");
        payload.push("ef".into());
        assert_eq!(payload, "cdef");
        payload.clear();
        payload.push("g".into());
        assert_eq!(payload, "g");
    }

    #[test]
    fn long_stretches_are_not_copied() {
        let long = [Bytes::from(vec![1; 100]), vec![2; SHORT].into(), vec![3; 10 * SHORT].into()];
        let payload = of(&long);
        assert!(payload.chunks().map(<[u8]>::as_ptr).eq(long.iter().map(|stretch| stretch.as_ptr())));
        assert_eq!(of(&long[..1]).join().as_ptr(), long[0].as_ptr());
    }

    #[test]
    fn short_stretches_keep_no_buffer_alive() {
        let mut payload = Payload::default();
        for _ in 0..1_000_000 {
            payload.push(Bytes::from_static(b"x"));
        }
        assert!(payload.middle.len() <= 1_000_000 / CLOSED);
    }

    #[test]
    fn compares_with_all_bytes() {
        let payload = of(&["ab".into(), "cd".into()]);
        assert_eq!(payload, "abcd");
        assert_eq!(payload, Payload::from("abcd"));
        for other in ["", "abc", "abcde", "abce", "bbcd"] {
            assert_ne!(payload, other);
            assert_ne!(payload, Payload::from(other));
        }
        assert_eq!(Payload::default(), "");
    }
}
