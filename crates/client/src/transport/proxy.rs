//! Which proxy a request goes through, decided anew for each send.

use std::env;

use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use super::{failure, route::ProxyChoice};
use crate::Failed;

/// The URL of the proxy for `uri`, credentials included.
///
/// # Errors
/// The environment names a proxy that cannot be used. Going past it would be worse than not going.
pub(crate) fn select(choice: &ProxyChoice, uri: &Url) -> Result<Option<String>, Failed> {
    match choice {
        ProxyChoice::None => Ok(None),
        ProxyChoice::Url(url) => Ok(Some(url.clone())),
        ProxyChoice::Environment => {
            from_environment(uri).map(|url| parse(&url).map_err(failure::of_environment)).transpose()
        }
    }
}

/// curl's variables. `http_proxy` counts in lower case only: under CGI a request's `Proxy` header
/// arrives as HTTP_PROXY (<https://httpoxy.org>).
fn from_environment(uri: &Url) -> Option<String> {
    let own = match uri.scheme() {
        "https" => variable(&["https_proxy", "HTTPS_PROXY"]),
        _ => variable(&["http_proxy"]),
    };
    let url = own.or_else(|| variable(&["all_proxy", "ALL_PROXY"]))?;
    let excluded = variable(&["no_proxy", "NO_PROXY"]).unwrap_or_default();
    // To the matcher a star stands for names only.
    if excluded.split(',').any(|host| host.trim() == "*") {
        return None;
    }
    let destination = uri.as_str().parse::<http::Uri>().ok()?;
    // The matcher is asked only whether the destination is excluded: any proxy will do for that.
    Matcher::builder().all("http://proxy.invalid").no(excluded).build().intercept(&destination)?;
    Some(url)
}

fn variable(names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
}

/// The proxy's URL in the form that reqwest takes; a bare `host:port` is an http proxy, as for curl.
///
/// # Errors
/// The rule that the text breaks, without the text: it may hold a password.
pub(crate) fn parse(text: &str) -> Result<String, &'static str> {
    const RULE: &str = "must be a URL with scheme http, https, socks4, socks4a, socks5 or socks5h and a host";
    let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let parsed = Url::parse(&url).map_err(|_| RULE)?;
    let known = matches!(parsed.scheme(), "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h");
    if known && parsed.has_host() { Ok(url) } else { Err(RULE) }
}

/// The host in a proxy's URL, as URLs of servers would have it.
pub(crate) fn host(url: &str) -> Option<String> {
    Some(Url::parse(url).ok()?.host_str()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_authority_is_an_http_proxy() {
        assert_eq!(parse("127.0.0.1:3128").unwrap(), "http://127.0.0.1:3128");
        assert_eq!(parse("user:p@h:1").unwrap(), "http://user:p@h:1");
    }

    #[test]
    fn nonsense_is_refused_without_repeating_it() {
        for bad in ["", "ftp://h:1", "http://", "http://secret@:x", "://"] {
            let rule = parse(bad).unwrap_err();
            assert!(!rule.contains("secret"), "{bad}");
        }
    }
}
