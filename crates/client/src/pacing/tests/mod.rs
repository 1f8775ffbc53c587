//! Turns at one file, in real processes.

mod hammer;
mod places;
mod speed;

use std::sync::Arc;

use http::{HeaderMap, Method, header};
use policy::{Options, Settings, Timestamp};

use super::*;
use crate::{Body, Limits, Request, children::Child, clock};
use store::tests::Folder;

fn request(json: &str) -> Request {
    let headers = [
        (header::CONTENT_TYPE, "application/json".parse().unwrap()),
        (header::AUTHORIZATION, "Bearer sk-0123456789abcdef".parse().unwrap()),
    ];
    Request {
        method: Method::POST,
        uri: "https://api.test/v1/chat/completions".parse().unwrap(),
        headers: HeaderMap::from_iter(headers),
        body: Body::bytes(json.to_owned()),
    }
}

fn settings(limit: Option<&str>) -> Arc<Settings> {
    let options = Options { limit: limit.map(str::to_owned), ..Options::default() };
    Arc::new(options.validate().unwrap())
}

fn turn_under(pacing: &Pacing, settings: &Arc<Settings>) -> Turn {
    Turn::new(pacing.clone(), &request(""), settings, &Limits::default(), None)
}

/// What a process has at hand that shares in this folder; to be called in a child, for the choice is the process's.
fn sharing(folder: &Folder) -> Pacing {
    keep_state_at(folder.choice());
    Pacing::default()
}

impl Pacing {
    /// Shared with nobody, and yet no virtual clock's.
    fn private_to_process() -> Self {
        let pacing = Self::default();
        pacing.0.shared.set(Store::local()).unwrap();
        pacing
    }
}

fn now() -> Timestamp {
    clock::boot()
}
