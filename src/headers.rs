//! The headers a caller gives as an array: names to strings or lists of strings.

use ext_php_rs::types::{ZendHashTable, Zval};
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::{
    header_rules,
    refusal::Refusal,
    text,
    zend::{args::type_name, object},
};

/// As one map, names in lower case. A name with an empty list is in `silenced`: it is not sent, even
/// if the client sends it by default.
#[derive(Debug, Default)]
pub struct Headers {
    pub fields: HeaderMap,
    pub silenced: Vec<HeaderName>,
}

/// Reads the array. `Stringable` values run their own code.
pub fn parse(array: &ZendHashTable) -> Result<Headers, Refusal> {
    let mut headers = Headers::default();
    for (key, value) in text::entries(array) {
        if let Some(index) = key.long() {
            return Err(Refusal::value(format!("must have header names as keys, {index} given")));
        }
        let name = text::bytes(&key);
        let value = text::hold(value);
        match value.array() {
            None => headers.append(name, &value)?,
            Some(list) if list.is_empty() => {
                headers.silenced.push(header_rules::name(name).map_err(Refusal::Value)?);
            }
            Some(list) => text::entries(list).try_for_each(|(_, item)| headers.append(name, item))?,
        }
    }
    // RFC 9112 section 3.2: a server answers 400 to more than one, and those that do not are not agreed which counts.
    if headers.fields.get_all(header::HOST).iter().count() > 1 {
        return Err(Refusal::value("must not have more than one \"host\""));
    }
    Ok(headers)
}

impl Headers {
    fn append(&mut self, name: &[u8], value: &Zval) -> Result<(), Refusal> {
        // A name that is none is not shown in full: look at it first.
        header_rules::name(name).map_err(Refusal::Value)?;
        let Some(value) = text::of(value)? else {
            let (name, given) = (name.escape_ascii(), type_name(value));
            let rule = format!("must have a string or a list of strings for \"{name}\", {given} given");
            return Err(Refusal::Type(rule));
        };
        let (name, value) = header_rules::request_field(name, text::bytes(&value)).map_err(Refusal::Value)?;
        let appended = self.fields.try_append(name, value);
        appended.map(drop).map_err(|_| too_many())
    }

    /// These over the defaults: a name given here replaces the default of that name.
    pub fn over(self, defaults: &HeaderMap) -> Result<HeaderMap, Refusal> {
        let mut merged = defaults.clone();
        for name in self.silenced.iter().chain(self.fields.keys()) {
            merged.remove(name);
        }
        for (name, value) in &self.fields {
            merged.try_append(name, value.clone()).map_err(|_| too_many())?;
        }
        Ok(merged)
    }

    pub fn into_pairs(self) -> Vec<(HeaderName, HeaderValue)> {
        self.fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// A map holds some 24,000 names.
fn too_many() -> Refusal {
    Refusal::value("must not have that many headers")
}

/// As PHP sees them: lower-case names to lists of values.
pub fn to_array(headers: &HeaderMap) -> Zval {
    let mut array = ZendHashTable::new();
    for name in headers.keys() {
        let values = headers.get_all(name).iter().map(|value| object::string(value.as_bytes()));
        object::insert(&mut array, name.as_str().as_bytes(), object::list(values));
    }
    object::value(array)
}
