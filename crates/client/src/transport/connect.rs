//! A layer around reqwest's connector: the connect timeout of the call that dials, and a note of how
//! far it came. reqwest's own timeout belongs to a whole client and would split the pools.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use tokio::sync::Notify;
use tower_layer::Layer;
use tower_service::Service;

use crate::until::Until;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

tokio::task_local! {
    static DIALLING: Arc<Dial>;
}

/// What one send asks of a new connection, and how far that came. Shared with the connector, which
/// may outlive the call, so it is atomic although one thread runs both.
#[derive(Debug)]
pub(crate) struct Dial {
    timeout: Duration,
    stage: AtomicU8,
    decided: Notify,
}

const NOT_DIALLED: u8 = 0;
const DIALLED: u8 = 1;
const CONNECTED: u8 = 2;
const OUTRUN: u8 = 3;

impl Dial {
    pub(crate) fn new(timeout: Duration) -> Arc<Self> {
        Arc::new(Self { timeout, stage: AtomicU8::new(NOT_DIALLED), decided: Notify::new() })
    }

    /// Runs `send` so that a connection it needs is dialled under this call's timeout.
    pub(crate) async fn scope<F: Future>(self: Arc<Self>, send: F) -> F::Output {
        DIALLING.scope(self, send).await
    }

    /// A connection was needed and is not there yet: nothing can have been sent.
    pub(crate) fn is_connecting(&self) -> bool {
        self.stage.load(Ordering::Relaxed) == DIALLED
    }
}

impl Dial {
    pub(crate) fn has_connected(&self) -> bool {
        !matches!(self.stage.load(Ordering::Relaxed), NOT_DIALLED | DIALLED)
    }

    /// Until it has connected, or is given up.
    pub(crate) async fn is_decided(&self) {
        let mut decided = pin!(self.decided.notified());
        decided.as_mut().enable();
        if !self.has_connected() {
            decided.await;
        }
    }

    pub(crate) fn decide(&self) {
        self.decided.notify_waiters();
    }
}

/// No connection within the connect timeout; nothing was sent.
#[derive(Debug, thiserror::Error)]
#[error("no connection within {0:?}")]
pub(crate) struct ConnectTimedOut(Duration);

#[derive(Clone, Copy, Debug)]
pub(crate) struct DialLayer;

/// reqwest and hyper-util copy it several times for each request. What is inside is copied by those only that dial.
#[derive(Debug)]
pub(crate) struct Dialler<S> {
    inner: Arc<S>,
}

impl<S> Clone for Dialler<S> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

impl<S> Layer<S> for DialLayer {
    type Service = Dialler<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Dialler { inner: Arc::new(inner) }
    }
}

impl<S, Destination> Service<Destination> for Dialler<S>
where
    S: Service<Destination, Error = BoxError> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Response: Send + 'static,
    Destination: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    /// What is inside is asked by each that dials.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, destination: Destination) -> Self::Future {
        let mut inner = S::clone(&self.inner);
        let connecting = async move {
            poll_fn(|cx| inner.poll_ready(cx)).await?;
            inner.call(destination).await
        };
        // hyper-util calls this while it polls the request, hence inside the call's scope.
        let Ok(dial) = DIALLING.try_with(Arc::clone) else {
            return Box::pin(connecting);
        };
        dial.stage.store(DIALLED, Ordering::Relaxed);
        Box::pin(async move {
            let mut connecting = pin!(connecting);
            let connected = poll_fn(|cx| {
                // Outside of its call: another connection came free first, and carries the request. hyper-util
                // lets this one finish for later.
                if !DIALLING.try_with(|dialling| Arc::ptr_eq(dialling, &dial)).unwrap_or(false) {
                    dial.stage.store(OUTRUN, Ordering::Relaxed);
                }
                connecting.as_mut().poll(cx)
            });
            let connection =
                Until::within(dial.timeout).bound(connected).await.ok_or(ConnectTimedOut(dial.timeout))??;
            dial.stage.store(CONNECTED, Ordering::Relaxed);
            dial.decide();
            Ok(connection)
        })
    }
}
