//! `RetryClient\Response`: the final answer of a call, and how it came about.

use std::{ffi::c_char, time::Duration};

use ext_php_rs::{
    boxed::ZBox,
    error::Result,
    types::{ZendHashTable, Zval},
    zend::ClassEntry,
};
use http::Version;

use crate::{
    attempt::{self, ATTEMPT},
    exceptions,
    fields::{self, Field},
    header_rules, headers,
    refusal::Refusal,
    text, uri,
    zend::{Args, Class, Handle, Object, Parsed, Thrown, Type, ffi, handlers, method, object, param, throw},
};

pub static RESPONSE: Handle = Handle::new();

pub const NAME: &str = "RetryClient\\Response";

const FIELDS: [Field; 10] = [
    Field::new("status", Type::INT, ("200", || object::value(200_i64))).admit(attempt::status),
    Field::new("reasonPhrase", Type::STRING, fields::EMPTY_STRING),
    Field::new("protocol", Type::STRING, ("'1.1'", || object::string("1.1"))),
    Field::new("headers", Type::ARRAY, fields::EMPTY_ARRAY).admit(normalize_headers),
    Field::new("body", Type::STRING, fields::EMPTY_STRING),
    Field::new("uri", Type::STRING, fields::EMPTY_STRING),
    Field::new("attempts", Type::ARRAY, fields::EMPTY_ARRAY).admit(|value| fields::list_of(value, &ATTEMPT)),
    Field::new("waited", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new("elapsed", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new("retryAfter", Type::FLOAT.or_null(), fields::NULL).admit(fields::seconds),
];

// Their positions.
const STATUS: usize = 0;
const REASON_PHRASE: usize = 1;
const HEADERS: usize = 3;
pub const BODY: usize = 4;
const URI: usize = 5;
const ATTEMPTS: usize = 6;

/// Headers whose value is a URI, and may carry a signature in its query.
const WITH_URI: [&[u8]; 4] = [b"location", b"content-location", b"refresh", b"link"];

pub fn register() -> Result<()> {
    Class::value(NAME)
        .serializable()
        .shown(shown)
        .implements(json_serializable())
        .readonlys(FIELDS.iter().map(Field::property))
        .method(method("__construct", construct).params(FIELDS.iter().map(Field::param)))
        .method(method("header", header).param(param("name", Type::STRING)).returns(Type::STRING.or_null()))
        .method(
            method("json", json).param(param("associative", Type::BOOL).default("true")).returns(Type::MIXED),
        )
        .method(method("ok", ok).returns(Type::BOOL))
        .method(method("throw", throw_unless_ok).returns(Type::STATIC))
        .method(method("jsonSerialize", to_array).returns(Type::MIXED))
        .method(method("__serialize", to_array).returns(Type::ARRAY))
        .method(method("__unserialize", unserialize).param(param("data", Type::ARRAY)).returns(Type::VOID))
        .register(&RESPONSE)
}

fn json_serializable() -> &'static ClassEntry {
    // SAFETY: ext/json is part of every PHP since 8.0 and starts before extensions that are loaded.
    unsafe { &*ffi::php_json_serializable_ce }
}

/// `RetryClient\Response` of a response whose body is this string. `attempts` is a `list<Attempt>` as [`attempt::attempts`] makes it.
#[must_use]
pub fn response(
    from: &client::Response,
    body: Zval,
    attempts: &Zval,
    waited: Duration,
    elapsed: Duration,
) -> Zval {
    RESPONSE.create_with(values(from, body, attempts, waited, elapsed))
}

/// The values of its properties, in order.
pub fn values(
    from: &client::Response,
    body: Zval,
    attempts: &Zval,
    waited: Duration,
    elapsed: Duration,
) -> [Zval; FIELDS.len()] {
    [
        object::value(i64::from(from.status)),
        object::string(&from.reason_phrase),
        object::string(protocol(from.version)),
        headers::to_array(&from.headers),
        body,
        object::string(from.uri.as_str()),
        attempts.shallow_clone(),
        object::value(waited.as_secs_f64()),
        object::value(elapsed.as_secs_f64()),
        object::or_null(from.retry_after.map(|wish| object::value(wish.as_secs_f64()))),
    ]
}

/// [`values`] of a `RetryClient\Response`.
pub fn values_of(this: Object<'_>) -> Parsed<[Zval; FIELDS.len()]> {
    let mut values = [const { Zval::new() }; FIELDS.len()];
    for (index, value) in values.iter_mut().enumerate() {
        *value = RESPONSE.read(this, index)?.shallow_clone();
    }
    Ok(values)
}

pub fn protocol(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "0.9",
        Version::HTTP_10 => "1.0",
        Version::HTTP_2 => "2",
        Version::HTTP_3 => "3",
        _ => "1.1",
    }
}

/// What a message about a `RetryClient\Response` needs.
#[derive(Debug)]
pub struct Answered<'a> {
    pub status: i64,
    pub reason_phrase: &'a [u8],
    pub uri: &'a [u8],
    pub attempts: &'a Zval,
}

pub fn answered(this: Object<'_>) -> Parsed<Answered<'_>> {
    Ok(Answered {
        status: RESPONSE.read(this, STATUS)?.long().unwrap_or_default(),
        reason_phrase: text::bytes(RESPONSE.read(this, REASON_PHRASE)?),
        uri: text::bytes(RESPONSE.read(this, URI)?),
        attempts: RESPONSE.read(this, ATTEMPTS)?,
    })
}

fn construct(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    fields::construct(args, &RESPONSE, &FIELDS)
}

fn to_array(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    *result = fields::to_array(args.this()?, &RESPONSE, &FIELDS)?;
    Ok(())
}

fn unserialize(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    // What has been serialized are strings; of a forged text no object's code must run.
    let headers = args.array(0)?.and_then(|data| object::find(data, b"headers")).and_then(Zval::array);
    let are_strings = |lines: &Zval| {
        lines.array().is_some_and(|lines| lines.values().all(|line| line.dereference().is_string()))
    };
    if headers.is_some_and(|headers| !headers.values().map(Zval::dereference).all(are_strings)) {
        let rule = "must be valid: \"headers\" must map header names to lists of strings";
        return Err(args.value_error(0, rule));
    }
    fields::unserialize(args, &RESPONSE, &FIELDS)
}

fn header(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let headers = RESPONSE.read(args.this()?, HEADERS)?.array().ok_or(Thrown)?;
    joined_header(args, headers, result)
}

/// The lines of the header that the first argument names, as one.
pub fn joined_header(args: &Args<'_>, headers: &ZendHashTable, result: &mut Zval) -> Parsed<()> {
    let name = args.string(0)?.ok_or(Thrown)?.as_bytes().to_ascii_lowercase();
    if let Some(values) = object::find(headers, &name).and_then(Zval::array) {
        let values: Vec<&[u8]> = text::entries(values).map(|(_, value)| text::bytes(value)).collect();
        *result = object::string(values.join(&b", "[..]));
    }
    Ok(())
}

fn json(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    const OBJECT_AS_ARRAY: i64 = 1; // PHP_JSON_OBJECT_AS_ARRAY
    const THROW_ON_ERROR: i64 = 1 << 22; // PHP_JSON_THROW_ON_ERROR
    const DEPTH: i64 = 512; // PHP_JSON_PARSER_DEFAULT_DEPTH
    let options = if args.bool(0, true)? { OBJECT_AS_ARRAY } else { 0 } | THROW_ON_ERROR;
    let body = text::bytes(RESPONSE.read(args.this()?, BODY)?);
    // SAFETY: reads the bytes, writes the result, throws by itself.
    unsafe { ffi::php_json_decode_ex(result, body.as_ptr().cast::<c_char>(), body.len(), options, DEPTH) };
    throw::check()
}

fn ok(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    result.set_bool(is_ok(args.this()?)?);
    Ok(())
}

fn is_ok(this: Object<'_>) -> Parsed<bool> {
    Ok(RESPONSE.read(this, STATUS)?.long().is_some_and(is_success))
}

pub fn is_success(status: i64) -> bool {
    (200..300).contains(&status)
}

fn throw_unless_ok(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let this = args.this()?;
    if !is_ok(this)? {
        return Err(exceptions::throw_http(this)?);
    }
    *result = object::reference(this);
    Ok(())
}

/// What dumps show: no credential that the server has set or that stands in a URI.
fn shown(this: Object<'_>) -> ZBox<ZendHashTable> {
    shown_with(this, &RESPONSE, URI, HEADERS)
}

/// [`shown`] for an object of a class that has a URI and headers at these positions.
pub fn shown_with(this: Object<'_>, class: &Handle, uri_at: usize, headers_at: usize) -> ZBox<ZendHashTable> {
    let mut properties = handlers::properties(this);
    if let Some(address) = class.peek(this, uri_at) {
        object::insert(&mut properties, b"uri", object::string(uri::redact(text::bytes(address))));
    }
    if let Some(headers) = class.peek(this, headers_at).and_then(Zval::array) {
        object::insert(&mut properties, b"headers", shown_headers(headers));
    }
    properties
}

fn shown_headers(headers: &ZendHashTable) -> Zval {
    let mut shown = ZendHashTable::new();
    for (key, values) in text::entries(headers) {
        let name = text::key(&key);
        let show: fn(&[u8]) -> Zval = if header_rules::is_secret(&name) {
            |_| object::string("[redacted]")
        } else if WITH_URI.contains(&name.as_slice()) {
            |value| object::string(uri::redact(value))
        } else {
            |value| object::string(value)
        };
        let values = values.array().map(text::entries).into_iter().flatten();
        object::insert(&mut shown, &name, object::list(values.map(|(_, value)| show(text::bytes(value)))));
    }
    object::value(shown)
}

/// Lower-case names to lists of strings, from names in any case to strings or lists of strings.
fn normalize_headers(value: &Zval) -> std::result::Result<Zval, Refusal> {
    let mut normal = ZendHashTable::new();
    for (key, given) in value.array().map(text::entries).into_iter().flatten() {
        let name = text::key(&key).to_ascii_lowercase();
        let given = text::hold(given);
        let mut lines = Vec::new();
        if let Some(earlier) = object::find(&normal, &name).and_then(Zval::array) {
            lines.extend(text::entries(earlier).map(|(_, line)| line.shallow_clone()));
        }
        match given.array() {
            Some(list) => text::entries(list).try_for_each(|(_, line)| push_line(&mut lines, line))?,
            None => push_line(&mut lines, &given)?,
        }
        object::insert(&mut normal, &name, object::list(lines));
    }
    Ok(object::value(normal))
}

fn push_line(lines: &mut Vec<Zval>, given: &Zval) -> std::result::Result<(), Refusal> {
    let line = text::of(given)?;
    lines.push(line.ok_or_else(|| Refusal::ty("must map header names to strings or lists of strings"))?);
    Ok(())
}
