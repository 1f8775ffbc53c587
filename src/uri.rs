//! From the text of a URI to the absolute http or https address a request is sent to: base URI,
//! relative references, the query merged in. It never repeats the text in an error, since userinfo
//! and query may hold secrets.

use std::{borrow::Cow, cell::RefCell};

use url::Url;

/// Of a text that is kept with the address it stands for.
const LONGEST_KEPT: usize = 4096;

/// Why a text is no address. The message follows an argument's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriError {
    Control,
    Relative,
    Scheme,
    Host,
    Invalid,
    Long,
}

impl UriError {
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Control => "must not contain control characters",
            Self::Relative => "must be an absolute http or https URI when there is no base URI",
            Self::Scheme => "must have the scheme http or https",
            Self::Host => "must have a host",
            Self::Invalid => "must be a valid URI",
            Self::Long => "must not be longer than 65534 bytes, its query included",
        }
    }
}

/// The base URI of a client. Its path is taken as ending in '/', so that `v1` stays in front of
/// what is joined to it.
pub fn parse_base(text: &[u8]) -> Result<Url, UriError> {
    let mut base = match resolve(None, text) {
        Err(UriError::Relative) => return Err(UriError::Scheme),
        other => other?,
    };
    if !base.path().ends_with('/') {
        let path = format!("{}/", base.path());
        base.set_path(&path);
    }
    Ok(base)
}

thread_local! {
    /// The last text that was an absolute address, and what it is: a `Request` is checked and then sent, and the next
    /// call often goes to the same place.
    static LAST: RefCell<Option<(Box<[u8]>, Url)>> = const { RefCell::new(None) };
}

/// At the end of the request: an address may hold a secret.
pub fn forget() {
    drop(LAST.take());
}

/// The absolute address of `text`, joined to `base` as RFC 3986 section 5.2 says.
pub fn resolve(base: Option<&Url>, text: &[u8]) -> Result<Url, UriError> {
    let known = LAST.with_borrow(|last| match last {
        Some((known, uri)) if **known == *text => Some(uri.clone()),
        _ => None,
    });
    if let Some(uri) = known {
        return Ok(uri);
    }
    let (uri, is_absolute) = parse(base, text)?;
    // What stands by itself is the same with any base.
    if is_absolute && text.len() <= LONGEST_KEPT {
        LAST.set(Some((text.into(), uri.clone())));
    }
    Ok(uri)
}

/// The absolute address, and whether the text is one without its base.
fn parse(base: Option<&Url>, text: &[u8]) -> Result<(Url, bool), UriError> {
    let text = printable(text)?;
    if let Some(authority) = authority(&text)? {
        check_authority(authority)?;
    }
    // The url crate follows WHATWG, where '\' is another '/': "/\host" would leave the base's host.
    let text = escape_backslashes(&text);
    let scheme = scheme(&text);
    let mut uri = match (scheme, base) {
        (Some(_), _) => Url::parse(&text),
        (None, Some(base)) => base.join(&text),
        (None, None) => return Err(UriError::Relative),
    }
    .map_err(|_| UriError::Invalid)?;
    // Such a host is one to the url crate, but nothing could be sent to it.
    if uri.host_str().is_some_and(|host| host.contains(['"', '`', '{', '}'])) {
        return Err(UriError::Invalid);
    }
    uri.set_fragment(None);
    Ok((uri, scheme.is_some()))
}

/// Whether a whole address is short enough for the http crate.
pub fn check_length(address: &Url) -> Result<(), UriError> {
    const MOST: usize = 65_534;
    if address.as_str().len() > MOST { Err(UriError::Long) } else { Ok(()) }
}

/// What is wrong with `text` whatever it will be joined to.
pub fn check(text: &[u8]) -> Result<(), UriError> {
    match resolve(None, text) {
        Err(UriError::Relative) => {
            let some_base = Url::parse("http://localhost/").map_err(|_| UriError::Invalid)?;
            resolve(Some(&some_base), text).map(drop)
        }
        other => other.map(drop),
    }
}

/// Replaces in the query of `uri` every pair whose name is one of `names` by `encoded`, which is
/// `name=value` pairs already encoded. `a[0]` and `a[b]` belong to the name `a`.
pub fn merge_query(uri: &mut Url, names: &[Vec<u8>], encoded: &str) {
    let kept = uri.query().unwrap_or_default().split('&').filter(|pair| {
        let own = top_level_name(pair);
        !pair.is_empty() && !names.contains(&own)
    });
    let pairs: Vec<&str> = kept.chain((!encoded.is_empty()).then_some(encoded)).collect();
    let merged = pairs.join("&");
    uri.set_query((!merged.is_empty()).then_some(&merged));
}

/// The text without userinfo, query and fragment, for people to see.
pub fn redact(text: &[u8]) -> Vec<u8> {
    let end = text.iter().position(|&b| b == b'?' || b == b'#').unwrap_or(text.len());
    let (shown, rest) = text.split_at(end);
    let mut out = Vec::with_capacity(text.len());
    // To the url crate, as to browsers, a backslash is another slash.
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let start =
        shown.windows(2).position(|pair| pair.iter().all(is_slash)).map_or(0, |at| at.saturating_add(2));
    let (before, after) = shown.split_at(start.min(shown.len()));
    let authority_end = after.iter().position(is_slash).unwrap_or(after.len());
    let (authority, path) = after.split_at(authority_end);
    out.extend_from_slice(before);
    match authority.iter().rposition(|&b| b == b'@') {
        Some(at) if start > 0 => {
            out.extend_from_slice(b"[redacted]");
            out.extend_from_slice(authority.split_at(at).1);
        }
        _ => out.extend_from_slice(authority),
    }
    out.extend_from_slice(path);
    match rest.first() {
        Some(b'?') => out.extend_from_slice(b"?[redacted]"),
        Some(_) => out.extend_from_slice(b"#[redacted]"),
        None => {}
    }
    out
}

/// As text without control characters; bytes that are no UTF-8 become percent escapes.
fn printable(text: &[u8]) -> Result<Cow<'_, str>, UriError> {
    if text.iter().any(u8::is_ascii_control) {
        return Err(UriError::Control);
    }
    if let Ok(text) = str::from_utf8(text) {
        return Ok(Cow::Borrowed(text));
    }
    let mut escaped = String::with_capacity(text.len());
    for &byte in text {
        if byte.is_ascii() {
            escaped.push(char::from(byte))
        } else {
            escaped.push_str(&format!("%{byte:02X}"))
        }
    }
    Ok(Cow::Owned(escaped))
}

/// The part before ':' when it is a scheme (RFC 3986 section 3.1).
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let mut letters = scheme.bytes();
    let starts_well = letters.next().is_some_and(|b| b.is_ascii_alphabetic());
    (starts_well && letters.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))).then_some(scheme)
}

/// What stands between "//" and the path, or nothing for a reference without it.
fn authority(text: &str) -> Result<Option<&str>, UriError> {
    let rest = match scheme(text) {
        Some(name) if !["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(name)) => {
            return Err(UriError::Scheme);
        }
        Some(name) => {
            let rest = text.get(name.len().saturating_add(1)..).unwrap_or_default();
            Some(rest.strip_prefix("//").ok_or(UriError::Host)?)
        }
        None => text.strip_prefix("//"),
    };
    Ok(rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default()))
}

/// The url crate skips further slashes and blanks in search of a host; a text without one is refused.
fn check_authority(authority: &str) -> Result<(), UriError> {
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') {
        return Err(UriError::Host);
    }
    if authority.contains(['\\', ' ']) { Err(UriError::Invalid) } else { Ok(()) }
}

fn escape_backslashes(text: &str) -> Cow<'_, str> {
    if text.contains('\\') { Cow::Owned(text.replace('\\', "%5C")) } else { Cow::Borrowed(text) }
}

/// The decoded name of a query pair, up to its first bracket.
fn top_level_name(pair: &str) -> Vec<u8> {
    let mut rest = pair.split('=').next().unwrap_or_default().as_bytes();
    let mut name = Vec::with_capacity(rest.len());
    while let Some((byte, after)) = decode_first(rest) {
        if byte == b'[' && !name.is_empty() {
            break;
        }
        name.push(byte);
        rest = after;
    }
    name
}

/// The first byte of a form-encoded text, and what follows it.
fn decode_first(text: &[u8]) -> Option<(u8, &[u8])> {
    if let [b'%', high, low, after @ ..] = text
        && let (Some(high), Some(low)) = (char::from(*high).to_digit(16), char::from(*low).to_digit(16))
        && let Ok(byte) = u8::try_from(high * 16 + low)
    {
        return Some((byte, after));
    }
    let (byte, after) = text.split_first()?;
    Some((if *byte == b'+' { b' ' } else { *byte }, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &str, text: &str) -> Result<String, UriError> {
        let base = if base.is_empty() { None } else { Some(parse_base(base.as_bytes())?) };
        resolve(base.as_ref(), text.as_bytes()).map(String::from)
    }

    #[test]
    fn a_reference_is_joined_to_the_base() {
        for (base, text, whole) in [
            ("https://x/v1", "chat", "https://x/v1/chat"),
            ("https://x/v1/", "chat", "https://x/v1/chat"),
            ("https://x/v1", "/chat", "https://x/chat"),
            ("https://x/v1", "", "https://x/v1/"),
            ("https://x/v1", "?a=1", "https://x/v1/?a=1"),
            ("https://x/v1?k=1", "chat", "https://x/v1/chat"),
            ("https://x/v1", "../chat", "https://x/chat"),
            ("https://x/v1", "//y/z", "https://y/z"),
            ("https://x/v1", "HTTP://y", "http://y/"),
            ("https://x", "a b#frag", "https://x/a%20b"),
            ("https://x", "v1/gemini:run", "https://x/v1/gemini:run"),
            ("https://x", "/\\evil/a", "https://x/%5Cevil/a"),
            ("https://u:p@x:444/a", "b", "https://u:p@x:444/a/b"),
            ("", "http://[::1]:80/", "http://[::1]/"),
        ] {
            assert_eq!(joined(base, text).as_deref(), Ok(whole), "{base} {text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (base, text, error) in [
            ("", "/a", UriError::Relative),
            ("v1", "", UriError::Scheme),
            ("ftp://x", "", UriError::Scheme),
            ("https:x", "", UriError::Host),
            ("https://", "", UriError::Host),
            ("https:///x", "", UriError::Host),
            ("https://x", "///y", UriError::Host),
            ("https://x", "file:///etc/passwd", UriError::Scheme),
            ("https://x", "models:list", UriError::Scheme),
            ("https://x\\@y", "", UriError::Invalid),
            ("https://x:99999", "", UriError::Invalid),
            ("https://x", "a\nb", UriError::Control),
            ("https://user@", "", UriError::Host),
            ("https://{host}/x", "", UriError::Invalid),
            ("https://x", "//a`b", UriError::Invalid),
        ] {
            assert_eq!(joined(base, text), Err(error), "{base} {text}");
        }
    }

    #[test]
    fn a_text_means_the_same_however_often_it_is_asked_for() {
        for _ in 0..2 {
            // An address by itself, with a base that it has nothing of.
            assert_eq!(joined("https://x/v1", "http://u:p@y/a?k=1#f").as_deref(), Ok("http://u:p@y/a?k=1"));
            assert_eq!(joined("", "http://u:p@y/a?k=1#f").as_deref(), Ok("http://u:p@y/a?k=1"));
            // The rest depends on the base.
            assert_eq!(joined("https://x/v1", "a").as_deref(), Ok("https://x/v1/a"));
            assert_eq!(joined("https://y/v1", "a").as_deref(), Ok("https://y/v1/a"));
            assert_eq!(joined("", "a"), Err(UriError::Relative));
            assert_eq!(joined("", "http://"), Err(UriError::Host));
        }
        assert_eq!(
            (check(b"/a"), check(b"http://y/a"), check(b"http://")),
            (Ok(()), Ok(()), Err(UriError::Host))
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_escaped() {
        assert_eq!(resolve(None, b"http://x/\xff").map(String::from), Ok("http://x/%FF".to_owned()));
    }

    #[test]
    fn a_query_replaces_pairs_of_its_names() {
        for (uri, names, encoded, whole) in [
            ("http://x/?a=1&b=2", vec!["b"], "b=3", "http://x/?a=1&b=3"),
            ("http://x/?a%5B0%5D=1&a[x]=2&ab=3", vec!["a"], "a=9", "http://x/?ab=3&a=9"),
            ("http://x/?a=1", vec!["a"], "", "http://x/"),
            ("http://x/?a+b=1&%61+c=2", vec!["a b"], "a%20b=2", "http://x/?%61+c=2&a%20b=2"),
            ("http://x/", vec!["q"], "q=a%26b", "http://x/?q=a%26b"),
        ] {
            let mut uri = Url::parse(uri).unwrap();
            let names: Vec<Vec<u8>> = names.into_iter().map(|n| n.as_bytes().to_vec()).collect();
            merge_query(&mut uri, &names, encoded);
            assert_eq!(uri.as_str(), whole);
        }
    }

    #[test]
    fn secrets_are_redacted() {
        for (text, shown) in [
            ("https://u:p@x/a?key=1#f", "https://[redacted]@x/a?[redacted]"),
            ("/a?key=1", "/a?[redacted]"),
            ("a@b", "a@b"),
            ("//u:p@x", "//[redacted]@x"),
            (r"\\u:p@x\a", r"\\[redacted]@x\a"),
            ("https://x/a#t", "https://x/a#[redacted]"),
            ("https://x/a", "https://x/a"),
        ] {
            assert_eq!(redact(text.as_bytes()), shown.as_bytes());
        }
    }
}
