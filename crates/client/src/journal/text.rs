//! Bytes as a JSON value: a string if they are UTF-8, else an object with their base64.

use std::fmt::{self, Display, Formatter};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{
    Deserialize, Deserializer, Serializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
    ser::SerializeMap,
};

pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serialize_all(std::iter::once(bytes), serializer)
}

/// Stretches in order as one value, without putting them together.
pub(super) fn serialize_all<'a, S: Serializer>(
    stretches: impl Iterator<Item = &'a [u8]> + Clone,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if write_text(stretches.clone(), |_| Ok(())).is_ok() {
        let text = |out: &mut Formatter<'_>| write_text(stretches.clone(), |text| out.write_str(text));
        return serializer.collect_str(&Written(text));
    }
    let mut map = serializer.serialize_map(Some(1))?;
    let base64 = |out: &mut Formatter<'_>| write_base64(stretches.clone(), out);
    map.serialize_entry("base64", &Collected(Written(base64)))?;
    map.end()
}

struct Written<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Written<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

struct Collected<T>(T);

impl<T: Display> serde::Serialize for Collected<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// An error if they are not UTF-8. A character may begin in one stretch and end in the next.
fn write_text<'a>(
    stretches: impl Iterator<Item = &'a [u8]>,
    mut write: impl FnMut(&str) -> fmt::Result,
) -> fmt::Result {
    let mut begun = Vec::new();
    for mut stretch in stretches {
        while let (false, Some((byte, after))) = (begun.is_empty(), stretch.split_first()) {
            begun.push(*byte);
            stretch = after;
            if let Some(character) = whole(&begun)? {
                write(character)?;
                begun.clear();
            }
        }
        match str::from_utf8(stretch) {
            Ok(text) => write(text)?,
            Err(error) => {
                let (before, after) = stretch.split_at_checked(error.valid_up_to()).ok_or(fmt::Error)?;
                write(str::from_utf8(before).map_err(|_| fmt::Error)?)?;
                // An error, too, if it is not merely incomplete.
                whole(after)?;
                begun.extend_from_slice(after);
            }
        }
    }
    if begun.is_empty() { Ok(()) } else { Err(fmt::Error) }
}

/// The text, `None` where more bytes can make it one.
fn whole(bytes: &[u8]) -> Result<Option<&str>, fmt::Error> {
    match str::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.error_len().is_none() => Ok(None),
        Err(_) => Err(fmt::Error),
    }
}

fn write_base64<'a>(stretches: impl Iterator<Item = &'a [u8]>, out: &mut Formatter<'_>) -> fmt::Result {
    /// A multiple of 3, so that there is no padding but at the end.
    const BLOCK: usize = 48 * 1024;
    let mut block = Vec::new();
    for mut stretch in stretches {
        while !stretch.is_empty() {
            let room = BLOCK.saturating_sub(block.len());
            let (now, later) = stretch.split_at(stretch.len().min(room));
            block.extend_from_slice(now);
            stretch = later;
            if block.len() >= BLOCK {
                out.write_str(&BASE64_STANDARD.encode(&block))?;
                block.clear();
            }
        }
    }
    out.write_str(&BASE64_STANDARD.encode(&block))
}

/// Bytes that were one of the two.
#[derive(Debug)]
pub(super) struct Text(pub(super) Vec<u8>);

impl Text {
    pub(super) fn of_map<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Encoded {
            base64: Base64,
        }
        let encoded = Encoded::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Self(encoded.base64.0))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an object with base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Text, A::Error> {
        Text::of_map(map)
    }
}

/// Bytes that were a string of base64.
pub(super) struct Base64(pub(super) Vec<u8>);

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Base64Visitor)
    }
}

struct Base64Visitor;

impl Visitor<'_> for Base64Visitor {
    type Value = Base64;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a string of base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Base64, E> {
        BASE64_STANDARD.decode(text).map(Base64).map_err(E::custom)
    }
}
