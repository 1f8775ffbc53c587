//! The way to a server: proxy, trust, client certificate and known addresses, which make a connection's identity, and
//! decoding.

use std::{fmt, path::PathBuf};

use super::{hosts::Hosts, proxy, tls};

/// Calls whose routes differ at most in `decode`, or in which HTTP/1 they speak, share connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub proxy: ProxyChoice,
    pub tls: Tls,
    /// Not asked of DNS. The address of a proxy always is.
    pub hosts: Hosts,
    pub http_version: HttpVersion,
    /// Undo content codings.
    pub decode: bool,
}

/// What requests are sent as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HttpVersion {
    /// HTTP/2 where TLS finds that the server speaks it, else HTTP/1.1.
    #[default]
    Negotiated,
    Http11,
    Http10,
}

#[derive(Clone, PartialEq, Eq)]
pub enum ProxyChoice {
    /// The environment's, as it is at each call.
    Environment,
    None,
    /// http, https, socks4, socks4a, socks5 or socks5h, with credentials in the userinfo.
    Url(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    pub verify: bool,
    /// PEM; `None`: the system's store.
    pub ca_file: Option<PathBuf>,
    /// PEM files.
    pub cert: Option<PathBuf>,
    pub key: Option<PathBuf>,
}

/// An option of the route that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{option} {rule}")]
pub struct RouteError {
    /// `proxy`, `verify`, `cert` or `key`.
    pub option: &'static str,
    /// To follow the argument's name: `must be a readable PEM file with certificates`.
    pub rule: String,
}

impl RouteError {
    pub(crate) fn new(option: &'static str, rule: impl Into<String>) -> Self {
        Self { option, rule: rule.into() }
    }
}

impl Route {
    /// Reads the files and parses the proxy, so that nonsense is told before anything is sent.
    ///
    /// # Errors
    /// The first option that cannot be used.
    pub fn check(&self) -> Result<(), RouteError> {
        if let ProxyChoice::Url(url) = &self.proxy {
            proxy::parse(url).map_err(|rule| RouteError::new("proxy", rule))?;
        }
        if self.tls != Tls::default() {
            tls::check(&self.tls)?;
        }
        Ok(())
    }
}

impl Default for Tls {
    fn default() -> Self {
        Self { verify: true, ca_file: None, cert: None, key: None }
    }
}

/// A proxy's URL carries its password.
impl fmt::Debug for ProxyChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Environment => "Environment",
            Self::None => "None",
            Self::Url(_) => "Url(redacted)",
        })
    }
}
