//! Sending one request over the network and reading what comes back.

mod coding;
mod connect;
mod contact;
mod dns;
mod failure;
pub mod hosts;
mod network;
mod pools;
mod proxy;
pub mod route;
mod tls;

pub(crate) use coding::Field;
pub(crate) use failure::{origin, too_large};
pub(crate) use network::{Arriving, Network};
pub(crate) use pools::Pools;
