//! Reads a query string: percent-decoded pairs in order, names may repeat.

#[derive(Clone, Debug, Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|p| !p.is_empty());
        Self(
            pairs
                .map(|pair| {
                    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                    (decode(name), decode(value))
                })
                .collect(),
        )
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// A number, or the reason why it is none.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        match self.get(name) {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| format!("{name}={text} is no number")),
        }
    }

    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some("" | "1" | "true"))
    }
}

/// A part of a path: percent-decoded, and `+` is itself.
#[must_use]
pub fn decode_path(text: &str) -> String {
    decode_with(text, b'+')
}

fn decode(text: &str) -> String {
    decode_with(text, b' ')
}

fn decode_with(text: &str, plus: u8) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let pair = (ahead.next().and_then(digit), ahead.next().and_then(digit));
        match (byte, pair) {
            (b'%', (Some(high), Some(low))) => {
                out.push(high * 16 + low);
                bytes = ahead;
            }
            (b'+', _) => out.push(plus),
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_pairs() {
        let q = Query::parse("a=1&b=x%20y+z&b=%e4%zz&flag");
        assert_eq!(q.get("b"), Some("x y z"));
        assert_eq!(q.all("b").count(), 2);
        assert_eq!(q.number::<u64>("a"), Ok(Some(1)));
        assert!(q.flag("flag") && !q.flag("none"));
    }
}
