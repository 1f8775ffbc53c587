//! Text that comes in chunks, cut into its lines. It does not decode them.

use std::{collections::VecDeque, mem::take};

use bytes::{Buf, Bytes};
use memchr::memchr2;

/// Of one line without its end, and of the data of one event. Who sends more means no lines or events.
pub(super) const MAX_LINE: usize = 16 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLong {
    #[error("A line is longer than 16 MiB")]
    Line,
    #[error("The data of an event is longer than 16 MiB")]
    Data,
}

/// Lines end with LF, CRLF or CR. Each byte is looked at once, and copied only if its line lies in several chunks.
#[derive(Debug, Default)]
pub struct Lines {
    /// Not looked at yet; none is empty.
    chunks: VecDeque<Bytes>,
    /// A line without its end so far.
    begun: Vec<u8>,
    /// The last line ended with a CR: a LF that follows belongs to its end.
    after_cr: bool,
    gave_up: Option<TooLong>,
}

impl Lines {
    pub fn push(&mut self, chunk: Bytes) {
        if self.gave_up.is_none() && !chunk.is_empty() {
            self.chunks.push_back(chunk);
        }
    }

    /// None: more has to come first. After an error there is nothing but the same error.
    #[expect(clippy::should_implement_trait, reason = "more can follow a None")]
    pub fn next(&mut self) -> Result<Option<Bytes>, TooLong> {
        if let Some(why) = self.gave_up {
            return Err(why);
        }
        while let Some(mut chunk) = self.chunks.pop_front() {
            // Not waited for: a server that ends its lines with CR may be silent after it.
            if take(&mut self.after_cr) && chunk.first() == Some(&b'\n') {
                chunk.advance(1);
            }
            let end = memchr2(b'\r', b'\n', &chunk);
            let part = chunk.split_to(end.unwrap_or(chunk.len()));
            if self.begun.len().saturating_add(part.len()) > MAX_LINE {
                return Err(self.give_up(TooLong::Line));
            }
            if end.is_none() {
                self.begun.extend_from_slice(&part);
                continue;
            }
            self.after_cr = chunk.get_u8() == b'\r';
            if !chunk.is_empty() {
                self.chunks.push_front(chunk);
            }
            return Ok(Some(self.line(part)));
        }
        Ok(None)
    }

    /// At the end of the text, after the last [`next`](Self::next): a last line that has no end.
    pub fn finish(&mut self) -> Option<Bytes> {
        debug_assert!(self.chunks.is_empty());
        Some(take(&mut self.begun).into()).filter(|line: &Bytes| !line.is_empty())
    }

    /// Keeps nothing of the text, and takes no more of it.
    pub(super) fn give_up(&mut self, why: TooLong) -> TooLong {
        *self = Self { gave_up: Some(why), ..Self::default() };
        why
    }

    fn line(&mut self, last: Bytes) -> Bytes {
        if self.begun.is_empty() {
            return last;
        }
        let mut line = take(&mut self.begun);
        line.extend_from_slice(&last);
        line.into()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    fn drain(lines: &mut Lines) -> Vec<Bytes> {
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    /// Taken out after each chunk; the last one is what finish() gave.
    fn split(chunks: &[Bytes]) -> (Vec<Bytes>, Option<Bytes>) {
        let mut lines = Lines::default();
        let mut all = Vec::new();
        for chunk in chunks {
            lines.push(chunk.clone());
            all.extend(drain(&mut lines));
        }
        (all, lines.finish())
    }

    /// Pieces of 1, 2, ... bytes, and the whole.
    pub(crate) fn chunkings(text: &'static [u8]) -> impl Iterator<Item = Vec<Bytes>> {
        (1..=text.len().max(1)).map(|length| text.chunks(length).map(Bytes::from_static).collect())
    }

    /// Any bytes, more of those than chance gives that mean something in lines or events; cut anywhere, also into
    /// empty chunks.
    pub(crate) fn chunks() -> impl Strategy<Value = Vec<Bytes>> {
        const MEANT: &[&str] = &[
            "\r", "\n", "\r\n", "\n\n", ":", " ", "data", "data:", "event:", "id:", "retry:", "12", "\0",
            "\u{FEFF}", "🙂", "a",
        ];
        let meant = select(MEANT).prop_map(|word| word.as_bytes().to_vec());
        let word = prop_oneof![8 => meant, 1 => vec(any::<u8>(), 0..4)];
        (vec(word, 0..60), vec(0_usize..9, 1..60)).prop_map(|(words, lengths)| {
            let mut text = Bytes::from(words.concat());
            let mut chunks = Vec::new();
            for length in lengths {
                chunks.push(text.split_to(length.min(text.len())));
            }
            chunks.push(text);
            chunks
        })
    }

    #[test]
    fn lines_are_split_at_their_ends() {
        type Row = (&'static str, &'static [&'static str], Option<&'static str>);
        let table: &[Row] = &[
            ("", &[], None),
            ("a", &[], Some("a")),
            ("a\n", &["a"], None),
            ("a\r", &["a"], None),
            ("a\r\n", &["a"], None),
            ("a\nb", &["a"], Some("b")),
            ("a\rb", &["a"], Some("b")),
            ("a\r\nb", &["a"], Some("b")),
            ("\n", &[""], None),
            ("\r", &[""], None),
            ("\r\n", &[""], None),
            ("\n\r", &["", ""], None),
            ("\n\n", &["", ""], None),
            ("\r\r", &["", ""], None),
            ("\r\n\n", &["", ""], None),
            ("\r\r\n", &["", ""], None),
            ("\r\n\r\n", &["", ""], None),
            ("a\r\n\r\nb\r\n", &["a", "", "b"], None),
            ("one\ntwo\r\nthree\rfour", &["one", "two", "three"], Some("four")),
            ("a\u{85}b\u{2028}c\x0Bd\x0Ce\0\n", &["a\u{85}b\u{2028}c\x0Bd\x0Ce\0"], None),
        ];
        for (text, lines, last) in table {
            for chunks in chunkings(text.as_bytes()) {
                let expected = (lines.iter().map(|&line| line.into()).collect(), last.map(Bytes::from));
                assert_eq!(split(&chunks), expected, "{text:?} as {chunks:?}");
            }
        }
    }

    #[test]
    fn a_line_comes_with_its_end() {
        let mut lines = Lines::default();
        let table: &[(&str, &[&str])] = &[
            ("a", &[]),
            ("b\r", &["ab"]),
            ("", &[]),
            ("\n", &[]),
            ("\n", &[""]),
            ("\r", &[""]),
            ("\nc\nd\r\ne", &["c", "d"]),
            ("f", &[]),
            ("\n", &["ef"]),
        ];
        for (chunk, expected) in table {
            lines.push(Bytes::from_static(chunk.as_bytes()));
            assert_eq!(drain(&mut lines), *expected, "at {chunk:?}");
        }
        assert_eq!(lines.finish(), None);
    }

    #[test]
    fn a_line_within_a_chunk_is_not_copied() {
        let chunk = Bytes::from(b"one\ntwo\r\nthree".to_vec());
        let mut lines = Lines::default();
        lines.push(chunk.clone());
        let at = |from, to| chunk.slice(from..to).as_ptr_range();
        let found: Vec<_> = drain(&mut lines).iter().map(|line| line.as_ptr_range()).collect();
        assert_eq!(found, [at(0, 3), at(4, 7)]);
    }

    #[test]
    fn lines_have_a_longest_length() {
        // Of the line, of a chunk, and whether it is too long.
        let table = [
            (MAX_LINE, usize::MAX, false),
            (MAX_LINE, 1024 * 1024, false),
            (MAX_LINE, 1_000_003, false),
            (MAX_LINE + 1, usize::MAX, true),
            (MAX_LINE + 1, MAX_LINE, true),
            (MAX_LINE + 1, 1_000_003, true),
        ];
        for (length, chunk, too_long) in table {
            for end in ["", "\n", "\r\nmore\n"] {
                let mut lines = Lines::default();
                let mut text = Bytes::from([&b"first\n"[..], &vec![b'x'; length], end.as_bytes()].concat());
                while !text.is_empty() {
                    lines.push(text.split_to(chunk.min(text.len())));
                }
                assert_eq!(lines.next().unwrap().unwrap(), "first");
                let found = lines.next().map(|line| line.map(|line| line.len()));
                let ended = (!end.is_empty()).then_some(length);
                let expected = if too_long { Err(TooLong::Line) } else { Ok(ended) };
                assert_eq!(found, expected, "{length} bytes by {chunk}, then {end:?}");
                if !too_long && end.is_empty() {
                    assert_eq!(lines.finish().unwrap().len(), length);
                }
            }
        }
    }

    #[test]
    fn nothing_follows_a_line_that_is_too_long() {
        let mut lines = Lines::default();
        lines.push(vec![b'x'; MAX_LINE].into());
        assert_eq!(lines.next(), Ok(None));
        lines.push("x".into());
        for _ in 0..2 {
            assert_eq!(lines.next(), Err(TooLong::Line));
            lines.push("\na\n".into());
        }
        assert_eq!((lines.chunks.len(), lines.begun.capacity()), (0, 0));
        assert_eq!(lines.finish(), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn any_chunking_gives_the_same_lines(chunks in chunks()) {
            let text: Vec<u8> = chunks.concat();
            let found = split(&chunks);
            prop_assert_eq!(&found, &split(&[text.clone().into()]));

            let mut pushed_first = Lines::default();
            chunks.into_iter().for_each(|chunk| pushed_first.push(chunk));
            prop_assert_eq!(&found.0, &drain(&mut pushed_first));
            prop_assert_eq!(&found.1, &pushed_first.finish());

            // Latin-1, so that a char is a byte.
            let text: String = text.into_iter().map(char::from).collect();
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let found = found.0.into_iter().chain([found.1.unwrap_or_default()]);
            let found: Vec<String> = found.map(|line| line.into_iter().map(char::from).collect()).collect();
            prop_assert_eq!(found, text.split('\n').collect::<Vec<_>>());
        }
    }
}
