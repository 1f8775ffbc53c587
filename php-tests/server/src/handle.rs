//! The server for Rust tests: started within the test's process, stopped when dropped.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::error::StartError;
use crate::log::Entry;
use crate::options::Options;
use crate::running::Running;
use crate::script::Script;
use crate::step::StepError;

/// A server on its own threads. Everything it can do is described in README.md.
#[derive(Debug)]
pub struct TestServer {
    running: Running,
}

impl TestServer {
    /// Starts with default options.
    ///
    /// # Panics
    /// If it cannot: a test has nothing better to do with that.
    #[must_use]
    #[expect(clippy::panic, reason = "a test without its server has failed")]
    pub fn start() -> Self {
        Self::with(Options::default()).unwrap_or_else(|e| panic!("test-server: {e}"))
    }

    pub fn with(options: Options) -> Result<Self, StartError> {
        Ok(Self { running: Running::start(options)? })
    }

    /// The address of a listener by its name in the JSON line, e.g. `"mtls"`; empty if there is none.
    #[must_use]
    pub fn url(&self, listener: &str) -> &str {
        self.running.addresses.get(listener).and_then(Value::as_str).unwrap_or_default()
    }

    #[must_use]
    pub fn http(&self) -> &str {
        self.url("http")
    }

    #[must_use]
    pub fn https(&self) -> &str {
        self.url("https")
    }

    /// HTTP/2 by ALPN, HTTP/1.1 for who does not offer it.
    #[must_use]
    pub fn h2(&self) -> &str {
        self.url("h2")
    }

    /// HTTP/2 without TLS, by prior knowledge.
    #[must_use]
    pub fn h2c(&self) -> &str {
        self.url("h2c")
    }

    #[must_use]
    pub fn mtls(&self) -> &str {
        self.url("mtls")
    }

    #[must_use]
    pub fn proxy(&self) -> &str {
        self.url("proxy")
    }

    #[must_use]
    pub fn proxy_auth(&self) -> &str {
        self.url("proxy_auth")
    }

    /// All that the command line's JSON line has.
    #[must_use]
    pub fn addresses(&self) -> Value {
        Value::Object(self.running.addresses.clone())
    }

    #[must_use]
    pub fn ca_pem(&self) -> &str {
        &self.running.ca_pem
    }

    #[must_use]
    pub fn ca_file(&self) -> &Path {
        &self.running.files.ca
    }

    #[must_use]
    pub fn client_cert_file(&self) -> &Path {
        &self.running.files.cert
    }

    #[must_use]
    pub fn client_key_file(&self) -> &Path {
        &self.running.files.key
    }

    /// Registers a script (see `json!`) and clears the name's log.
    ///
    /// # Panics
    /// If the script is wrong.
    #[expect(clippy::panic, reason = "a wrong script is a wrong test")]
    pub fn script(&self, name: &str, steps: impl Serialize) {
        if let Err(error) = self.try_script(name, steps) {
            panic!("script {name}: {error}");
        }
    }

    pub fn try_script(&self, name: &str, steps: impl Serialize) -> Result<(), StepError> {
        let script = Script::parse(serde_json::to_value(steps)?)?;
        self.running.shared.scripts.put(name, script)?;
        self.running.shared.logs.clear(name);
        Ok(())
    }

    /// What arrived for the name so far.
    #[must_use]
    pub fn log(&self, name: &str) -> Vec<Entry> {
        self.running.shared.logs.get(name)
    }

    /// The log once it has `count` entries, or what there is after `timeout`. Blocks: not for async code.
    #[must_use]
    pub fn wait_log(&self, name: &str, count: usize, timeout: Duration) -> Vec<Entry> {
        match &self.running.runtime {
            Some(runtime) => runtime.block_on(self.running.shared.logs.wait(name, count, timeout)),
            None => Vec::new(),
        }
    }

    pub fn clear_log(&self, name: &str) {
        self.running.shared.logs.clear(name);
    }

    /// Lets the steps with this `hold` go on.
    pub fn release(&self, gate: &str) {
        self.running.shared.gates.set(gate, true);
    }

    #[must_use]
    pub fn stats(&self) -> Value {
        self.running.shared.stats.json()
    }

    /// What the limiter of `/limited/<name>` has decided.
    #[must_use]
    pub fn limited(&self, name: &str) -> Value {
        self.running.shared.limiters.json(name, true)
    }
}
