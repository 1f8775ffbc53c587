//! Replaces `{{…}}` placeholders, so that a script written in advance can name a time relative to its answer.
//!
//! Known: `http_date`, `rfc850`, `asctime`, `rfc3339`, `unix`, `unix_ms`, each with an optional offset in seconds
//! (`{{http_date+3}}`, `{{unix-60}}`; for `unix_ms` the offset is in milliseconds). Anything else stays as it is.

use crate::clock::Stamp;
use crate::dates;

const OPEN: &[u8] = b"{{";
const CLOSE: &[u8] = b"}}";

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

#[must_use]
pub fn has_placeholder(text: &[u8]) -> bool {
    find(text, OPEN).is_some()
}

#[must_use]
pub fn fill(text: &[u8], now: Stamp) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some(start) = find(rest, OPEN) {
        let (before, from_open) = rest.split_at(start);
        out.extend_from_slice(before);
        let (open, inner) = from_open.split_at(OPEN.len());
        let Some(end) = find(inner, CLOSE) else {
            rest = from_open;
            break;
        };
        let (name, tail) = inner.split_at(end);
        let (close, tail) = tail.split_at(CLOSE.len());
        match std::str::from_utf8(name).ok().and_then(|n| value_of(n, now)) {
            Some(value) => out.extend_from_slice(value.as_bytes()),
            None => {
                out.extend_from_slice(open);
                out.extend_from_slice(name);
                out.extend_from_slice(close);
            }
        }
        rest = tail;
    }
    out.extend_from_slice(rest);
    out
}

fn value_of(placeholder: &str, now: Stamp) -> Option<String> {
    let placeholder = placeholder.trim();
    let (name, offset) = match placeholder.find(['+', '-']) {
        Some(at) => {
            let (name, offset) = placeholder.split_at_checked(at)?;
            (name.trim(), offset.trim_start_matches('+').parse::<i64>().ok()?)
        }
        None => (placeholder, 0),
    };
    let at = now.unix_seconds().saturating_add(offset);
    Some(match name {
        "http_date" => dates::http_date(at),
        "rfc850" => dates::rfc850(at),
        "asctime" => dates::asctime(at),
        "rfc3339" => dates::rfc3339(at),
        "unix" => at.to_string(),
        "unix_ms" => {
            i64::try_from(now.unix_ns / 1_000_000).unwrap_or(i64::MAX).saturating_add(offset).to_string()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_known_names_and_leaves_the_rest() {
        let now = Stamp { unix_ns: 784_111_777_500_000_000, monotonic_ns: 0 };
        let cases = [
            ("{{http_date}}", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("a {{unix+3}} b {{unix-7}}", "a 784111780 b 784111770"),
            ("{{unix_ms+1}}", "784111777501"),
            ("{{nothing}} {{unix", "{{nothing}} {{unix"),
            ("plain", "plain"),
        ];
        for (text, wanted) in cases {
            assert_eq!(String::from_utf8(fill(text.as_bytes(), now)).unwrap(), wanted);
        }
    }
}
