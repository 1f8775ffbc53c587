//! What a failed send was: its kind, whether the request can have reached the server, and words for a
//! person that name no more than the origin.

use std::{error::Error, io};

use policy::FailureKind;
use url::Url;

use super::{connect::ConnectTimedOut, dns::NotResolved, route::RouteError, tls::NoAuthorities};
use crate::Failed;

/// What hyper-util says of a 407 for CONNECT; its type for that is private.
const PROXY_AUTHORIZATION_REQUIRED: &str = "tunnel error: proxy authorization required";

/// A failure of the send itself, before any response.
pub(crate) fn of_send(error: &reqwest::Error, uri: &Url, still_connecting: bool) -> Failed {
    let origin = origin(uri);
    let unsent = error.is_connect() || still_connecting;
    let failed = |kind, message: String| Failed { kind, message, unsent, permanent: false };
    if find::<NotResolved>(error).is_some() {
        return failed(FailureKind::Dns, format!("Could not resolve the host of {origin}: {}", root(error)));
    }
    if let Some(timed_out) = find::<ConnectTimedOut>(error) {
        return failed(FailureKind::Timeout, format!("Could not connect to {origin}: {timed_out}"));
    }
    if let Some(none) = find::<rustls::Error>(error).and_then(no_authorities) {
        let mut failure = failed(FailureKind::Tls, format!("TLS with {origin} failed: {none}"));
        failure.permanent = !none.is_passing;
        return failure;
    }
    if let Some(tls) = find::<rustls::Error>(error) {
        let mut failure = failed(FailureKind::Tls, format!("TLS with {origin} failed: {tls}"));
        failure.permanent = is_certificate_error(tls);
        return failure;
    }
    if error.is_connect() {
        let why = root(error);
        let mut failure = failed(FailureKind::Connect, format!("Could not connect to {origin}: {why}"));
        failure.permanent = why == PROXY_AUTHORIZATION_REQUIRED;
        return failure;
    }
    if error.is_builder() {
        return refused(format!("The request to {origin} cannot be sent: {}", root(error)));
    }
    of_exchange(error, &origin, unsent)
}

/// A failure while the body was read.
pub(crate) fn of_body(error: &(dyn Error + 'static), uri: &Url) -> Failed {
    let origin = origin(uri);
    // What the connection did is reqwest's error; all others come from undoing the content coding.
    if find::<reqwest::Error>(error).is_none() {
        let message = format!("The body from {origin} cannot be decoded: {}", root(error));
        return Failed { kind: FailureKind::Protocol, message, unsent: false, permanent: false };
    }
    // Whatever the server says now, a REFUSED_STREAM too: it has answered.
    Failed { unsent: false, ..of_exchange(error, &origin, false) }
}

/// A connection that broke, or an answer that is none.
fn of_exchange(error: &(dyn Error + 'static), origin: &str, unsent: bool) -> Failed {
    let hyper = find::<hyper::Error>(error);
    let h2 = find::<h2::Error>(error);
    let unsent = unsent || hyper.is_some_and(hyper::Error::is_canceled) || h2.is_some_and(was_not_processed);
    let failed = |kind, message| Failed { kind, message, unsent, permanent: false };
    if h2.is_some_and(is_h2_flood) || hyper.is_some_and(hyper::Error::is_parse_too_large) {
        return too_large(format!("The headers from {origin} are over their size limit"));
    }
    if let Some(hyper) = hyper {
        if hyper.is_parse() {
            return failed(
                FailureKind::Protocol,
                format!("The answer from {origin} is not HTTP: {}", root(error)),
            );
        }
        if hyper.is_user() {
            return refused(format!("The request to {origin} could not be sent whole: {}", root(error)));
        }
    }
    let broken = hyper.is_some_and(|e| e.is_incomplete_message() || e.is_canceled())
        || h2.is_some_and(|e| e.is_io() || (e.is_remote() && (e.is_go_away() || e.is_reset())))
        || find::<io::Error>(error).is_some_and(|e| is_reset(e.kind()));
    if broken {
        return failed(FailureKind::Reset, format!("The connection to {origin} broke: {}", root(error)));
    }
    failed(FailureKind::Protocol, format!("The exchange with {origin} failed: {}", root(error)))
}

/// Whether an HTTP/2 server said that it did not begin with the request: REFUSED_STREAM, or a GOAWAY
/// whose last stream is below ours (RFC 9113 section 8.7).
pub(crate) fn is_h2_refusal(error: &reqwest::Error) -> bool {
    find::<h2::Error>(error).is_some_and(was_not_processed)
}

fn was_not_processed(error: &h2::Error) -> bool {
    let refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
    // h2 gives a server's GOAWAY to the streams above the last one named, and to no other, whatever
    // its code.
    error.is_remote() && (refused || error.is_go_away())
}

/// Whether h2 itself gave up on a connection that floods it, with a header block far over its limit
/// above all (h2 src/codec/framed_read.rs).
fn is_h2_flood(error: &h2::Error) -> bool {
    error.is_library() && error.is_go_away() && error.reason() == Some(h2::Reason::ENHANCE_YOUR_CALM)
}

/// Over a limit of ours: no repetition will be smaller.
pub(crate) fn too_large(message: String) -> Failed {
    Failed { kind: FailureKind::TooLarge, message, unsent: false, permanent: true }
}

/// A request that no server gets to see whole.
fn refused(message: String) -> Failed {
    Failed { kind: FailureKind::Protocol, message, unsent: false, permanent: true }
}

/// A file of the route that was there at construction and is not any more.
pub(crate) fn of_route(error: &RouteError) -> Failed {
    let kind = if error.option == "proxy" { FailureKind::Connect } else { FailureKind::Tls };
    // The option's, or php.ini's.
    let what =
        if error.option == "verify" { "The CA file".into() } else { format!("Option ${}", error.option) };
    Failed { kind, message: format!("{what} {}", error.rule), unsent: true, permanent: true }
}

/// `http_proxy` and its like, which nobody checks before a call.
pub(crate) fn of_environment(rule: &'static str) -> Failed {
    let message = format!("The proxy that the environment names {rule}");
    Failed { kind: FailureKind::Connect, message, unsent: true, permanent: true }
}

/// Scheme, host and port.
pub(crate) fn origin(uri: &Url) -> String {
    let host = uri.host_str().unwrap_or_default();
    match uri.port() {
        Some(port) => format!("{}://{host}:{port}", uri.scheme()),
        None => format!("{}://{host}", uri.scheme()),
    }
}

fn no_authorities(error: &rustls::Error) -> Option<&NoAuthorities> {
    match error {
        rustls::Error::Other(other) => other.0.downcast_ref(),
        _ => None,
    }
}

fn is_certificate_error(error: &rustls::Error) -> bool {
    use rustls::{AlertDescription as Alert, Error};
    match error {
        Error::InvalidCertificate(_) | Error::General(_) => true,
        Error::AlertReceived(alert) => matches!(
            alert,
            Alert::BadCertificate
                | Alert::UnsupportedCertificate
                | Alert::CertificateRevoked
                | Alert::CertificateExpired
                | Alert::CertificateUnknown
                | Alert::UnknownCA
                | Alert::AccessDenied
                | Alert::CertificateRequired
        ),
        _ => false,
    }
}

fn is_reset(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        kind,
        Kind::ConnectionReset
            | Kind::ConnectionAborted
            | Kind::BrokenPipe
            | Kind::UnexpectedEof
            | Kind::NotConnected
            | Kind::TimedOut
    )
}

/// The first error of type `T` in the chain of sources. An io::Error's inner error is part of it.
fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        if let Some(inner) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref)
            && let Some(found) = find::<T>(inner)
        {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// The innermost cause: the outer ones say "error sending request".
fn root(error: &(dyn Error + 'static)) -> String {
    let mut last = error;
    while let Some(inner) = last.source() {
        last = inner;
    }
    last.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_no_path_query_or_credential() {
        let uri = Url::parse("https://user:pass@example.com:8443/secret?key=1").unwrap();
        assert_eq!(origin(&uri), "https://example.com:8443");
        assert_eq!(origin(&Url::parse("http://[::1]/x").unwrap()), "http://[::1]");
    }

    #[test]
    fn an_error_inside_an_io_error_is_found() {
        let tls = rustls::Error::HandshakeNotComplete;
        let wrapped = io::Error::other(tls.clone());
        assert_eq!(find::<rustls::Error>(&wrapped), Some(&tls));
    }
}
