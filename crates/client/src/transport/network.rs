//! One request over the wire, and the answer as it arrives.

use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};

use bytes::Bytes;
use http::HeaderMap;
use policy::{FailureKind, Timestamp};
use tokio::task::coop::consume_budget;
use url::Url;

use super::{
    coding::{self, Content, Field},
    connect::Dial,
    failure,
    pools::{MAX_HEADER_BYTES, MAX_HEADERS, Pool, PoolKey, Pools},
    proxy,
    route::HttpVersion,
};
use crate::{Failed, Request, Route, clock, until::Until};

/// How often a request that the server refused to begin with is sent again at once.
const MAX_REPLACEMENTS: u32 = 2;

/// Between two calls that follow each other so closely, a server has hardly closed a connection.
const NO_PAUSE: Duration = Duration::from_micros(500);

/// How long an answer's body that is here already may be read after its time.
const GRACE: Duration = Duration::from_millis(50);

/// The connections of this thread as one call uses them.
pub(crate) struct Network {
    pools: Rc<RefCell<Pools>>,
    route: Arc<Route>,
    connect_timeout: Duration,
    /// Left of [`MAX_REPLACEMENTS`] for the whole call.
    replacements: std::cell::Cell<u32>,
}

/// An answer whose headers are here and whose body is on its way.
pub(crate) struct Arriving {
    response: http::Response<Content>,
    uri: Url,
    pub(crate) idle_timeout: Option<Duration>,
    /// How long what is here already may be read after its time, once that is over.
    late_until: Option<Timestamp>,
}

impl Network {
    pub(crate) fn new(pools: Rc<RefCell<Pools>>, route: Arc<Route>, connect_timeout: Duration) -> Self {
        Self { pools, route, connect_timeout, replacements: MAX_REPLACEMENTS.into() }
    }

    /// Sends and waits for the headers, until `until` at most.
    pub(crate) async fn send(
        &self,
        request: &Request,
        until: Until,
        idle_timeout: Option<Duration>,
    ) -> Result<Arriving, Failed> {
        let uri = &request.uri;
        let Pool { client, contacts } = self.pool(uri)?;
        self.settle().await;
        loop {
            let dial = Dial::new(self.connect_timeout);
            let sending = async {
                let first = match &contacts {
                    Some(contacts) => Rc::clone(contacts).wait(uri, &dial).await,
                    None => None,
                };
                let answer = Arc::clone(&dial).scope(client.execute(self.to_reqwest(request))).await;
                drop(first);
                answer
            };
            let error = match until.bound(sending).await {
                Some(Ok(response)) => return self.accept(response.into(), uri, idle_timeout).await,
                Some(Err(error)) => error,
                None => return Err(timed_out(uri, dial.is_connecting())),
            };
            if !failure::is_h2_refusal(&error) || self.replacements.get() == 0 {
                return Err(failure::of_send(&error, uri, dial.is_connecting()));
            }
            self.replacements.set(self.replacements.get() - 1);
        }
    }

    /// Makes what the first request to a place needs, as far as it can be made before a connection.
    pub(crate) fn prepare(&self, uri: &Url) {
        // What is wrong with it is said when it is sent.
        let _ = self.pool(uri);
    }

    /// Lets the tasks of the connections run: one that has just served a call goes back into its pool. After a
    /// pause the event loop is turned before that, so that one the server has closed meanwhile is not picked.
    async fn settle(&self) {
        let now = clock::now();
        let quiet = now.since(self.pools.borrow_mut().used.replace(now));
        if quiet > NO_PAUSE {
            Self::serve().await;
        } else {
            tokio::task::yield_now().await;
        }
    }

    /// One turn of the event loop, and of the tasks that it wakes.
    pub(crate) async fn serve() {
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    }

    fn pool(&self, uri: &Url) -> Result<Pool, Failed> {
        let Route { proxy, tls, hosts, http_version, .. } = &*self.route;
        let key = PoolKey {
            proxy: proxy::select(proxy, uri)?,
            tls: tls.clone(),
            hosts: hosts.clone(),
            h2: *http_version == HttpVersion::Negotiated,
        };
        self.pools.borrow_mut().pool(&key).map_err(|error| failure::of_route(&error))
    }

    fn to_reqwest(&self, request: &Request) -> reqwest::Request {
        let mut own = reqwest::Request::new(request.method.clone(), request.uri.clone());
        own.headers_mut().clone_from(&request.headers);
        if self.route.decode {
            coding::ask(own.headers_mut());
        }
        if self.route.http_version == HttpVersion::Http10 {
            *own.version_mut() = http::Version::HTTP_10;
        }
        *own.body_mut() = request.body.to_reqwest();
        own
    }

    /// Holds the header block against its limits: for HTTP/1 only hyper's buffer has bounded its size so far,
    /// for HTTP/2 nothing its number.
    async fn accept(
        &self,
        response: http::Response<reqwest::Body>,
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
        let response = match self.route.decode {
            true => coding::undo(response).await,
            false => response.map(Content::Plain),
        };
        Ok(Arriving { response, uri: uri.clone(), idle_timeout, late_until: None })
    }
}

fn timed_out(uri: &Url, connecting: bool) -> Failed {
    let what = if connecting { "connection to" } else { "answer from" };
    timeout(format!("No {what} {} in time", failure::origin(uri)), connecting)
}

fn timeout(message: String, unsent: bool) -> Failed {
    Failed { kind: FailureKind::Timeout, message, unsent, permanent: false }
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

    pub(crate) fn removed(&self) -> &[Field] {
        self.response.body().removed()
    }

    pub(crate) fn take_removed(&mut self) -> Vec<Field> {
        self.response.body_mut().take_removed()
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
        self.response.body().length()
    }

    /// The next stretch of the body; `None` at its end.
    pub(crate) async fn chunk(&mut self, until: Until) -> Result<Option<Bytes>, Failed> {
        if self.is_overdue(until.at()) {
            return Err(self.too_slow());
        }
        let body = self.response.body_mut();
        // What comes out of a decoder is ready at once, gigabytes of it: the loop must have its turns in between.
        let chunk = async {
            consume_budget().await;
            body.chunk().await
        };
        let chunk = until.bound(chunk);
        let chunk = match self.idle_timeout {
            Some(idle) => Until::within(idle).bound(chunk).await.flatten(),
            None => chunk.await,
        };
        match chunk {
            Some(Ok(chunk)) => Ok(chunk),
            Some(Err(error)) => Err(failure::of_body(error.as_ref(), &self.uri)),
            None => Err(self.too_slow()),
        }
    }

    /// A timeout alone never ends the reading of what is ready. Some of that may be read after its time: it has
    /// come before.
    fn is_overdue(&mut self, until: Timestamp) -> bool {
        let now = clock::now();
        now >= until && now > *self.late_until.get_or_insert(now.after(GRACE))
    }

    fn too_slow(&self) -> Failed {
        timeout(format!("The body from {} came too slowly", failure::origin(&self.uri)), false)
    }
}
