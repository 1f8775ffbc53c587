//! One request over the wire, and the answer as it arrives.

use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};

use bytes::Bytes;
use http::HeaderMap;
use policy::{FailureKind, Timestamp};
use tokio::time::timeout_at;
use url::Url;

use super::{
    connect::Dial,
    failure,
    pools::{MAX_HEADER_BYTES, MAX_HEADERS, PoolKey, Pools},
    proxy,
};
use crate::{Failed, Request, Route, clock};

/// How often a request that the server refused to begin with is sent again at once.
const MAX_REPLACEMENTS: u32 = 2;

/// The connections of this thread as one call uses them.
pub(crate) struct Network {
    pools: Rc<RefCell<Pools>>,
    route: Arc<Route>,
    dial: Arc<Dial>,
    /// Left of [`MAX_REPLACEMENTS`] for the whole call.
    replacements: std::cell::Cell<u32>,
}

/// An answer whose headers are here and whose body is on its way.
pub(crate) struct Arriving {
    response: reqwest::Response,
    uri: Url,
    idle_timeout: Option<Duration>,
}

impl Network {
    pub(crate) fn new(pools: Rc<RefCell<Pools>>, route: Arc<Route>, connect_timeout: Duration) -> Self {
        let dial = Dial::new(connect_timeout);
        Self { pools, route, dial, replacements: MAX_REPLACEMENTS.into() }
    }

    /// Sends and waits for the headers, until `until` at most.
    pub(crate) async fn send(
        &self,
        request: &Request,
        until: Timestamp,
        idle_timeout: Option<Duration>,
    ) -> Result<Arriving, Failed> {
        let uri = &request.uri;
        let client = self.client(uri)?;
        // One turn of the event loop, then one of the tasks it woke: a pooled connection that the
        // server has closed meanwhile leaves the pool before it is picked.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        let deadline = clock::instant(until);
        loop {
            let sending = Arc::clone(&self.dial).scope(client.execute(to_reqwest(request)));
            let error = match timeout_at(deadline, sending).await {
                Ok(Ok(response)) => return accept(response, uri, idle_timeout),
                Ok(Err(error)) => error,
                Err(_) => return Err(self.timed_out(uri)),
            };
            if !failure::is_h2_refusal(&error) || self.replacements.get() == 0 {
                return Err(failure::of_send(&error, uri, self.dial.is_connecting()));
            }
            self.replacements.set(self.replacements.get() - 1);
        }
    }

    fn client(&self, uri: &Url) -> Result<reqwest::Client, Failed> {
        let key = PoolKey {
            proxy: proxy::select(&self.route.proxy, uri),
            tls: self.route.tls.clone(),
            decode: self.route.decode,
        };
        self.pools.borrow_mut().client(&key).map_err(|error| failure::of_route(&error))
    }

    fn timed_out(&self, uri: &Url) -> Failed {
        let connecting = self.dial.is_connecting();
        let what = if connecting { "connection to" } else { "answer from" };
        timeout(format!("No {what} {} in time", failure::origin(uri)), connecting)
    }
}

fn to_reqwest(request: &Request) -> reqwest::Request {
    let mut own = reqwest::Request::new(request.method.clone(), request.uri.clone());
    *own.headers_mut() = request.headers.clone();
    *own.body_mut() = request.body.to_reqwest();
    own
}

fn timeout(message: String, unsent: bool) -> Failed {
    Failed { kind: FailureKind::Timeout, message, unsent, permanent: false }
}

/// Holds the header block against its limits: for HTTP/1 only hyper's buffer has bounded its size so far,
/// for HTTP/2 nothing its number.
fn accept(
    response: reqwest::Response,
    uri: &Url,
    idle_timeout: Option<Duration>,
) -> Result<Arriving, Failed> {
    let headers = response.headers();
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if bytes > MAX_HEADER_BYTES || headers.len() > MAX_HEADERS {
        let limits = format!("{} KiB or {MAX_HEADERS} lines", MAX_HEADER_BYTES / 1024);
        let origin = failure::origin(uri);
        return Err(failure::too_large(format!("The headers from {origin} are over {limits}")));
    }
    Ok(Arriving { response, uri: uri.clone(), idle_timeout })
}

impl Arriving {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub(crate) fn version(&self) -> http::Version {
        self.response.version()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    pub(crate) fn take_headers(&mut self) -> HeaderMap {
        std::mem::take(self.response.headers_mut())
    }

    /// As the server wrote it; HTTP/2 has none.
    pub(crate) fn reason_phrase(&self) -> Vec<u8> {
        match self.response.extensions().get::<hyper::ext::ReasonPhrase>() {
            Some(phrase) => phrase.as_bytes().to_vec(),
            None if self.version() == http::Version::HTTP_2 => Vec::new(),
            None => self.response.status().canonical_reason().unwrap_or_default().into(),
        }
    }

    pub(crate) fn content_length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// The next stretch of the body; `None` at its end.
    pub(crate) async fn chunk(&mut self, until: Timestamp) -> Result<Option<Bytes>, Failed> {
        let silence = self.idle_timeout.map(|idle| clock::now().after(idle));
        let next = silence.map_or(until, |silence| silence.min(until));
        match timeout_at(clock::instant(next), self.response.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk),
            Ok(Err(error)) => Err(failure::of_body(&error, &self.uri)),
            Err(_) => {
                Err(timeout(format!("The body from {} came too slowly", failure::origin(&self.uri)), false))
            }
        }
    }
}
