//! The body of a request as a caller gives it: text, a stream, JSON, a form.

use client::Body;
use ext_php_rs::{
    types::{ZendHashTable, Zval},
    zend::ClassEntry,
};

use crate::{
    client::CLIENT,
    php_stream::{self, Bounds, Stream, StreamError},
    refusal::Refusal,
    text,
    zend::{Object, Parsed, Thrown, args::type_name, object, throw},
};

/// JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
const JSON_FLAGS: i64 = 4_194_304 | 64 | 256;

/// PHP_QUERY_RFC1738: blanks become '+', as browsers send forms.
pub const FORM_ENCODING: i64 = 1;
/// PHP_QUERY_RFC3986
pub const QUERY_ENCODING: i64 = 2;

/// Whether `value` can be a body at all.
pub fn check(value: &Zval) -> Result<(), Refusal> {
    if value.is_null() || value.is_string() || text::is_stringable(value) {
        return Ok(());
    }
    if !value.is_resource() {
        let rule =
            format!("must be of type string, Stringable, resource or null, {} given", type_name(value));
        return Err(Refusal::Type(rule));
    }
    let stream = Stream::of(value).ok_or_else(gone)?;
    if stream.is_readable() { Ok(()) } else { Err(Refusal::value("must be a readable stream")) }
}

/// A string, `Stringable` or stream; a stream from its position on, which is left where it was.
pub fn from_value(value: &Zval, bounds: &Bounds) -> Result<Body, Refusal> {
    check(value)?;
    if value.is_resource() {
        return from_stream(value, bounds);
    }
    let text = text::of(value)?.unwrap_or_else(Zval::null);
    Ok(Body::bytes(text::bytes(&text).to_vec()))
}

fn from_stream(value: &Zval, bounds: &Bounds) -> Result<Body, Refusal> {
    let stream = Stream::of(value).ok_or_else(gone)?;
    if let Some((file, position, length)) = stream.regular_file() {
        return Ok(Body::file(file, position, length));
    }
    php_stream::read_rest(value, bounds).map(Body::bytes).map_err(|error| match error {
        StreamError::Gone => gone(),
        StreamError::Stuck => Refusal::value("must be a stream that can be read to its end"),
        StreamError::TooLong | StreamError::Late => {
            Refusal::value("must be a stream that fits into the memory left")
        }
        StreamError::Thrown => Refusal::Thrown,
    })
}

fn gone() -> Refusal {
    Refusal::ty("must be an open stream resource")
}

/// The method whose parameters are as secret as what is encoded here: `$uri` comes first.
fn secretly() -> (&'static ClassEntry, &'static str) {
    (CLIENT.class(), "get")
}

/// PHP's own `json_encode`.
pub fn json(value: &Zval) -> Parsed<Body> {
    let mut arguments = [value.shallow_clone(), object::value(JSON_FLAGS)];
    match object::call_function("json_encode", &mut arguments, secretly()) {
        Ok(encoded) => Ok(Body::bytes(text::bytes(&encoded).to_vec())),
        Err(thrown) => Err(without_arguments(thrown)),
    }
}

/// The trace of a `\JsonException` shows what was to be encoded as an argument; one that was thrown by
/// `json_encode` itself is replaced by its like, thrown from here.
fn without_arguments(thrown: Thrown) -> Thrown {
    let Some(exception) = throw::take_throwable() else { return thrown };
    let Some(this) = Object::of(&exception) else { return thrown };
    let class = this.class();
    if class.name() != Some("JsonException") {
        return throw::throw_object(exception);
    }
    let again = || {
        let message = object::call_method(this, "getMessage", &mut [])?;
        let code = object::call_method(this, "getCode", &mut [])?;
        object::construct(class, &mut [message, code], None)
    };
    again().map_or(thrown, throw::throw_object)
}

/// PHP's own `http_build_query`.
pub fn build_query(array: &ZendHashTable, encoding: i64) -> Parsed<Zval> {
    let mut value = Zval::new();
    value.set_hashtable(array.to_owned());
    let mut arguments = [value, object::string(""), object::string("&"), object::value(encoding)];
    object::call_function("http_build_query", &mut arguments, secretly())
}

/// An HTML form, application/x-www-form-urlencoded.
pub fn form(array: &ZendHashTable) -> Parsed<Body> {
    let encoded = build_query(array, FORM_ENCODING)?;
    Ok(Body::bytes(text::bytes(&encoded).to_vec()))
}
