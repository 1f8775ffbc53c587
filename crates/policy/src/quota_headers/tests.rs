//! Each family by real values, then by hostile ones.

use std::time::UNIX_EPOCH;

use http::{HeaderName, HeaderValue};

use super::*;

/// Fri, 29 Sep 2023 16:26:37 GMT.
const NOW: u64 = 1_696_004_797;

type Lines<'a> = &'a [(&'a str, &'a str)];

fn headers<V: AsRef<[u8]>>(lines: &[(&str, V)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        let value = HeaderValue::from_bytes(value.as_ref()).unwrap();
        headers.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value);
    }
    headers
}

fn quotas<V: AsRef<[u8]>>(lines: &[(&str, V)]) -> Quotas {
    read(&headers(lines), UNIX_EPOCH + Duration::from_secs(NOW))
}

/// All of each quota as text: `1 Requests 59/60 Full 12ms`, then its window and whether it is coarse.
fn told<V: AsRef<[u8]>>(lines: &[(&str, V)]) -> Vec<String> {
    let text = |quota: &Quota| {
        let limit = quota.limit.map_or("?".to_owned(), |limit| limit.to_string());
        let reset = quota.reset.map_or("?".to_owned(), |reset| format!("{reset:?}"));
        let window = quota.window.map_or(String::new(), |window| format!(" per {window:?}"));
        let coarse = if quota.coarse { " coarse" } else { "" };
        let Quota { id, unit, remaining, kind, .. } = quota;
        format!("{id} {unit:?} {remaining}/{limit} {kind:?} {reset}{window}{coarse}")
    };
    quotas(lines).iter().map(text).collect()
}

fn openai<'a>(limit: &'a str, remaining: &'a str, reset: &'a str) -> [(&'a str, &'a str); 3] {
    [
        ("x-ratelimit-limit-requests", limit),
        ("x-ratelimit-remaining-requests", remaining),
        ("x-ratelimit-reset-requests", reset),
    ]
}

fn bare<'a>(limit: &'a str, remaining: &'a str, reset: &'a str) -> [(&'a str, &'a str); 3] {
    [("x-ratelimit-limit", limit), ("x-ratelimit-remaining", remaining), ("x-ratelimit-reset", reset)]
}

fn old_ietf<'a>(limit: &'a str, remaining: &'a str, reset: &'a str) -> [(&'a str, &'a str); 3] {
    [("ratelimit-limit", limit), ("ratelimit-remaining", remaining), ("ratelimit-reset", reset)]
}

#[test]
fn openai_groq_azure() {
    for (lines, expected) in [
        // OpenAI's documentation.
        (openai("60", "59", "1s"), vec!["1 Requests 59/60 Full 1s coarse"]),
        (openai("10000", "9999", "6ms"), vec!["1 Requests 9999/10000 Full 6ms"]),
        (openai("3", "0", "20s"), vec!["1 Requests 0/3 Full 20s coarse"]),
        // Groq: per day.
        (openai("14400", "14370", "2m59.56s"), vec!["1 Requests 14370/14400 Full 179.56s"]),
        (openai("1000", "0", "23h59m8.64s"), vec!["1 Requests 0/1000 Full 86348.64s"]),
        (openai("14400", "14400", "88µs"), vec!["1 Requests 14400/14400 Full 88µs"]),
        // Azure: bare seconds, and its sentinels.
        (openai("100", "99", "6"), vec!["1 Requests 99/100 Full 6s coarse"]),
        (openai("-1", "-1", "0"), vec![]),
        // A window that cannot be: the rate would be one in centuries.
        (openai("100;w=999999999999", "0", "60"), vec!["1 Requests 0/100 Full 60s coarse"]),
        // Nothing to reset, or nothing that can be.
        (openai("100", "100", "0s"), vec!["1 Requests 100/100 Full ?"]),
        (openai("100", "50", "744h0m0s"), vec!["1 Requests 50/100 Full ?"]),
        (openai("100", "50", "743h59m59.999999999s"), vec!["1 Requests 50/100 Full 2678399.999999999s"]),
    ] {
        assert_eq!(told(&lines), expected, "{lines:?}");
    }
    let both = [
        ("x-ratelimit-limit-requests", "10000"),
        ("x-ratelimit-limit-tokens", "200000"),
        ("x-ratelimit-remaining-requests", "9999"),
        ("x-ratelimit-remaining-tokens", "199983"),
        ("x-ratelimit-reset-requests", "8.64s"),
        ("x-ratelimit-reset-tokens", "5ms"),
    ];
    assert_eq!(told(&both), ["1 Requests 9999/10000 Full 8.64s", "2 Tokens 199983/200000 Full 5ms"]);
    // Azure without limits and resets.
    let bare = [("x-ratelimit-remaining-requests", "79"), ("x-ratelimit-remaining-tokens", "61353")];
    assert_eq!(told(&bare), ["1 Requests 79/? Full ?", "2 Tokens 61353/? Full ?"]);
    // A malformed unit leaves the other.
    let half = [("x-ratelimit-remaining-requests", "79"), ("x-ratelimit-remaining-tokens", "-1")];
    assert_eq!(told(&half), ["1 Requests 79/? Full ?"]);
}

#[test]
fn anthropic() {
    let lines = [
        ("anthropic-ratelimit-requests-limit", "50"),
        ("anthropic-ratelimit-requests-remaining", "49"),
        ("anthropic-ratelimit-requests-reset", "2023-09-29T16:26:38Z"),
        ("anthropic-ratelimit-tokens-limit", "48000"),
        ("anthropic-ratelimit-tokens-remaining", "46000"),
        ("anthropic-ratelimit-tokens-reset", "2023-09-29T18:26:40.5+02:00"),
        ("anthropic-ratelimit-input-tokens-limit", "40000"),
        ("anthropic-ratelimit-input-tokens-remaining", "0"),
        ("anthropic-ratelimit-input-tokens-reset", "2023-09-29T11:56:57-04:30"),
        ("anthropic-ratelimit-output-tokens-limit", "8000"),
        ("anthropic-ratelimit-output-tokens-remaining", "8000"),
        ("anthropic-ratelimit-output-tokens-reset", "2023-09-29T16:26:37Z"),
    ];
    assert_eq!(
        told(&lines),
        [
            "3 Requests 49/50 Full 1s per 60s coarse",
            "4 Tokens 46000/48000 Full 3.5s per 60s",
            "5 InputTokens 0/40000 Full 20s per 60s coarse",
            "6 OutputTokens 8000/8000 Full ? per 60s",
        ]
    );
    // Beyond a minute it is another window.
    let daily = [
        ("anthropic-ratelimit-tokens-limit", "1000000"),
        ("anthropic-ratelimit-tokens-remaining", "5"),
        ("anthropic-ratelimit-tokens-reset", "2023-09-30T00:00:00Z"),
    ];
    assert_eq!(told(&daily), ["4 Tokens 5/1000000 Full 27203s coarse"]);
    // Its other headers are none of these.
    let unified = [("anthropic-ratelimit-unified-remaining", "0"), ("anthropic-organization-id", "x")];
    assert_eq!(told(&unified), [""; 0]);
    // Spans and numbers are not its form.
    for reset in ["20s", "20", "1696004817"] {
        let lines =
            [("anthropic-ratelimit-requests-remaining", "1"), ("anthropic-ratelimit-requests-reset", reset)];
        assert_eq!(told(&lines), [""; 0], "{reset}");
    }
}

#[test]
fn bare_ones_tell_their_unit_by_the_value() {
    for (reset, expected) in [
        // GitHub.
        ("1696008397", "3600s coarse"),
        ("1696004798", "1s coarse"),
        // Discord's epochs have fractions.
        ("1696004797.25", "250ms"),
        // OpenRouter.
        ("1696004857000", "60s coarse"),
        ("1696004797125", "125ms"),
        // Reddit.
        ("423", "423s coarse"),
        ("0.5", "500ms"),
        ("12ms", "12ms"),
        ("6m0s", "360s coarse"),
        ("2023-09-29T16:26:57Z", "20s coarse"),
        ("2023-09-29T16:26:57.123Z", "20.123s"),
        ("2023-09-29t18:26:57+02:00", "20s coarse"),
        ("Fri, 29 Sep 2023 16:26:57 GMT", "20s coarse"),
        ("Friday, 29-Sep-23 16:26:57 GMT", "20s coarse"),
        ("Fri Sep 29 16:26:57 2023", "20s coarse"),
        // In the past, now, too far.
        ("0", "?"),
        ("0.0", "?"),
        ("1696004797", "?"),
        ("1696004700", "?"),
        ("1000000001", "?"),
        ("2678399", "2678399s coarse"),
        ("2678400", "?"),
        ("1000000000", "?"),
        ("2013-09-29T16:26:57Z", "?"),
        ("2033-09-29T16:26:57Z", "?"),
        ("1969-07-20T20:17:40Z", "?"),
        ("-009998-01-01T00:00:00Z", "?"),
        // Microseconds and nanoseconds since 1970.
        ("1696004857000000", "?"),
        ("1696004857000000000", "?"),
    ] {
        let expected = vec![format!("7 Requests 4999/5000 Window {expected}")];
        assert_eq!(told(&bare("5000", "4999", reset)), expected, "{reset}");
    }
}

#[test]
fn bare_ones() {
    for (lines, expected) in [
        // Reddit.
        (
            &[("x-ratelimit-used", "2"), ("x-ratelimit-remaining", "598.0"), ("x-ratelimit-reset", "423")][..],
            "7 Requests 598/? Window 423s coarse",
        ),
        // Discord: the span needs no clock.
        (
            &[
                ("x-ratelimit-limit", "10"),
                ("x-ratelimit-remaining", "0"),
                ("x-ratelimit-reset", "1470173023.123"),
                ("x-ratelimit-reset-after", "64.57"),
                ("x-ratelimit-bucket", "abcd1234"),
            ],
            "7 Requests 0/10 Window 64.57s",
        ),
        (
            &[
                ("x-ratelimit-remaining", "0"),
                ("x-ratelimit-reset", "junk"),
                ("x-ratelimit-reset-after", "1"),
            ],
            "7 Requests 0/? Window 1s coarse",
        ),
        // An epoch is no span.
        (
            &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", "1696004857")],
            "7 Requests 0/? Window ?",
        ),
        // Envoy.
        (
            &bare("10, 10;w=1;name=\"one|two\", 1000;w=3600", "9", "1"),
            "7 Requests 9/10 Window 1s per 1s coarse",
        ),
        // X.
        (
            &[
                ("x-rate-limit-limit", "900"),
                ("x-rate-limit-remaining", "899"),
                ("x-rate-limit-reset", "1696005697"),
            ],
            "8 Requests 899/900 Window 900s coarse",
        ),
        // Others of that spelling.
        (
            &[("x-rate-limit-remaining", "7"), ("x-rate-limit-reset", "55")],
            "8 Requests 7/? Window 55s coarse",
        ),
    ] {
        assert_eq!(told(lines), [expected], "{lines:?}");
    }
    // What is left is the least that must be told.
    assert_eq!(told(&[("x-ratelimit-limit", "10"), ("x-ratelimit-reset", "5")]), [""; 0]);
    assert_eq!(told(&[("x-ratelimit-reset-after", "5")]), [""; 0]);
}

#[test]
fn shopify() {
    for (value, expected) in [
        ("32/40", Some("10 Requests 8/40 Full ?")),
        ("1/80", Some("10 Requests 79/80 Full ?")),
        ("40/40", Some("10 Requests 0/40 Full ?")),
        // An overfull bucket has nothing left.
        ("41/40", Some("10 Requests 0/40 Full ?")),
        ("99999999999999999999/40", Some("10 Requests 0/40 Full ?")),
        ("32", None),
        ("32/", None),
        ("/40", None),
        ("32/40/1", None),
        ("-1/40", None),
        ("1.5/40", None),
        ("32 / 40", None),
        ("a/b", None),
        ("", None),
    ] {
        let lines = [("x-shopify-shop-api-call-limit", value)];
        assert_eq!(told(&lines), Vec::from_iter(expected), "{value:?}");
    }
    let twice = [("x-shopify-shop-api-call-limit", "1/40"), ("x-shopify-shop-api-call-limit", "39/40")];
    assert_eq!(told(&twice), ["10 Requests 1/40 Full ?"]);
}

/// A name's number is fixed: it is kept in memory that processes of several versions share.
#[test]
fn policies_have_lasting_numbers() {
    let id = |name: &str| {
        let value = format!("{name};r=1");
        quotas(&[("ratelimit", value)]).first().map(|quota| quota.id)
    };
    assert_eq!(id("\"default\""), Some(DEFAULT));
    assert_eq!(id("default"), Some(DEFAULT));
    assert_eq!(id("\"burst\""), Some(BURST));
    assert_eq!(id("\"\""), Some(EMPTY));
}

/// Worked out by another program; FNV-1a of `a` is 0xaf63dc4c8601ec8c in both.
const DEFAULT: u16 = 32904;
const BURST: u16 = 40633;
const EMPTY: u16 = 34663;

#[test]
fn ietf_policies() {
    let both = |limit, policy| [("ratelimit", limit), ("ratelimit-policy", policy)];
    for (limit, policy, expected) in [
        (
            r#""default";r=50;t=30"#,
            r#""default";q=100;w=60"#,
            vec![format!("{DEFAULT} Requests 50/100 Window 30s per 60s coarse")],
        ),
        (
            r#""default";r=0;t=30;pk=:Y2xpZW50:"#,
            r#""default";q=100;w=60;qu="requests";pk=:Y2xpZW50:, "burst";q=10;w=1"#,
            vec![format!("{DEFAULT} Requests 0/100 Window 30s per 60s coarse")],
        ),
        (
            r#""burst";r=9, "default";r=998;t=3000"#,
            r#""burst";q=10;w=1, "default";q=1000;w=3600"#,
            vec![
                format!("{BURST} Requests 9/10 Window ? per 1s"),
                format!("{DEFAULT} Requests 998/1000 Window 3000s per 3600s coarse"),
            ],
        ),
        // Another policy, and names as tokens.
        (r#""default";r=5"#, r#""burst";q=10"#, vec![format!("{DEFAULT} Requests 5/? Window ?")]),
        ("default;r=5", "default;q=10;w=0", vec![format!("{DEFAULT} Requests 5/10 Window ?")]),
        // Units.
        (
            r#""default";r=5;t=1"#,
            r#""default";q=10;qu="tokens""#,
            vec![format!("{DEFAULT} Tokens 5/10 Window 1s coarse")],
        ),
        (r#""default";r=5;t=1"#, r#""default";q=10;qu="content-bytes""#, vec![]),
        (r#""default";r=5;t=1"#, r#""default";q=10;qu="concurrent-requests""#, vec![]),
        // More left than there is: only that one.
        (
            r#""default";r=11, "burst";r=3"#,
            r#""default";q=10, "burst";q=5"#,
            vec![format!("{BURST} Requests 3/5 Window ?")],
        ),
        // One name twice.
        (
            r#""default";r=5;t=1, "default";r=7;t=9"#,
            r#""default";q=10"#,
            vec![format!("{DEFAULT} Requests 5/10 Window 9s coarse")],
        ),
        // Resets that cannot be.
        (r#""default";r=5;t=0"#, r#""default";q=10"#, vec![format!("{DEFAULT} Requests 5/10 Window ?")]),
        (r#""default";r=5;t=2678400"#, r#""default""#, vec![format!("{DEFAULT} Requests 5/? Window ?")]),
        (r#""default";r=5;t=1696004857"#, r#""default""#, vec![format!("{DEFAULT} Requests 5/? Window ?")]),
        // Windows, too.
        (
            "default;r=5",
            "default;q=10;w=2678400",
            vec![format!("{DEFAULT} Requests 5/10 Window ? per 2678400s")],
        ),
        ("default;r=5", "default;q=10;w=2678401", vec![format!("{DEFAULT} Requests 5/10 Window ?")]),
        ("default;r=5", "default;q=10;w=999999999999999", vec![format!("{DEFAULT} Requests 5/10 Window ?")]),
    ] {
        assert_eq!(told(&both(limit, policy)), expected, "{limit} {policy}");
    }
    let alone = [("ratelimit", r#""default";r=50;t=30"#)];
    assert_eq!(told(&alone), [format!("{DEFAULT} Requests 50/? Window 30s coarse")]);
    assert_eq!(told(&[("ratelimit-policy", r#""default";q=100;w=60"#)]), [""; 0]);
    let lines = [("ratelimit", r#""default";r=5"#), ("ratelimit", r#""burst";r=2"#)];
    assert_eq!(
        told(&lines),
        [format!("{DEFAULT} Requests 5/? Window ?"), format!("{BURST} Requests 2/? Window ?")]
    );
}

#[test]
fn malformed_policies_say_nothing() {
    for limit in [
        "",
        " ",
        ",",
        r#""default""#,
        r#""default";r"#,
        r#""default";r=-1"#,
        r#""default";r=1.5"#,
        r#""default";r="5""#,
        r#""default";r=5;t=-1"#,
        r#""default";r=5;t=1.5"#,
        r#""default";r=5;t=inf"#,
        r#""default";r=1000000000000000"#,
        r#""default";r=5;T=1"#,
        r#""default";r=5,"#,
        r#""default";r=5, "burst""#,
        r#""default";r=5, "burst";r=NaN"#,
        r#"("default" "burst");r=5"#,
        r#"5;r=5"#,
        "?1;r=5",
        r#""default;r=5"#,
        "\"d\u{e9}\";r=5",
    ] {
        assert_eq!(told(&[("ratelimit", limit)]), [""; 0], "{limit:?}");
    }
    for policy in
        ["", ",", r#""default";q=-1"#, r#""default";w=x"#, r#""default";qu=1"#, "(1 2)", r#""default";Q=1"#]
    {
        let lines = [("ratelimit", r#""default";r=5"#), ("ratelimit-policy", policy)];
        assert_eq!(told(&lines), [""; 0], "{policy:?}");
    }
    // What is not read may be of any type; of equal parameters the last one counts.
    let odd = [("ratelimit", r#""default";r=x;r=5;pk=?0;other=@1"#)];
    assert_eq!(told(&odd), [""; 0], "a wrong type stays wrong");
    let odd = [("ratelimit", r#""default";r=9;r=5;pk=?0;other=@1"#)];
    assert_eq!(told(&odd), [format!("{DEFAULT} Requests 5/? Window ?")]);
}

#[test]
fn older_ietf_forms() {
    for (lines, expected) in [
        // -07.
        (&[("ratelimit", "limit=100, remaining=50, reset=5")][..], "9 Requests 50/100 Window 5s coarse"),
        (&[("ratelimit", "remaining=0,reset=2678400")], "9 Requests 0/? Window ?"),
        (&[("ratelimit", "limit=100;x=1, remaining=50, other=(1 2), reset=0")], "9 Requests 50/100 Window ?"),
        (
            &[("ratelimit", "limit=100, remaining=50, reset=5"), ("ratelimit-policy", "100;w=60")],
            "9 Requests 50/100 Window 5s per 60s coarse",
        ),
        (
            &[
                ("ratelimit", "limit=100, remaining=50, reset=5"),
                ("ratelimit", "limit=10, remaining=4, reset=2"),
            ],
            "9 Requests 4/10 Window 5s coarse",
        ),
        // -00 to -06.
        (&old_ietf("100", "50", "5"), "9 Requests 50/100 Window 5s coarse"),
        (&old_ietf("10, 10;w=1, 50;w=60", "9", "1"), "9 Requests 9/10 Window 1s per 1s coarse"),
        (&[("ratelimit-remaining", "3")], "9 Requests 3/? Window ?"),
        (
            &[
                ("ratelimit-limit", "300"),
                ("ratelimit-remaining", "219"),
                ("ratelimit-policy", "20;w=1, 300;w=5"),
            ],
            "9 Requests 219/300 Window ? per 5s",
        ),
        // A policy that is no structured field only names no window.
        (
            &[
                ("ratelimit-limit", "300"),
                ("ratelimit-remaining", "219"),
                ("ratelimit-policy", "300;w=5;serviceLevel=\"free\""),
            ],
            "9 Requests 219/300 Window ?",
        ),
        // GitLab.
        (&old_ietf("60", "0", "1696004857"), "9 Requests 0/60 Window 60s coarse"),
        // From a cache or not.
        (&[("age", "0"), ("ratelimit-remaining", "3")], "9 Requests 3/? Window ?"),
        (&[("age", "-5"), ("ratelimit-remaining", "3")], "9 Requests 3/? Window ?"),
        (&[("age", "junk"), ("ratelimit-remaining", "3")], "9 Requests 3/? Window ?"),
    ] {
        assert_eq!(told(lines), [expected], "{lines:?}");
    }
    for lines in [
        &[("ratelimit", "limit=100, reset=5")][..],
        &[("ratelimit", "limit=100, remaining, reset=5")],
        &[("ratelimit", "limit=100, remaining=5, reset=\"5\"")],
        &[("ratelimit", "limit=100, remaining=-5, reset=5")],
        &[("ratelimit", "limit=100, remaining=101, reset=5")],
        &[("ratelimit", "limit=100, remaining=50, reset=5.5")],
        &[("ratelimit", "limit=100, remaining=50, reset=5"), ("ratelimit", r#""default";r=5"#)],
        &[("ratelimit", "junk"), ("ratelimit-remaining", "3")],
        &[("ratelimit-remaining", "3"), ("ratelimit-reset", "5s")],
        &[("ratelimit-remaining", "3"), ("ratelimit-reset", "2023-09-29T16:26:57Z")],
        &[("age", "1"), ("ratelimit-remaining", "3")],
        &[("age", "0"), ("age", " 60 "), ("ratelimit", r#""default";r=5"#)],
    ] {
        assert_eq!(told(lines), [""; 0], "{lines:?}");
    }
    // Only these headers are ignored then.
    assert_eq!(told(&[("age", "9"), ("x-ratelimit-remaining", "3")]), ["7 Requests 3/? Window ?"]);
}

const FAMILIES: [([&str; 3], &str); 6] = [
    (["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"], "9s"),
    (["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"], "9s"),
    (
        [
            "anthropic-ratelimit-input-tokens-limit",
            "anthropic-ratelimit-input-tokens-remaining",
            "anthropic-ratelimit-input-tokens-reset",
        ],
        "2023-09-29T16:26:46Z",
    ),
    (["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"], "9"),
    (["x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset"], "1696004806"),
    (["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"], "9"),
];

#[test]
fn a_malformed_value_silences_its_family() {
    let long = "9".repeat(10_000) + "x";
    let junk: Vec<&[u8]> = vec![
        b"",
        b" ",
        b"-1",
        b"+1",
        b"-0",
        b"NaN",
        b"nan",
        b"inf",
        b"Infinity",
        b"1e3",
        b"0x10",
        b"1_0",
        b"1,5",
        b"1 2",
        b".5",
        b"5.",
        b"1.2.3",
        b"none",
        b"unlimited",
        b"5 seconds",
        b"tomorrow",
        b"null",
        b"\"5",
        b"\xff\xfe",
        b"5\xb2",
        "５".as_bytes(),
        b"Sat, 29 Sep 2023 16:26:57 GMT",
        b"2023-09-29T16:26:57",
        b"2023-13-29T16:26:57Z",
        b"99999-09-29T16:26:57Z",
        b"Tue Feb 16 2021 09:02:42 GMT+0100 (Central European Standard Time)",
        long.as_bytes(),
    ];
    for (names, reset) in FAMILIES {
        let sound: [&[u8]; 3] = [b"10", b"5", reset.as_bytes()];
        let lines = |values: [&[u8]; 3]| Vec::from_iter(names.into_iter().zip(values.map(<[u8]>::to_vec)));
        let [quota] = *quotas(&lines(sound)) else { panic!("{names:?}") };
        assert_eq!((quota.limit, quota.remaining, quota.reset), (Some(10), 5, Some(Duration::from_secs(9))));
        for value in &junk {
            for place in 0..3 {
                let mut values = sound;
                values[place] = value;
                assert_eq!(told(&lines(values)), [""; 0], "{names:?} {place} {value:?}");
                // Also as one line of many, in any order.
                let mut more = lines(sound);
                more.push((names[place], value.to_vec()));
                assert_eq!(told(&more), [""; 0], "{names:?} {place} {value:?}");
                more.reverse();
                assert_eq!(told(&more), [""; 0], "{names:?} {place} {value:?}");
            }
        }
    }
}

#[test]
fn numbers_saturate() {
    let digits = "9".repeat(10_000);
    for (names, reset) in FAMILIES {
        let lines = |limit, remaining| [(names[0], limit), (names[1], remaining), (names[2], reset)];
        let [quota] = *quotas(&lines(digits.as_str(), "5")) else { panic!("{names:?}") };
        assert_eq!((quota.limit, quota.remaining), (Some(u64::MAX), 5));
        let [quota] = *quotas(&lines("18446744073709551616", &digits)) else { panic!("{names:?}") };
        assert_eq!((quota.limit, quota.remaining), (Some(u64::MAX), u64::MAX));
        // More left than there is.
        for (limit, remaining) in [("10", "11"), ("0", "1"), ("100", digits.as_str())] {
            assert_eq!(told(&lines(limit, remaining)), [""; 0], "{names:?}");
        }
    }
    for (names, _) in [FAMILIES[0], FAMILIES[3], FAMILIES[5]] {
        let lines = [(names[1], "0"), (names[2], digits.as_str())];
        assert_eq!(quotas(&lines).first().map(|quota| (quota.remaining, quota.reset)), Some((0, None)));
    }
    for reset in [digits.clone() + "h", "9".repeat(30) + "h9ns"] {
        assert_eq!(told(&openai("10", "5", &reset)), ["1 Requests 5/10 Full ?"]);
    }
}

#[test]
fn of_several_lines_the_safe_reading() {
    let line = |name, value| (name, value);
    let [limit, remaining, reset] = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
    for (lines, expected) in [
        (
            vec![
                line(limit, "100"),
                line(remaining, "50"),
                line(remaining, "7"),
                line(remaining, "9"),
                line(reset, "5"),
                line(reset, "60"),
                line(reset, "6"),
            ],
            Some("7 Requests 7/100 Window 60s coarse"),
        ),
        (
            vec![line(limit, "100"), line(limit, "40"), line(remaining, "30")],
            Some("7 Requests 30/40 Window ?"),
        ),
        (vec![line(limit, "100"), line(limit, "40"), line(remaining, "50")], None),
        (
            vec![line(remaining, "5"), line(reset, "1s"), line(reset, "1m0s")],
            Some("7 Requests 5/? Window 60s coarse"),
        ),
        // One of them is too long to be true, so none is believed.
        (
            vec![line(remaining, "5"), line(reset, "9"), line(reset, "9999999")],
            Some("7 Requests 5/? Window ?"),
        ),
        // Two units: one of them is misread.
        (vec![line(remaining, "5"), line(reset, "60"), line(reset, "60s")], None),
        (vec![line(remaining, "5"), line(reset, "60"), line(reset, "1696004857")], None),
        (vec![line(remaining, "5"), line(reset, "1696004857000"), line(reset, "1696004857")], None),
        (vec![line(remaining, "5"), line(reset, "2023-09-29T16:26:57Z"), line(reset, "1696004857")], None),
    ] {
        assert_eq!(told(&lines), Vec::from_iter(expected), "{lines:?}");
    }
    let mut many: Vec<_> = (1..=500).map(|count| ("x-ratelimit-remaining", count.to_string())).collect();
    many.extend((1..=500).map(|seconds| ("x-ratelimit-reset", seconds.to_string())));
    assert_eq!(told(&many), ["7 Requests 1/? Window 500s coarse"]);
}

#[test]
fn a_long_list_is_cut() {
    let value = (0..100).map(|number| format!("\"{number}\";r={number}")).collect::<Vec<_>>().join(", ");
    let found = quotas(&[("ratelimit", value)]);
    assert_eq!(found.iter().map(|quota| quota.remaining).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(found.iter().all(|quota| quota.id >= 1 << 15));
}

#[test]
fn dates_count_from_the_servers_clock_when_that_differs() {
    for (date, seconds) in [
        ("Fri, 29 Sep 2023 16:26:39 GMT", Some(20)),
        ("Fri, 29 Sep 2023 16:26:40 GMT", Some(17)),
        ("Fri, 29 Sep 2023 15:26:57 GMT", Some(3600)),
        ("Fri, 29 Sep 2023 16:27:00 GMT", None),
        ("yesterday", Some(20)),
    ] {
        let lines: [(Lines<'_>, u64); 4] = [
            (&bare("9", "5", "1696004817"), 7),
            (&bare("9", "5", "2023-09-29T16:26:57Z"), 7),
            (&[("x-rate-limit-remaining", "5"), ("x-rate-limit-reset", "1696004817")], 8),
            (
                &[
                    ("anthropic-ratelimit-requests-remaining", "5"),
                    ("anthropic-ratelimit-requests-reset", "2023-09-29T16:26:57Z"),
                ],
                3,
            ),
        ];
        for (lines, id) in lines {
            let found = quotas(&[lines, &[("date", date)]].concat());
            let found: Vec<_> = found.iter().map(|quota| (u64::from(quota.id), quota.reset)).collect();
            assert_eq!(found, [(id, seconds.map(Duration::from_secs))], "{lines:?} {date}");
        }
        // Spans depend on no clock.
        let span = [&bare("9", "5", "20")[..], &[("date", date)]].concat();
        assert_eq!(told(&span), ["7 Requests 5/9 Window 20s coarse"]);
    }
}

#[test]
fn several_families_at_once() {
    let lines = [
        &openai("60", "59", "12ms")[..],
        &bare("100", "99", "30"),
        &old_ietf("100", "99", "30"),
        &[("x-shopify-shop-api-call-limit", "1/40"), ("content-type", "text/plain")],
    ];
    assert_eq!(
        told(&lines.concat()),
        [
            "1 Requests 59/60 Full 12ms",
            "7 Requests 99/100 Window 30s coarse",
            "9 Requests 99/100 Window 30s coarse",
            "10 Requests 39/40 Full ?",
        ]
    );
    for lines in [
        &[][..],
        &[("content-type", "text/plain"), ("x-request-id", "1"), ("retry-after", "5"), ("age", "3")],
        &[
            ("x-ratelimit-used", "5"),
            ("x-rate-limit-foo", "1"),
            ("ratelimit-observed", "2"),
            ("anthropic-version", "1"),
        ],
    ] {
        assert_eq!(told(lines), [""; 0], "{lines:?}");
    }
}

#[test]
fn waits() {
    let tokens = |remaining, reset| {
        [
            ("x-ratelimit-limit-tokens", "100"),
            ("x-ratelimit-remaining-tokens", remaining),
            ("x-ratelimit-reset-tokens", reset),
        ]
    };
    let per_minute = |limit, reset| {
        [
            ("anthropic-ratelimit-requests-limit", limit),
            ("anthropic-ratelimit-requests-remaining", "0"),
            ("anthropic-ratelimit-requests-reset", reset),
        ]
    };
    for (lines, nanos) in [
        // The bucket is full after the reset; the next one is there long before.
        (&openai("60", "0", "59.94s")[..], Some(999_000_000)),
        (&openai("3", "0", "20.0000000010s"), Some(6_666_666_667)),
        (&openai("1", "0", "0.25s"), Some(250_000_000)),
        // Whole seconds: the limit is for the next longer period.
        (&openai("60", "0", "1m0s"), Some(1_000_000_000)),
        (&openai("60", "0", "58s"), Some(1_000_000_000)),
        (&openai("10", "0", "6"), Some(6_000_000_000)),
        (&openai("10", "0", "1"), Some(100_000_000)),
        (&openai("7200", "0", "3599s"), Some(500_000_000)),
        (&openai("1000", "0", "23h0m0s"), Some(86_400_000_000)),
        // Never longer than until it is full.
        (&openai("2", "0", "61s"), Some(61_000_000_000)),
        (&openai("2", "0", "25h0m0s"), Some(45_000_000_000_000)),
        // Anthropic's are per minute.
        (&per_minute("5", "2023-09-29T16:26:38Z"), Some(1_000_000_000)),
        (&per_minute("30", "2023-09-29T16:26:57Z"), Some(2_000_000_000)),
        (&bare("5000", "0", "1696008397"), Some(3_600_000_000_000)),
        (&bare("10", "0", "0.5"), Some(500_000_000)),
        (&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "5")], Some(5_000_000_000)),
        (
            &[("x-ratelimit-limit", "0"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "5")],
            Some(5_000_000_000),
        ),
        (&[("ratelimit", r#""a";r=0;t=30"#)], Some(30_000_000_000)),
        // Something is left, or nothing can be said.
        (&openai("60", "1", "59s"), None),
        (&openai("0", "0", "59s"), None),
        (&openai("60", "0", "0s"), None),
        (&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "59s")], None),
        (&tokens("0", "59.9s"), None),
        (&bare("10", "0", "0"), None),
        (&bare("10", "1", "5"), None),
        (&[("x-ratelimit-remaining", "0")], None),
        (&[("x-shopify-shop-api-call-limit", "40/40")], None),
    ] {
        let [quota] = *quotas(lines) else { panic!("{lines:?}") };
        assert_eq!(quota.wait(), nanos.map(Duration::from_nanos), "{lines:?}");
    }
}

#[test]
fn resources() {
    let long = "x".repeat(65);
    for (lines, expected) in [
        (&[][..], None),
        (&[("x-ratelimit-resource", "core")], Some("core")),
        (&[("x-ratelimit-bucket", "abcd1234")], Some("abcd1234")),
        (&[("x-ratelimit-resource", " code_search\t")], Some("code_search")),
        (&[("x-ratelimit-bucket", "b"), ("x-ratelimit-resource", "r")], Some("r")),
        (&[("x-ratelimit-bucket", "b"), ("x-ratelimit-resource", "")], Some("b")),
        (&[("x-ratelimit-resource", &long[1..])], Some(&long[1..])),
        (&[("x-ratelimit-resource", &long)], None),
        (&[("x-ratelimit-resource", "")], None),
        (&[("x-ratelimit-resource", " ")], None),
        (&[("x-ratelimit-resource", "two words")], None),
        (&[("x-ratelimit-resource", "caf\u{e9}")], None),
        (&[("x-ratelimit-resource", "a\tb")], None),
    ] {
        assert_eq!(resource(&headers(lines)), expected, "{lines:?}");
    }
    assert_eq!(resource(&headers(&[("x-ratelimit-resource", b"\xff")])), None);
}
