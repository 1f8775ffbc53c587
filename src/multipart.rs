//! The `multipart` argument: form fields and files, sent as multipart/form-data.

use std::fmt::Write;

use client::{Body, Part};
use ext_php_rs::{
    types::{ZendHashTable, Zval},
    zend::BailoutGuard,
};

use crate::{
    body,
    php_stream::{Bounds, Stream},
    refusal::Refusal,
    text,
    zend::{args::type_name, throw},
};

/// What a file is whose type nobody told.
const FILE_TYPE: &[u8] = b"application/octet-stream";

/// Whether the array has the shape of a multipart body.
pub fn check(fields: &ZendHashTable) -> Result<(), Refusal> {
    each(fields, |field| field.check())
}

/// The body and its Content-Type. Files are streamed from disk; other streams are read into memory, each
/// within `bounds`.
pub fn build(fields: &ZendHashTable, bounds: &Bounds) -> Result<(Body, String), Refusal> {
    // Reading a stream can run PHP code, and that can end in a bailout.
    let mut parts = BailoutGuard::new(Vec::new());
    each(fields, |field| {
        let part = field.part(bounds)?;
        parts.push(part);
        Ok(())
    })?;
    Ok(Body::multipart(std::mem::take(&mut *parts), &boundary()?))
}

/// One field of the form.
struct Field<'a> {
    name: Vec<u8>,
    contents: &'a Zval,
    filename: Option<&'a Zval>,
    content_type: Option<&'a Zval>,
}

/// Visits the fields; a list stands for several fields of its name.
fn each(
    fields: &ZendHashTable,
    mut visit: impl FnMut(&Field<'_>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    for (key, value) in text::entries(fields) {
        let name = text::key(&key);
        let value = text::hold(value);
        match value.array().filter(|array| text::entries(array).all(|(key, _)| key.is_long())) {
            Some(list) => {
                text::entries(list).try_for_each(|(_, item)| {
                    let item = text::hold(item);
                    visit(&Field::of(name.clone(), &item)?)
                })?;
            }
            None => visit(&Field::of(name, &value)?)?,
        }
    }
    Ok(())
}

impl<'a> Field<'a> {
    fn of(name: Vec<u8>, value: &'a Zval) -> Result<Self, Refusal> {
        let mut field = Self { name, contents: value, filename: None, content_type: None };
        let Some(array) = value.array() else { return Ok(field) };
        let mut contents = None;
        for (key, value) in text::entries(array) {
            let place = match text::bytes(&key) {
                b"contents" => &mut contents,
                b"filename" => &mut field.filename,
                b"type" => &mut field.content_type,
                _ => return Err(field.value_error("must have only the keys contents, filename and type")),
            };
            *place = Some(value).filter(|value| !value.is_null());
        }
        field.contents = contents.ok_or_else(|| field.value_error("must have the key contents"))?;
        Ok(field)
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.contents.is_resource() {
            return body::check(self.contents).map_err(|refusal| self.name_it(refusal));
        }
        let texts =
            [("contents", Some(self.contents)), ("filename", self.filename), ("type", self.content_type)];
        for (key, value) in texts.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            if !text::is_text(value) {
                let or_resource = if key == "contents" { " or resource" } else { "" };
                let rule = format!("must have {key} of type string{or_resource}, {} given", type_name(value));
                return Err(self.name_it(Refusal::Type(rule)));
            }
        }
        Ok(())
    }

    fn part(&self, bounds: &Bounds) -> Result<Part, Refusal> {
        self.check()?;
        let filename = match self.filename {
            Some(given) => Some(bytes(given)?),
            None => Stream::of(self.contents).and_then(|stream| stream.file_name()),
        };
        let content_type = match self.content_type {
            Some(given) => Some(bytes(given)?),
            None => filename.as_ref().map(|_| FILE_TYPE.to_vec()),
        };
        if content_type.as_ref().is_some_and(|text| text.iter().any(u8::is_ascii_control)) {
            return Err(self.value_error("must not have control characters in the type"));
        }
        let contents = if self.contents.is_resource() {
            body::from_value(self.contents, bounds).map_err(|refusal| self.name_it(refusal))?
        } else {
            Body::bytes(bytes(self.contents)?)
        };
        Ok(Part { name: self.name.clone(), filename, content_type, contents })
    }

    fn value_error(&self, rule: &str) -> Refusal {
        self.name_it(Refusal::value(rule))
    }

    /// Field names are no secrets, and a form may have many.
    fn name_it(&self, refusal: Refusal) -> Refusal {
        let name = String::from_utf8_lossy(&self.name).replace(char::is_control, "?");
        match refusal {
            Refusal::Type(rule) => Refusal::Type(format!("{rule} for \"{name}\"")),
            Refusal::Value(rule) => Refusal::Value(format!("{rule} for \"{name}\"")),
            Refusal::Thrown => Refusal::Thrown,
        }
    }
}

fn bytes(value: &Zval) -> Result<Vec<u8>, Refusal> {
    Ok(text::of(value)?.map_or_else(Vec::new, |text| text::bytes(&text).to_vec()))
}

/// Random, so that no content can hold it but by guessing 128 bits.
fn boundary() -> Result<String, Refusal> {
    let mut random = [0_u8; 16];
    // SAFETY: a buffer of this length; getentropy gives all of it or nothing.
    if unsafe { libc::getentropy(random.as_mut_ptr().cast(), random.len()) } != 0 {
        return Err(throw::error("Cannot get random bytes for a multipart boundary").into());
    }
    Ok(random.iter().fold("retry_client-".to_owned(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
