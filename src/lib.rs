//! The PHP extension `retry_client`: a translation between PHP and the crates `client` and `policy`.
//!
//! This file is the table of contents: what is registered, in which order, and what happens when the module and each
//! request begin and end.

mod attempt;
mod budget;
mod ended;
mod event;
mod exceptions;
mod fields;
mod info;
mod ini;
mod interrupt;
mod message;
mod response;
mod room;
mod seconds;
mod zend;

mod batch;
mod body;
mod client;
mod client_interface;
mod drive;
mod fake;
mod fake_answer;
mod flight;
mod header_rules;
mod headers;
mod hooks;
mod local_path;
mod multipart;
mod options;
mod outgoing;
mod parameters;
mod pending;
mod php_stream;
mod refusal;
mod request;
mod sink;
mod stats;
mod streamed;
mod text;
mod uri;

use ext_php_rs::{builders::ModuleBuilder, error::Result, php_module};

#[php_module]
#[php(startup = start)]
pub fn module(module: ModuleBuilder<'_>) -> ModuleBuilder<'_> {
    module
        .name("retry_client")
        .info_function(info::show)
        .request_startup_function(begin_request)
        .request_shutdown_function(end_request)
        .shutdown_function(stop)
}

/// In order: parents and interfaces before those that refer to them.
fn register_classes() -> Result<()> {
    attempt::register()?;
    response::register()?;
    exceptions::register()?;
    request::register()?;
    pending::register()?;
    event::register()?;
    streamed::register()?;
    batch::register()?;
    client_interface::register()?;
    client::register()?;
    fake::register()
}

/// MINIT. No thread, socket or event loop may begin here: FPM's children are forked after it.
fn start(_: i32, module_number: i32) -> i32 {
    zend::entry::install_panic_hook();
    ext_php_rs::internal::startup_guard(|| {
        ini::register(module_number);
        // Says where; the first call opens it, as the user that FPM's child has become.
        ::client::keep_state_at(ini::shared_memory());
        register_classes()?;
        ::client::runtime::on_interrupt(interrupt::is_requested);
        Ok(())
    })
}

/// RINIT.
unsafe extern "C" fn begin_request(_: i32, _: i32) -> i32 {
    budget::note_request_start();
    0
}

/// RSHUTDOWN: after a fatal error, too, when the calls of skipped frames are still in flight.
unsafe extern "C" fn end_request(_: i32, _: i32) -> i32 {
    quietly(::client::runtime::cancel_all);
    quietly(flight::forget_all);
    quietly(uri::forget);
    0
}

/// MSHUTDOWN.
unsafe extern "C" fn stop(module_type: i32, module_number: i32) -> i32 {
    quietly(::client::runtime::shut_down);
    ini::unregister(module_type, module_number);
    0
}

/// A panic here has nobody to tell it to but the panic hook.
fn quietly(body: fn()) {
    let _ = std::panic::catch_unwind(body);
}
