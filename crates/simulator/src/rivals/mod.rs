//! What others do, to compare with.

mod aws;
mod backoff;
mod oracle;

pub use aws::Aws;
pub use backoff::{Backoff, Wish};
pub use oracle::{Knows, Oracle};
