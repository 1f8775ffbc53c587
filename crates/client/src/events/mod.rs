//! Server-sent events, read from the lines of a body. It does not reconnect: `id` and `retry` are told, not acted on.
//!
//! The rules are those of <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>.

mod lines;

use std::{
    mem::{replace, take},
    time::Duration,
};

use bytes::Bytes;

use lines::MAX_LINE;
pub use lines::{Lines, TooLong};

const BOM: &[u8] = "\u{FEFF}".as_bytes();

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// "message" if the server names none.
    pub event: String,
    pub data: String,
    /// The last one that came, be it with an earlier event; empty if there was none.
    pub id: String,
    /// Only if it came with this event, or between the last one and this.
    pub retry: Option<Duration>,
}

/// An event that is not ended by an empty line is none: at the end of the body there is nothing to finish.
#[derive(Debug, Default)]
pub struct Events {
    lines: Lines,
    /// Past the first line, the only one that can begin with a byte order mark.
    begun: bool,
    block: Block,
    id: String,
}

/// The fields of an event since the last empty line.
#[derive(Debug, Default)]
struct Block {
    event: String,
    /// Without the LF that the standard appends to each line and takes off the last.
    data: Option<String>,
    retry: Option<Duration>,
}

impl Events {
    pub fn push(&mut self, chunk: Bytes) {
        self.lines.push(chunk);
    }

    /// None: more has to come first. After an error there is nothing but the same error.
    #[expect(clippy::should_implement_trait, reason = "more can follow a None")]
    pub fn next(&mut self) -> Result<Option<Event>, TooLong> {
        while let Some(line) = self.lines.next()? {
            let mark = if replace(&mut self.begun, true) { &[] } else { BOM };
            let line = line.strip_prefix(mark).unwrap_or(&line);
            if !line.is_empty() {
                self.read(line)?;
            } else if let Some(event) = self.dispatch() {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    fn read(&mut self, line: &[u8]) -> Result<(), TooLong> {
        let mut parts = line.splitn(2, |&byte| byte == b':');
        let field = parts.next().unwrap_or_default();
        let value = parts.next().unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => self.add_data(value)?,
            b"event" => self.block.event = decode(value),
            b"id" if !value.contains(&0) => self.id = decode(value),
            b"retry" => self.block.retry = milliseconds(value).or(self.block.retry),
            // A comment too: its field has no name.
            _ => {}
        }
        Ok(())
    }

    fn add_data(&mut self, value: &[u8]) -> Result<(), TooLong> {
        let data = match self.block.data.take() {
            None => decode(value),
            Some(mut data) => {
                data.push('\n');
                data.push_str(&String::from_utf8_lossy(value));
                data
            }
        };
        if data.len() > MAX_LINE {
            return Err(self.lines.give_up(TooLong::Data));
        }
        self.block.data = Some(data);
        Ok(())
    }

    fn dispatch(&mut self) -> Option<Event> {
        let Block { mut event, data, retry } = take(&mut self.block);
        let Some(data) = data else {
            self.block.retry = retry;
            return None;
        };
        if event.is_empty() {
            event.push_str("message");
        }
        Some(Event { event, data, id: self.id.clone(), retry })
    }
}

/// The same as decoding the whole body first: no sequence, valid or not, goes past an ASCII byte, and values are cut
/// at such bytes.
fn decode(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

fn milliseconds(digits: &[u8]) -> Option<Duration> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits = digits.iter().map(|digit| u64::from(digit & 0x0F));
    Some(Duration::from_millis(
        digits.fold(0, |sum: u64, digit| sum.saturating_mul(10).saturating_add(digit)),
    ))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        lines::tests::{chunkings, chunks},
        *,
    };

    fn drain(events: &mut Events) -> Vec<Event> {
        std::iter::from_fn(|| events.next().unwrap()).collect()
    }

    fn read(chunks: &[Bytes]) -> Vec<Event> {
        let mut events = Events::default();
        let mut all = Vec::new();
        for chunk in chunks {
            events.push(chunk.clone());
            all.extend(drain(&mut events));
        }
        all
    }

    fn event(event: &str, data: &str, id: &str, retry: Option<u64>) -> Event {
        Event {
            event: event.into(),
            data: data.into(),
            id: id.into(),
            retry: retry.map(Duration::from_millis),
        }
    }

    fn assert_events(text: &'static [u8], expected: &[Event]) {
        for chunks in chunkings(text) {
            assert_eq!(read(&chunks), expected, "{:?} as {chunks:?}", text.escape_ascii().to_string());
        }
    }

    #[test]
    fn fields_are_read_as_the_standard_says() {
        type Row = (&'static [u8], &'static [&'static str]);
        let data_alone: &[Row] = &[
            (b"", &[]),
            (b"\n\n\n", &[]),
            (b"data: a\n\n", &["a"]),
            (b"data: a\r\r", &["a"]),
            (b"data: a\r\n\r\n", &["a"]),
            (b"data: a\n\ndata: b\n\n", &["a", "b"]),
            // One space after the colon, no other.
            (b"data:a\n\n", &["a"]),
            (b"data:  a \n\n", &[" a "]),
            (b"data:\ta\n\n", &["\ta"]),
            (b"data: a: b\n\n", &["a: b"]),
            // Lines of data.
            (b"data: a\ndata: b\n\n", &["a\nb"]),
            (b"data: a\nid\ndata: b\n\n", &["a\nb"]),
            (b"data: a\ndata:\n\n", &["a\n"]),
            (b"data:\ndata: a\n\n", &["\na"]),
            (b"data\n\ndata\ndata\n\ndata:", &["", "\n"]),
            (b"data:\n\n", &[""]),
            (b"data: YHOO\ndata: +2\ndata: 10\n\n", &["YHOO\n+2\n10"]),
            // Comments and what is no field.
            (b": a\n\n", &[]),
            (b":data: a\n\n", &[]),
            (b": a\ndata: b\n:\ndata: c\n\n", &["b\nc"]),
            (b"foo: a\ndata: b\n\n", &["b"]),
            (b"Data: a\nDATA: b\n data: c\ndata : d\ndatas: e\ndat: f\n\n", &[]),
            // What is not ended by an empty line.
            (b"data: a", &[]),
            (b"data: a\n", &[]),
            (b"data: a\n\ndata: b\n", &["a"]),
            // One byte order mark, at the start only.
            (b"\xEF\xBB\xBFdata: a\n\n", &["a"]),
            (b"\xEF\xBB\xBF\ndata: a\n\n", &["a"]),
            (b"\xEF\xBB\xBF\xEF\xBB\xBFdata: a\n\n", &[]),
            (b"\n\xEF\xBB\xBFdata: a\n\n", &[]),
            (b"\xEF\xBBdata: a\n\n", &[]),
            (b"data: \xEF\xBB\xBFa\n\n", &["\u{FEFF}a"]),
            // Text in UTF-8: what is none becomes U+FFFD, one for each longest beginning of a sequence.
            (b"data: \xF0\x9F\x99\x82 \xC3\xA9\n\n", &["\u{1F642} \u{E9}"]),
            (b"data: \xFF\xFEa\n\n", &["\u{FFFD}\u{FFFD}a"]),
            (b"data: \xF0\x9F\ndata: \x99\x82\n\n", &["\u{FFFD}\n\u{FFFD}\u{FFFD}"]),
            (b"data: \xED\xA0\x80\xC0\x80\n\n", &["\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"]),
            (b"data: \0\n\n", &["\0"]),
        ];
        for (text, expected) in data_alone {
            let expected: Vec<_> = expected.iter().map(|data| event("message", data, "", None)).collect();
            assert_events(text, &expected);
        }
    }

    #[test]
    fn events_have_a_name() {
        type Row = (&'static [u8], &'static [(&'static str, &'static str)]);
        let table: &[Row] = &[
            (b"event: add\ndata: a\n\n", &[("add", "a")]),
            (b"data: a\nevent: add\n\n", &[("add", "a")]),
            (b"event: add\nevent: remove\ndata: a\n\n", &[("remove", "a")]),
            (b"event: add\nevent\ndata: a\n\n", &[("message", "a")]),
            (b"event: add\ndata: a\n\ndata: b\n\n", &[("add", "a"), ("message", "b")]),
            (b"event: \xC3\xA9\xFF\ndata: a\n\n", &[("\u{E9}\u{FFFD}", "a")]),
            // Without data it is no event, and its name is forgotten.
            (b"event: add\n\ndata: a\n\n", &[("message", "a")]),
        ];
        for (text, expected) in table {
            let expected: Vec<_> = expected.iter().map(|(name, data)| event(name, data, "", None)).collect();
            assert_events(text, &expected);
        }
    }

    #[test]
    fn an_id_stays_until_the_next() {
        type Row = (&'static [u8], &'static [(&'static str, &'static str)]);
        let table: &[Row] = &[
            (b"id: 1\ndata: a\n\n", &[("a", "1")]),
            (b"data: a\nid: 1\n\n", &[("a", "1")]),
            (b"id: 1\nid: 2\ndata: a\n\n", &[("a", "2")]),
            (b"id: 1\ndata: a\n\ndata: b\n\n", &[("a", "1"), ("b", "1")]),
            (b"id: 1\ndata: a\n\nid\ndata: b\n\n", &[("a", "1"), ("b", "")]),
            (b"id: 1\ndata: a\n\nid:\ndata: b\n\n", &[("a", "1"), ("b", "")]),
            (b"id: 1\n\ndata: a\n\n", &[("a", "1")]),
            (b"id: 1\nid: 2\0\ndata: a\n\n", &[("a", "1")]),
            (b"ID: 1\ndata: a\n\n", &[("a", "")]),
            (b"id: \xC3\xA9\xFF\ndata: a\n\n", &[("a", "\u{E9}\u{FFFD}")]),
        ];
        for (text, expected) in table {
            let expected: Vec<_> =
                expected.iter().map(|(data, id)| event("message", data, id, None)).collect();
            assert_events(text, &expected);
        }
    }

    #[test]
    fn a_retry_is_digits_and_belongs_to_the_event_that_follows() {
        type Row = (&'static [u8], &'static [(&'static str, Option<u64>)]);
        let table: &[Row] = &[
            (b"retry: 1500\ndata: a\n\n", &[("a", Some(1500))]),
            (b"retry:007\ndata: a\n\n", &[("a", Some(7))]),
            (b"retry: 0\ndata: a\n\n", &[("a", Some(0))]),
            (b"retry: 1\nretry: 2\ndata: a\n\n", &[("a", Some(2))]),
            (b"retry: 1\nretry: x\ndata: a\n\n", &[("a", Some(1))]),
            (b"retry: 1\ndata: a\n\ndata: b\n\n", &[("a", Some(1)), ("b", None)]),
            (b"retry: 1\n\ndata: a\n\ndata: b\n\n", &[("a", Some(1)), ("b", None)]),
            (b"retry: 18446744073709551615\ndata: a\n\n", &[("a", Some(u64::MAX))]),
            (b"retry: 18446744073709551616\ndata: a\n\n", &[("a", Some(u64::MAX))]),
            (b"retry: 99999999999999999999999999\ndata: a\n\n", &[("a", Some(u64::MAX))]),
            (b"retry\ndata: a\n\n", &[("a", None)]),
            (b"retry:\ndata: a\n\n", &[("a", None)]),
            (b"retry: 1 \ndata: a\n\n", &[("a", None)]),
            (b"retry:  1\ndata: a\n\n", &[("a", None)]),
            (b"retry: +1\ndata: a\n\n", &[("a", None)]),
            (b"retry: -1\ndata: a\n\n", &[("a", None)]),
            (b"retry: 1.5\ndata: a\n\n", &[("a", None)]),
            (b"retry: 1e3\ndata: a\n\n", &[("a", None)]),
            (b"retry: \xD9\xA1\ndata: a\n\n", &[("a", None)]),
        ];
        for (text, expected) in table {
            let expected: Vec<_> =
                expected.iter().map(|(data, retry)| event("message", data, "", *retry)).collect();
            assert_events(text, &expected);
        }
    }

    #[test]
    fn an_event_comes_with_its_empty_line() {
        let mut events = Events::default();
        let table: &[(&str, &[&str])] = &[
            ("data: a\n", &[]),
            ("\r", &["a"]),
            ("\ndata: b\r", &[]),
            ("\n", &[]),
            ("\r", &["b"]),
            ("\n", &[]),
            ("data: c\n\ndata: d\n\ndata: e", &["c", "d"]),
            ("\n\n", &["e"]),
        ];
        for (chunk, expected) in table {
            events.push(Bytes::from_static(chunk.as_bytes()));
            let found: Vec<_> = drain(&mut events).into_iter().map(|event| event.data).collect();
            assert_eq!(found, *expected, "at {chunk:?}");
        }
    }

    #[test]
    fn the_data_of_an_event_has_a_longest_length() {
        const HALF: usize = MAX_LINE / 2;
        // The lengths of its lines, the byte they are made of, and the lengths of the data that come, or the error.
        type Row = (&'static [usize], u8, Result<usize, TooLong>);
        let table: &[Row] = &[
            (&[MAX_LINE - 5], b'x', Ok(MAX_LINE - 5)),
            (&[MAX_LINE - 4], b'x', Err(TooLong::Line)),
            (&[HALF, HALF - 1], b'x', Ok(MAX_LINE)),
            (&[HALF, HALF], b'x', Err(TooLong::Data)),
            (&[HALF, HALF - 2, 0], b'x', Ok(MAX_LINE)),
            (&[HALF, HALF - 1, 0], b'x', Err(TooLong::Data)),
            // U+FFFD has three bytes.
            (&[MAX_LINE / 3], 0xFF, Ok(MAX_LINE / 3 * 3)),
            (&[MAX_LINE / 3 + 1], 0xFF, Err(TooLong::Data)),
        ];
        for &(lengths, byte, expected) in table {
            let mut events = Events::default();
            events.push("data: first\n\n".into());
            for &length in lengths {
                events.push("data:".into());
                events.push(vec![byte; length].into());
                events.push("\n".into());
            }
            events.push("\ndata: last\n\n".into());
            let mut next = || events.next().map(|event| event.unwrap().data.len());
            let found = [next(), next(), next()];
            // Nothing follows an error but itself.
            let last = expected.map(|_| "last".len());
            assert_eq!(found, [Ok("first".len()), expected, last], "{lengths:?} of {byte}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn any_chunking_gives_the_same_events(chunks in chunks()) {
            let found = read(&chunks);
            prop_assert_eq!(&found, &read(&[chunks.concat().into()]));

            let mut pushed_first = Events::default();
            chunks.into_iter().for_each(|chunk| pushed_first.push(chunk));
            prop_assert_eq!(found, drain(&mut pushed_first));
        }
    }
}
