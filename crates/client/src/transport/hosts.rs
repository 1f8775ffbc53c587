//! Addresses of hosts that the caller knows better than DNS.

use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use url::Host;

/// By the names that URLs have for them: lower case, punycode. Copies share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts(Option<Arc<BTreeMap<String, IpAddr>>>);

impl Hosts {
    /// A later address of the same name replaces the earlier one. An IPv6 address may stand in brackets.
    ///
    /// # Errors
    /// The rule that one of them breaks: `must have an IP address for "api.test", "x" given`.
    pub fn insert(&mut self, host: &[u8], address: &[u8]) -> Result<(), String> {
        let name = name(host)?;
        let address = str::from_utf8(address).ok().and_then(parse).ok_or_else(|| {
            let given = policy::given::text(&String::from_utf8_lossy(address));
            format!("must have an IP address for \"{name}\", {given} given")
        })?;
        Arc::make_mut(self.0.get_or_insert_default()).insert(name, address);
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Option<IpAddr> {
        self.0.as_ref()?.get(name).copied()
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        if let Some(known) = &mut self.0
            && known.contains_key(name)
        {
            Arc::make_mut(known).remove(name);
        }
        self
    }
}

fn name(host: &[u8]) -> Result<String, String> {
    if host.is_empty() {
        return Err("must not have an empty host name".to_owned());
    }
    match str::from_utf8(host).ok().and_then(|host| Host::parse(host).ok()) {
        Some(Host::Domain(name)) if !name.contains('*') => Ok(name),
        _ => {
            // What follows may be a password: "https://user:password@host" as a name.
            let label = host.iter().take_while(|&&b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
            let shown: String = label.map(|&b| char::from(b)).collect();
            Err(format!("must have host names as keys, \"{shown}…\" is none"))
        }
    }
}

fn parse(text: &str) -> Option<IpAddr> {
    match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(bracketed) => bracketed.parse().ok().map(IpAddr::V6),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(host: &str, address: &str) -> Result<Hosts, String> {
        let mut hosts = Hosts::default();
        hosts.insert(host.as_bytes(), address.as_bytes()).map(|()| hosts)
    }

    #[test]
    fn names_are_those_of_urls() {
        for (given, name) in [
            ("api.test", "api.test"),
            ("API.Test", "api.test"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("api.test.", "api.test."),
        ] {
            let hosts = one(given, "192.0.2.1").unwrap();
            assert_eq!(hosts.get(name), Some("192.0.2.1".parse().unwrap()), "{given}");
            assert_eq!(hosts.get("other.test"), None);
            assert_eq!(hosts.clone().without(name).get(name), None);
            assert_eq!(hosts.clone().without("other.test"), hosts);
        }
    }

    #[test]
    fn addresses_are_of_both_kinds_and_the_last_one_counts() {
        let mut hosts = Hosts::default();
        for address in ["192.0.2.1", "2001:db8::1", "[2001:db8::1]"] {
            hosts.insert(b"a.test", address.as_bytes()).unwrap();
            assert_eq!(hosts, one("A.TEST", address).unwrap());
        }
        assert_eq!(hosts.get("a.test"), Some("2001:db8::1".parse().unwrap()));
    }

    #[test]
    fn nonsense_is_refused() {
        for (host, shown) in [
            ("https://user:s3cret@a.test", "https"),
            ("user:s3cret@a.test", "user"),
            ("a.test:443", "a.test"),
            ("a.test/", "a.test"),
            ("a test", "a"),
            ("192.0.2.1", "192.0.2.1"),
            ("[::1]", ""),
            ("*", ""),
        ] {
            let rule = format!("must have host names as keys, \"{shown}…\" is none");
            assert_eq!(one(host, "192.0.2.1"), Err(rule), "{host}");
        }
        assert_eq!(one("", "192.0.2.1"), Err("must not have an empty host name".into()));
        for address in
            ["", "a.test", "192.0.2.1:80", "[192.0.2.1]", "[::1", "::1]", "192.0.2.256", "fe80::1%lo"]
        {
            let rule = format!("must have an IP address for \"a.test\", \"{address}\" given");
            assert_eq!(one("A.test", address), Err(rule));
        }
    }
}
