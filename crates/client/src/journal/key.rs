//! What tells the requests of a batch from each other: a key of a PHP array.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor},
};

use super::text::{self, Text};

/// 1 and "1" are two keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Int(i64),
    /// Any bytes.
    Text(Vec<u8>),
}

/// For people: without control characters, and not longer than a line.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// In characters.
        const LONGEST: usize = 60;
        match self {
            Self::Int(number) => number.fmt(f),
            Self::Text(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                let mut shown: String = text.chars().take(LONGEST).collect();
                if shown.len() < text.len() {
                    shown.push_str("...");
                }
                write!(f, "\"{}\"", shown.replace(char::is_control, "?"))
            }
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Text(bytes) => text::serialize(bytes, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KeyVisitor)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer, a string or an object with base64")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Key, E> {
        Ok(Key::Int(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Key, E> {
        i64::try_from(number).map(Key::Int).map_err(E::custom)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Key, E> {
        Ok(Key::Text(text.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Key, A::Error> {
        Text::of_map(map).map(|text| Key::Text(text.0))
    }
}
