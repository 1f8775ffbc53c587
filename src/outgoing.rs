//! From the parameters of a call to the request that is sent: address, headers, body.

use client::{Body, Request};
use ext_php_rs::zend::BailoutGuard;
use http::{HeaderMap, HeaderValue, Method, header};
use url::Url;

use crate::{
    body, header_rules, headers, multipart,
    options::Config,
    parameters::{self, Field, Parameters, Place},
    php_stream::Bounds,
    refusal::Refusal,
    text, uri,
    zend::Parsed,
};

/// Builds the request. PHP code may run on the way: `Stringable`, `JsonSerializable`, stream wrappers.
/// `bounds` are those of each stream that is read into memory.
pub fn build(
    config: &Config,
    parameters: &Parameters,
    place: &Place<'_>,
    bounds: &Bounds,
) -> Parsed<BailoutGuard<Request>> {
    let refused = |field: Field| move |refusal: Refusal| place.refuse(field, refusal);
    let mut request = BailoutGuard::new(Request {
        method: method(parameters, place)?,
        uri: address(config, parameters, place)?,
        headers: HeaderMap::new(),
        body: Body::default(),
    });
    let own = match parameters.array(Field::Headers) {
        Some(array) => headers::parse(array).map_err(refused(Field::Headers))?,
        None => headers::Headers::default(),
    };
    // An empty list is given too: it asks for none.
    let own_type =
        own.fields.contains_key(header::CONTENT_TYPE) || own.silenced.contains(&header::CONTENT_TYPE);
    let default_type = config.headers.contains_key(header::CONTENT_TYPE);
    request.headers = own.over(&config.headers).map_err(refused(Field::Headers))?;
    if let Some(content) = content(parameters, place, bounds)? {
        request.body = content.body;
        if let Some((content_type, yields)) = content.content_type {
            // The client's default type does not fit a form; it may well be a kind of JSON.
            let keeps = match yields {
                Yields::ToAny => own_type || default_type,
                Yields::ToOwn => own_type,
                Yields::Never => false,
            };
            if !keeps {
                request.headers.insert(header::CONTENT_TYPE, content_type);
            }
        }
    }
    let length = request.body.len();
    header_rules::take_content_length(&mut request.headers, length)
        .map_err(|rule| place.value_error(Field::Headers, rule))?;
    // RFC 9110 section 8.6: methods that are expected to have a body say when there is none.
    if length == 0 && [Method::POST, Method::PUT, Method::PATCH].contains(&request.method) {
        request.headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Ok(request)
}

fn method(parameters: &Parameters, place: &Place<'_>) -> Parsed<Method> {
    parameters::method(parameters.bytes(Field::Method)).map_err(|rule| place.value_error(Field::Method, rule))
}

fn address(config: &Config, parameters: &Parameters, place: &Place<'_>) -> Parsed<Url> {
    let query = parameters.array(Field::Query);
    let encoded = query.map(|query| body::build_query(query, body::QUERY_ENCODING)).transpose()?;
    let mut address = uri::resolve(config.base.as_ref(), parameters.bytes(Field::Uri))
        .map_err(|error| place.value_error(Field::Uri, error.rule()))?;
    if let (Some(query), Some(encoded)) = (query, encoded) {
        let names: Vec<Vec<u8>> = text::entries(query).map(|(key, _)| text::key(&key)).collect();
        uri::merge_query(&mut address, &names, encoded.str().unwrap_or_default());
    }
    uri::check_length(&address).map_err(|error| place.value_error(Field::Uri, error.rule()))?;
    Ok(address)
}

/// A body, and the Content-Type that goes with it.
struct Content {
    body: Body,
    content_type: Option<(HeaderValue, Yields)>,
}

/// What the body's own Content-Type gives way to.
enum Yields {
    /// A type the call or the client names.
    ToAny,
    /// A type the call names.
    ToOwn,
    /// It names the boundary: nothing else will do.
    Never,
}

fn content(parameters: &Parameters, place: &Place<'_>, bounds: &Bounds) -> Parsed<Option<Content>> {
    let refused = |field: Field| move |refusal: Refusal| place.refuse(field, refusal);
    let (raw, json) = (parameters.get(Field::Body), parameters.get(Field::Json));
    let (body, content_type) = if !raw.is_null() {
        (body::from_value(raw, bounds).map_err(refused(Field::Body))?, None)
    } else if !json.is_null() {
        (body::json(json)?, Some((HeaderValue::from_static("application/json"), Yields::ToAny)))
    } else if let Some(fields) = parameters.array(Field::Form) {
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        (body::form(fields)?, Some((form, Yields::ToOwn)))
    } else if let Some(fields) = parameters.array(Field::Multipart) {
        let (body, told) = multipart::build(fields, bounds).map_err(refused(Field::Multipart))?;
        // A boundary of letters and digits fits into a header.
        (body, HeaderValue::try_from(told).ok().map(|told| (told, Yields::Never)))
    } else {
        return Ok(None);
    };
    Ok(Some(Content { body, content_type }))
}
