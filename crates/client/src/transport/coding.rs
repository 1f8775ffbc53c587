//! Content codings (RFC 9110 section 8.4): asking for them, and undoing them. Not reqwest's own, which belongs to a
//! whole client and would split the pools.

use std::{convert::Infallible, error::Error, future::ready};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Request, Response,
    header::{self, Entry},
};
use http_body::Body;
use http_body_util::BodyExt;
use tower::{Service, service_fn};
use tower_http::decompression::{Decompression, DecompressionBody};

const KNOWN: [&str; 4] = ["gzip", "br", "zstd", "deflate"];

/// A response's body, its coding undone if there was one.
pub(crate) enum Content {
    Plain(reqwest::Body),
    Decoded(Box<Decoded>),
}

pub(crate) struct Decoded {
    body: DecompressionBody<reqwest::Body>,
    /// The headers that have left the response.
    removed: Vec<Field>,
}

pub(crate) type Field = (HeaderName, HeaderValue);

/// Asks for any coding we know, unless the caller asks by itself, or for a range: that would be one of the coded bytes.
pub(crate) fn ask(headers: &mut HeaderMap) {
    if !headers.contains_key(header::ACCEPT_ENCODING) && !headers.contains_key(header::RANGE) {
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, br, zstd, deflate"));
    }
}

/// The response with its coding undone; Content-Encoding and Content-Length leave the headers then.
pub(crate) async fn undo(mut response: Response<reqwest::Body>) -> Response<Content> {
    let coding = only_one(response.headers());
    // What has no body (HEAD, 204, 304) has nothing to undo, whatever its headers say.
    let Some(coding) = coding.filter(|_| !response.body().is_end_stream()) else {
        return response.map(Content::Plain);
    };
    let removed = take(response.headers_mut());
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    let mut coded = Some(response);
    let answer = service_fn(move |_: Request<()>| {
        ready(Ok::<_, Infallible>(coded.take().unwrap_or_else(|| Response::new(reqwest::Body::from("")))))
    });
    let Ok(decoded) = Decompression::new(answer).call(Request::new(())).await;
    decoded.map(|body| Content::Decoded(Box::new(Decoded { body, removed })))
}

/// Takes out what is true of the coded body only.
fn take(headers: &mut HeaderMap) -> Vec<Field> {
    let mut taken = Vec::with_capacity(2);
    for name in [header::CONTENT_ENCODING, header::CONTENT_LENGTH] {
        if let Entry::Occupied(lines) = headers.entry(&name) {
            taken.extend(lines.remove_entry_mult().1.map(|value| (name.clone(), value)));
        }
    }
    taken
}

/// A coding that is the only one: several, in one line or in more, are left to the caller.
fn only_one(headers: &HeaderMap) -> Option<&'static str> {
    let mut lines = headers.get_all(header::CONTENT_ENCODING).iter();
    let coding = lines.next()?;
    if lines.next().is_none() { known(coding) } else { None }
}

/// The coding's name as [`Decompression`] knows it: names have no case, and gzip has an old one.
fn known(coding: &HeaderValue) -> Option<&'static str> {
    let name = coding.as_bytes().trim_ascii();
    let is = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
    if is(&"x-gzip") { Some("gzip") } else { KNOWN.into_iter().find(is) }
}

impl Content {
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::Plain(body) => body.size_hint().exact(),
            Self::Decoded(_) => None,
        }
    }

    pub(crate) fn removed(&self) -> &[Field] {
        match self {
            Self::Plain(_) => &[],
            Self::Decoded(decoded) => &decoded.removed,
        }
    }

    pub(crate) fn take_removed(&mut self) -> Vec<Field> {
        match self {
            Self::Plain(_) => Vec::new(),
            Self::Decoded(decoded) => std::mem::take(&mut decoded.removed),
        }
    }

    /// The next stretch; `None` at the end. Trailers are passed over.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Box<dyn Error + Send + Sync>> {
        loop {
            let frame = match self {
                Self::Plain(body) => body.frame().await.transpose()?,
                Self::Decoded(decoded) => decoded.body.frame().await.transpose()?,
            };
            match frame.map(http_body::Frame::into_data) {
                None => return Ok(None),
                Some(Ok(data)) => return Ok(Some(data)),
                Some(Err(_)) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_codings_have_no_case() {
        for (name, expected) in [
            ("gzip", Some("gzip")),
            ("GZip", Some("gzip")),
            ("X-GZIP", Some("gzip")),
            ("BR", Some("br")),
            ("identity", None),
            ("gzip, br", None),
            ("", None),
        ] {
            assert_eq!(known(&HeaderValue::from_static(name)), expected, "{name}");
        }
    }
}
