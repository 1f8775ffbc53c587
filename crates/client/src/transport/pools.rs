//! One connection pool for each route, the least recently used dropped.

use std::{cell::Cell, rc::Rc, time::Duration};

use policy::Timestamp;

use super::{
    connect::DialLayer,
    contact::Contacts,
    dns::Resolver,
    hosts::Hosts,
    proxy,
    route::{RouteError, Tls},
    tls,
};

/// Pools kept at once.
const MAX_POOLS: usize = 16;

/// Load balancers close idle connections at 60 s; ours go first.
const IDLE: Duration = Duration::from_secs(50);

/// Response headers: how many, and how large together.
pub(crate) const MAX_HEADERS: usize = 200;
pub(crate) const MAX_HEADER_BYTES: usize = 64 * 1024;

/// What HTTP/2 takes in (RFC 9113 section 6.5.2) before the limits above are held against it. h2 calls
/// more a protocol error like any other, so that it could not be told as too large.
const H2_HEADER_LIST: u32 = 4 * MAX_HEADER_BYTES as u32;

/// Unread bytes of one HTTP/2 response: hyper's own default.
const STREAM_WINDOW: u32 = 2 * 1024 * 1024;

/// Unread bytes of a whole HTTP/2 connection, as in Go's net/http: a response that nobody reads for a
/// while (its sink sends a request of its own) must not use up what the others on it need.
const CONNECTION_WINDOW: u32 = 1 << 30;

/// What tells one pool from another: a route with its proxy resolved.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PoolKey {
    pub proxy: Option<String>,
    pub tls: Tls,
    pub hosts: Hosts,
    /// Whether HTTP/2 may be spoken.
    pub h2: bool,
}

#[derive(Clone)]
pub(crate) struct Pool {
    pub client: reqwest::Client,
    /// `None`: no connection serves two requests at once, so none is worth waiting for.
    pub contacts: Option<Rc<Contacts>>,
}

/// Most recently used last.
#[derive(Default)]
pub(crate) struct Pools {
    /// When a call last looked for a connection.
    pub used: Cell<Timestamp>,
    kept: Vec<(PoolKey, Pool)>,
}

impl Pools {
    /// # Errors
    /// The option of the route that cannot be used (any more).
    pub(crate) fn pool(&mut self, key: &PoolKey) -> Result<Pool, RouteError> {
        if let Some((last, pool)) = self.kept.last()
            && last == key
        {
            return Ok(pool.clone());
        }
        let pool = match self.kept.iter().position(|(kept, _)| kept == key) {
            Some(at) => self.kept.remove(at),
            None => {
                if self.kept.len() >= MAX_POOLS {
                    self.kept.remove(0);
                }
                (key.clone(), Pool { client: build(key)?, contacts: key.h2.then(Rc::default) })
            }
        };
        let found = pool.1.clone();
        self.kept.push(pool);
        Ok(found)
    }
}

fn build(key: &PoolKey) -> Result<reqwest::Client, RouteError> {
    // A proxy is looked up by the same resolver.
    let proxy_host = key.proxy.as_deref().and_then(proxy::host).unwrap_or_default();
    let hosts = key.hosts.clone().without(&proxy_host);
    let mut builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls::configure(&key.tls, key.h2)?)
        .connector_layer(DialLayer)
        .dns_resolver(Resolver { hosts })
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .pool_idle_timeout(IDLE)
        .http1_max_headers(MAX_HEADERS)
        .http2_max_header_list_size(H2_HEADER_LIST)
        .http2_initial_stream_window_size(STREAM_WINDOW)
        .http2_initial_connection_window_size(CONNECTION_WINDOW);
    if let Some(url) = &key.proxy {
        let proxy = reqwest::Proxy::all(url)
            .map_err(|_| RouteError::new("proxy", "must be a URL that names a reachable kind of proxy"))?;
        builder = builder.proxy(proxy);
    }
    builder.build().map_err(|error| RouteError::new("verify", format!("cannot be used: {error}")))
}
