//! The control endpoints, `/_…`: scripts in, logs and counts out.

use std::time::Duration;

use serde_json::{Value, json};

use crate::clock::Stamp;
use crate::query::{Query, decode_path};
use crate::request::{Head, Received};
use crate::script::Script;
use crate::state::Shared;
use crate::step::{Step, StepError};

const DEFAULT_WAIT_MS: u64 = 5_000;

pub async fn answer(shared: &Shared, head: &Head, body: &Received) -> Step {
    let (path, query) = head.path_and_query();
    let query = Query::parse(query);
    let path = path.trim_start_matches('/');
    let (endpoint, name) = path.split_once('/').unwrap_or((path, ""));
    let result = match (head.method.as_str(), endpoint) {
        ("POST" | "PUT", "_script") => put_script(shared, name, body),
        ("GET", "_script") => Ok(script(shared, name)),
        ("DELETE", "_script") => Ok(json!({ "removed": shared.scripts.remove(name) })),
        ("GET", "_log") => log(shared, name, &query).await,
        ("DELETE", "_log") => {
            shared.logs.clear(name);
            Ok(json!({ "cleared": name }))
        }
        ("GET", "_limited") if name.is_empty() => {
            Ok(shared.limiters.list(query.get("prefix").unwrap_or_default()))
        }
        ("GET", "_limited") => Ok(shared.limiters.json(&decode_path(name), query.get("log") != Some("0"))),
        ("DELETE", "_limited") if name.is_empty() => {
            let prefix = query.get("prefix").unwrap_or_default();
            shared.limiters.forget_all(prefix);
            Ok(json!({ "cleared": prefix }))
        }
        ("DELETE", "_limited") => {
            shared.limiters.forget(&decode_path(name));
            Ok(json!({ "cleared": name }))
        }
        ("POST", "_release") => {
            shared.gates.set(name, true);
            Ok(json!({ "open": true }))
        }
        ("DELETE", "_release") => {
            shared.gates.set(name, false);
            Ok(json!({ "open": false }))
        }
        ("GET", "_stats") => Ok(shared.stats.json()),
        ("GET", "_time") => Ok(json!(Stamp::now())),
        _ => Err(format!("no control endpoint {} /{endpoint}", head.method)),
    };
    match result {
        Ok(value) => Step::json(200, &value),
        Err(reason) => Step::json(400, &json!({ "error": reason })),
    }
}

fn put_script(shared: &Shared, name: &str, body: &Received) -> Result<Value, String> {
    // Compressing a bomb takes its time, and other connections must not wait for it.
    let script = tokio::task::block_in_place(|| {
        let value = serde_json::from_slice(&body.kept)?;
        Script::parse(value)
    });
    let put = |script: Script| -> Result<(), StepError> { shared.scripts.put(name, script) };
    script.and_then(put).map_err(|e| e.to_string())?;
    // A name begins anew with its script.
    shared.logs.clear(name);
    Ok(json!({ "name": name, "path": format!("/{name}") }))
}

fn script(shared: &Shared, name: &str) -> Value {
    match shared.scripts.progress(name) {
        Some((taken, steps)) => json!({ "name": name, "taken": taken, "steps": steps }),
        None => Value::Null,
    }
}

async fn log(shared: &Shared, name: &str, query: &Query) -> Result<Value, String> {
    let entries = match query.number("wait")? {
        Some(count) => {
            let timeout = query.number("timeout_ms")?.unwrap_or(DEFAULT_WAIT_MS);
            shared.logs.wait(name, count, Duration::from_millis(timeout)).await
        }
        None => shared.logs.get(name),
    };
    Ok(json!(entries))
}
