//! What people are shown of a key: where its requests go, and what they have in common there.

pub(super) const LABEL_WORDS: usize = 14;

const BYTES: usize = LABEL_WORDS * size_of::<u64>();
/// A control character, so that neither text contains it (see [`clean`]).
const BETWEEN: u8 = 0x1f;
const TEXT: usize = BYTES - 1;
/// What an origin may take of it from a long scope.
const ORIGIN: usize = 71;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) origin: String,
    /// The model, the path, or the caller's own name for the limit.
    pub(crate) scope: String,
}

impl Label {
    /// Never begins with a word of zero. What does not fit is cut off.
    pub(super) fn encode(&self) -> [u64; LABEL_WORDS] {
        let (mut origin, mut scope) = (clean(&self.origin), clean(&self.scope));
        cut(&mut origin, ORIGIN.max(TEXT.saturating_sub(scope.len())));
        cut(&mut scope, TEXT.saturating_sub(origin.len()));
        let mut bytes = origin.into_bytes();
        bytes.push(BETWEEN);
        bytes.extend_from_slice(scope.as_bytes());
        let mut words = [0; LABEL_WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(size_of::<u64>())) {
            let mut whole = [0; size_of::<u64>()];
            whole.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            *word = u64::from_le_bytes(whole);
        }
        words
    }

    pub(super) fn decode(words: &[u64; LABEL_WORDS]) -> Self {
        let bytes: Vec<u8> =
            words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
        let mut parts = bytes.splitn(2, |byte| *byte == BETWEEN);
        let mut next = || clean(&String::from_utf8_lossy(parts.next().unwrap_or_default()));
        Self { origin: next(), scope: next() }
    }
}

/// Leaves nothing that moves a terminal's cursor, ends a line or turns the direction of text around.
fn clean(text: &str) -> String {
    let plain = |c: char| c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric();
    text.chars().map(|c| if plain(c) { c } else { '?' }).collect()
}

fn cut(text: &mut String, most: usize) {
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    if most < text.len() {
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(origin: &str, scope: &str) -> Label {
        Label { origin: origin.into(), scope: scope.into() }
    }

    fn round(origin: &str, scope: &str) -> Label {
        let words = label(origin, scope).encode();
        assert_ne!(words[0], 0);
        Label::decode(&words)
    }

    #[test]
    fn what_fits_comes_back() {
        for (origin, scope) in [
            ("https://api.example.com", "gpt-5"),
            ("http://[::1]:8080", ""),
            ("", ""),
            ("", "a"),
            ("https://example.com", "Übersetzung 漢字"),
        ] {
            assert_eq!(round(origin, scope), label(origin, scope));
        }
        let (origin, scope) = ("o".repeat(71), "s".repeat(40));
        assert_eq!(round(&origin, &scope), label(&origin, &scope));
    }

    #[test]
    fn what_is_too_long_is_cut_and_leaves_room_for_both() {
        let (long, short) = ("x".repeat(500), "y".repeat(30));
        assert_eq!(round(&long, &short), label(&long[..81], &short));
        assert_eq!(round(&short, &long), label(&short, &long[..81]));
        assert_eq!(round(&long, &long), label(&long[..71], &long[..40]));
        assert_eq!(round(&long, ""), label(&long[..111], ""));
        let wide = "ü".repeat(100);
        assert_eq!(round(&wide, &wide), label(&wide[..70], &wide[..40]));
    }

    #[test]
    fn control_characters_and_broken_text_become_question_marks() {
        assert_eq!(round("a\x1b[2Jb\n\0", "\u{202e}x\u{1f}y\u{7f}"), label("a?[2Jb??", "?x?y?"));
        let raw = u64::from_le_bytes([b'a', 0xff, 0xc3, 0x1b, 0x1f, 0x1f, b'b', 0]);
        let mut words = [u64::MAX; LABEL_WORDS];
        words[0] = raw;
        assert_eq!(Label::decode(&words), label("a???", "?b"));
        assert_eq!(Label::decode(&[0; LABEL_WORDS]), Label::default());
    }
}
