//! A scripted answer as the transport would have given it.

use client::{Failed, Request, Response};
use ext_php_rs::types::Zval;
use http::{HeaderMap, Version};
use policy::FailureKind;

use crate::{
    exceptions::NETWORK,
    header_rules,
    response::RESPONSE,
    text,
    zend::{Object, Parsed, Thrown, ffi, object, throw},
};

/// A `RetryClient\Response` is a response, a `NetworkException` a failure of its kind; anything else is
/// thrown as it is.
pub fn translate(answer: Zval, sent: &Request) -> Parsed<Result<Response, Failed>> {
    let this = Object::of(&answer).ok_or(Thrown)?;
    if RESPONSE.owns(&answer) {
        return response(this, sent).map(Ok);
    }
    if NETWORK.owns(&answer)
        && let Some(kind) = kind(this)
    {
        return failure(this, kind).map(Err);
    }
    Err(throw::throw_object(answer))
}

/// A public property by its name.
fn property<'o>(this: Object<'o>, name: &str) -> Parsed<&'o Zval> {
    let (class, object) = (this.class(), this.as_ptr());
    let mut unused = Zval::new();
    // SAFETY: a declared property of a live object: what is returned is its slot, or a null of the engine's.
    let value = unsafe {
        ffi::zend_read_property(
            std::ptr::from_ref(class).cast_mut(),
            object,
            name.as_ptr().cast(),
            name.len(),
            true,
            &raw mut unused,
        )
        .as_ref()
    };
    throw::check()?;
    value.map(Zval::dereference).ok_or(Thrown)
}

fn response(this: Object<'_>, sent: &Request) -> Parsed<Response> {
    let status = property(this, "status")?.long().and_then(|status| u16::try_from(status).ok());
    Ok(Response {
        status: status.ok_or(Thrown)?,
        reason_phrase: text::bytes(property(this, "reasonPhrase")?).to_vec(),
        version: if text::bytes(property(this, "protocol")?).starts_with(b"2") {
            Version::HTTP_2
        } else {
            Version::HTTP_11
        },
        headers: headers(property(this, "headers")?)?,
        removed: Vec::new(),
        body: text::bytes(property(this, "body")?).to_vec().into(),
        // As with a real answer, both follow from what was sent and from the headers.
        uri: sent.uri.clone(),
        retry_after: None,
    })
}

fn headers(given: &Zval) -> Parsed<HeaderMap> {
    let mut map = HeaderMap::new();
    for (key, values) in given.array().map(text::entries).into_iter().flatten() {
        let name = text::key(&key);
        for (_, value) in values.array().map(text::entries).into_iter().flatten() {
            let (name, value) = header_rules::field(&name, text::bytes(value))
                .map_err(|rule| throw::value_error(format!("A scripted response {rule}")))?;
            // More headers than a map holds are more than any test looks at.
            let _ = map.try_append(name, value);
        }
    }
    Ok(map)
}

fn kind(this: Object<'_>) -> Option<FailureKind> {
    let kind = property(this, "kind").ok()?.str()?;
    FailureKind::ALL.into_iter().find(|known| known.as_str() == kind)
}

fn failure(this: Object<'_>, kind: FailureKind) -> Parsed<Failed> {
    let message = object::call_method(this, "getMessage", &mut [])?;
    Ok(Failed {
        kind,
        message: String::from_utf8_lossy(text::bytes(&message)).into_owned(),
        unsent: matches!(kind, FailureKind::Dns | FailureKind::Connect | FailureKind::Tls),
        permanent: matches!(kind, FailureKind::TooLarge | FailureKind::Redirect | FailureKind::Sink),
    })
}
