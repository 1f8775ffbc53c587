//! The thin layer between this extension and the Zend engine: what ext-php-rs leaves out.
//!
//! - [`declare`], [`method`](mod@method): a class as a table of properties and methods, exactly as Reflection shows it
//! - [`handle`]: a registered class, found again, and the slots of its objects
//! - [`args`]: the arguments of a call, converted and refused as php-src's own functions do
//! - [`object`]: making values and objects, calling PHP code
//! - [`one_pass`]: classes that `foreach` goes through once
//! - [`strings`]: making a string out of several stretches
//! - [`native`]: objects that carry Rust state
//! - [`handlers`]: what a dump of an object shows
//! - [`throw`](mod@throw): raising exceptions
//! - [`iteration`]: going through an iterable
//! - [`entry`]: how the engine enters a method, and what happens to a panic
//!
//! It knows nothing of HTTP or retries.

pub mod args;
pub mod declare;
pub mod entry;
pub mod ffi;
pub mod handle;
pub mod handlers;
pub mod iteration;
pub mod method;
pub mod native;
pub mod object;
pub mod one_pass;
pub mod strings;
pub mod throw;
pub mod types;

pub use args::Args;
pub use declare::Class;
pub use handle::Handle;
pub use iteration::Iteration;
pub use method::{Method, Param, method, param, static_method};
pub use object::Object;
pub use one_pass::{Cursor, OnePass};
pub use throw::{Parsed, Thrown};
pub use types::Type;
