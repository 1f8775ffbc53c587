//! The paths that need no script: `/status/429`, `/redirect/3`, `/gzip` and the like, as steps.
//!
//! The parameters that all of them know (`delay`, `header`, …) are read in one place, at the end.

use serde_json::json;

use crate::compile::compile;
use crate::query::Query;
use crate::spec::{
    Action, BombSpec, DripSpec, Encoding, HeaderText, InformationalSpec, LengthSpec, StepSpec,
};
use crate::step::Step;

/// The answer to a path, or `None` if there is no such path.
pub fn find(path: &str, query: &Query) -> Result<Option<Step>, String> {
    let path = path.trim_start_matches('/');
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let Some(mut spec) = own(first, rest, query)? else {
        return Ok(None);
    };
    common(&mut spec, query)?;
    compile(spec).map(Some)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is no number"))
}

fn action(action: Action) -> StepSpec {
    StepSpec { action, ..StepSpec::default() }
}

fn own(first: &str, rest: &str, query: &Query) -> Result<Option<StepSpec>, String> {
    let size = query.number("size")?;
    Ok(Some(match first {
        "status" => StepSpec { status: Some(number(rest)?), ..StepSpec::default() },
        "echo" => action(Action::Echo),
        "json" => StepSpec { body_json: Some(json!({ "ok": true })), ..StepSpec::default() },
        "bytes" => StepSpec {
            body_repeat: Some(("x".into(), number(rest)?)),
            headers: vec![content_type("application/octet-stream")],
            ..StepSpec::default()
        },
        "delay" => StepSpec { delay_ms: Some(number(rest)?), ..text("ok\n") },
        "redirect" => redirect(number(rest)?, query)?,
        "redirect-loop" => to("/redirect-loop", query)?,
        "redirect-to" => to(query.get("url").ok_or("redirect-to needs url=")?, query)?,
        "gzip" => packed(Encoding::Gzip, size),
        "br" => packed(Encoding::Br, size),
        "zstd" => packed(Encoding::Zstd, size),
        "deflate" => packed(Encoding::Deflate, size),
        "drip" => {
            StepSpec { body_repeat: Some(("x".into(), number(rest)?)), ..dripping(Action::Drip, query)? }
        }
        "endless" => {
            let endless = dripping(Action::Endless, query)?;
            StepSpec { drip: endless.drip.filter(|_| query.get("every").is_some()), ..endless }
        }
        "sse" => events(number(rest)?, query)?,
        "half" => StepSpec { body_repeat: Some(("x".into(), number(rest)?)), ..action(Action::Half) },
        "drop" => action(Action::Drop),
        "reset" => action(Action::Reset),
        "stall" => action(Action::Stall),
        "refuse-stream" => action(Action::RefuseStream),
        "goaway" => action(Action::Goaway),
        "headers" => StepSpec {
            header_bomb: Some(BombSpec {
                count: Some(number(rest)?),
                size: query.number("size")?,
                endless: false,
            }),
            ..text("ok\n")
        },
        _ => return Ok(None),
    }))
}

fn content_type(value: &str) -> (String, HeaderText) {
    ("Content-Type".into(), HeaderText::Text(value.into()))
}

fn text(body: &str) -> StepSpec {
    StepSpec { body: Some(body.into()), headers: vec![content_type("text/plain")], ..StepSpec::default() }
}

fn to(location: &str, query: &Query) -> Result<StepSpec, String> {
    Ok(StepSpec {
        location: Some(location.to_owned()),
        status: query.number("code")?,
        ..action(Action::Redirect)
    })
}

fn redirect(hops: u64, query: &Query) -> Result<StepSpec, String> {
    let code = query.get("code").map(|c| format!("?code={c}")).unwrap_or_default();
    match hops {
        0 => Ok(action(Action::Echo)),
        1 => to("/echo", query),
        n => to(&format!("/redirect/{}{code}", n - 1), query),
    }
}

fn packed(encoding: Encoding, size: Option<u64>) -> StepSpec {
    let encoding = Some(encoding);
    match size {
        Some(size) => StepSpec { body_repeat: Some(("x".into(), size)), encoding, ..StepSpec::default() },
        None => StepSpec { body_json: Some(json!({ "compressed": true })), encoding, ..StepSpec::default() },
    }
}

fn dripping(what: Action, query: &Query) -> Result<StepSpec, String> {
    let every_ms = query.number("every")?.unwrap_or(100);
    let drip = DripSpec { bytes: query.number("bytes")?, every_ms, head: query.flag("head") };
    Ok(StepSpec { drip: Some(drip), ..action(what) })
}

fn events(count: u64, query: &Query) -> Result<StepSpec, String> {
    let chunks = (0..count).map(|n| format!("id: {n}\ndata: {{\"n\":{n}}}\n\n")).collect();
    Ok(StepSpec {
        chunks: Some(chunks),
        chunked: Some(true),
        headers: vec![content_type("text/event-stream")],
        ..dripping(Action::Answer, query)?
    })
}

fn common(spec: &mut StepSpec, query: &Query) -> Result<(), String> {
    if let Some(status) = query.number("status")? {
        spec.status = Some(status);
    }
    if let Some(delay) = query.number("delay")? {
        spec.delay_ms = Some(delay);
    }
    if let Some(delay) = query.number("body-delay")? {
        spec.body_delay_ms = Some(delay);
    }
    if let Some(value) = query.get("retry-after") {
        spec.headers.push(("Retry-After".into(), HeaderText::Text(value.into())));
    }
    for line in query.all("header") {
        let (name, value) = line.split_once(':').ok_or("header= needs name:value")?;
        spec.headers.push((name.into(), HeaderText::Text(value.trim_start().into())));
    }
    for status in query.all("informational") {
        spec.informational.push(InformationalSpec::Status(number(status)?));
    }
    if let Some(body) = query.get("body") {
        spec.body = Some(body.to_owned());
        (spec.body_json, spec.body_repeat, spec.chunks) = (None, None, None);
    }
    if query.flag("chunked") {
        spec.chunked = Some(true);
    }
    if let Some(length) = query.number("content-length")? {
        spec.content_length = Some(LengthSpec::Claimed(length));
    }
    spec.close |= query.flag("close");
    Ok(())
}
