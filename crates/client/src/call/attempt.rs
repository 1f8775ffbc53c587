//! One attempt: the request and the redirects that its answer leads through, under one timeout.

use std::time::Duration;

use super::{Outside, Request, received::Received, redirect};
use crate::{Failed, until::Until, world::World};
use policy::Settings;

/// Sends until an answer that is no redirect; its headers have arrived then.
pub(crate) async fn attempt(
    world: &World,
    outside: &Outside,
    settings: &Settings,
    first: &Request,
    until: Until,
    idle_timeout: Option<Duration>,
) -> Result<Box<Received>, Failed> {
    let mut followed = 0;
    let mut redirected: Option<Request> = None;
    loop {
        let request = redirected.as_ref().unwrap_or(first);
        let arrival = world.send(request, until, idle_timeout, outside).await.map_err(|failed| {
            // What a redirect answered has arrived, and a retry would send it again.
            Failed { unsent: failed.unsent && followed == 0, ..failed }
        })?;
        let next =
            redirect::follow(request, arrival.status(), arrival.headers(), followed, settings.max_redirects)?;
        let mut received = Received::new(arrival, request.uri.clone(), world.now(), world.wall());
        let Some(next) = next else { return Ok(received) };
        // A body that is there already is read, so that its connection can be used again.
        received.look_without_waiting().await;
        redirected = Some(next);
        followed += 1;
    }
}
