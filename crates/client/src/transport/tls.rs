//! TLS settings of a route: whom to trust, and who we are. rustls with ring, TLS 1.2 and 1.3.

use std::{
    cell::RefCell,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::{Arc, OnceLock},
};

use rustls::{
    ClientConfig, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime, pem::PemObject},
};
use rustls_native_certs::ErrorKind;

use super::route::{RouteError, Tls};

/// Settings found good lately, with their files as they were then: a page makes its client anew, and parsing a hundred
/// authorities takes milliseconds.
type Checked = Vec<(Tls, Vec<Stamp>)>;

/// What changes when a file is replaced or rewritten: device, inode, size, and the time of the last change.
type Stamp = (u64, u64, u64, i64, i64);

thread_local! {
    static CHECKED: RefCell<Checked> = const { RefCell::new(Vec::new()) };
}

/// As many as there are pools.
const MAX_CHECKED: usize = 16;

/// # Errors
/// As [`configure`].
pub(crate) fn check(tls: &Tls) -> Result<(), RouteError> {
    let stamps: Option<Vec<Stamp>> =
        [&tls.ca_file, &tls.cert, &tls.key].into_iter().flatten().map(|file| stamp(file)).collect();
    let is_known = |stamps: &Vec<Stamp>| {
        CHECKED.with_borrow(|checked| checked.iter().any(|(known, then)| known == tls && then == stamps))
    };
    if stamps.as_ref().is_some_and(is_known) {
        return Ok(());
    }
    configure(tls, true)?;
    if let Some(stamps) = stamps {
        CHECKED.with_borrow_mut(|checked| {
            checked.retain(|(known, _)| known != tls);
            if checked.len() >= MAX_CHECKED {
                checked.remove(0);
            }
            checked.push((tls.clone(), stamps));
        });
    }
    Ok(())
}

fn stamp(file: &Path) -> Option<Stamp> {
    let meta = std::fs::metadata(file).ok()?;
    Some((meta.dev(), meta.ino(), meta.size(), meta.ctime(), meta.ctime_nsec()))
}

/// # Errors
/// The option whose file cannot be read or used.
pub(crate) fn configure(tls: &Tls, h2: bool) -> Result<ClientConfig, RouteError> {
    let provider = Arc::new(ring::default_provider());
    let trust = match (tls.verify, &tls.ca_file) {
        (false, _) => Trust::Anyone,
        (true, Some(file)) => Trust::Authorities(authorities(file, &provider)?),
        (true, None) => Trust::System(OnceLock::new()),
    };
    let verifier = Arc::new(Verifier { provider: Arc::clone(&provider), trust });
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| RouteError::new("verify", format!("cannot be used: {error}")))?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let mut config = match client_identity(tls)? {
        Some((chain, key)) => builder
            .with_client_auth_cert(chain, key)
            .map_err(|error| RouteError::new("cert", format!("must go with its key: {error}")))?,
        None => builder.with_no_client_auth(),
    };
    let protocols: &[&[u8]] = if h2 { &[b"h2", b"http/1.1"] } else { &[b"http/1.1"] };
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    Ok(config)
}

type Identity = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// The key may stand in the certificate's file.
fn client_identity(tls: &Tls) -> Result<Option<Identity>, RouteError> {
    let Some(cert) = &tls.cert else {
        return match &tls.key {
            Some(_) => Err(RouteError::new("key", "must go with a certificate ($cert)")),
            None => Ok(None),
        };
    };
    let chain = certificates(cert)
        .ok_or_else(|| RouteError::new("cert", "must be a readable PEM file with a certificate"))?;
    let (option, file) = tls.key.as_ref().map_or(("cert", cert), |key| ("key", key));
    let key = PrivateKeyDer::from_pem_file(file).map_err(|_| {
        RouteError::new(option, "must be a readable PEM file with an unencrypted private key")
    })?;
    Ok(Some((chain, key)))
}

fn certificates(file: &Path) -> Option<Vec<CertificateDer<'static>>> {
    let found: Vec<_> = CertificateDer::pem_file_iter(file).ok()?.collect::<Result<_, _>>().ok()?;
    (!found.is_empty()).then_some(found)
}

fn authorities(file: &Path, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, RouteError> {
    let unusable = || RouteError::new("verify", "must be a readable PEM file with CA certificates");
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(certificates(file).ok_or_else(unusable)?);
    chain_verifier(roots, provider).map_err(|_| unusable())
}

/// The system has no authorities that could be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "no CA certificates found{}: install the package ca-certificates, or name a PEM file in verify or in \
     retry_client.ca_file", .why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default()
)]
pub(crate) struct NoAuthorities {
    why: Option<String>,
    /// Another time they may be read.
    pub(crate) is_passing: bool,
}

/// Those of the system; and whether that is all it has.
fn system_authorities(provider: &Arc<CryptoProvider>) -> Result<(Arc<WebPkiServerVerifier>, bool), Error> {
    let found = rustls_native_certs::load_native_certs();
    let is_passing = found.errors.iter().any(is_shortage);
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let why = found.errors.first().map(ToString::to_string);
        return Err(Error::Other(OtherError(Arc::new(NoAuthorities { why, is_passing }))));
    }
    Ok((chain_verifier(roots, provider)?, !is_passing))
}

/// Whether the process lacked something for the moment only.
fn is_shortage(error: &rustls_native_certs::Error) -> bool {
    match &error.kind {
        ErrorKind::Io { inner, .. } => {
            matches!(inner.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM))
        }
        _ => false,
    }
}

fn chain_verifier(
    roots: RootCertStore,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, Error> {
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| Error::General(error.to_string()))
}

/// Whose certificates are accepted.
#[derive(Debug)]
enum Trust {
    /// Those below the system's authorities, which are read at the first TLS handshake: a client that speaks plain
    /// http never pays for them. What could not be read is asked for again.
    System(OnceLock<Arc<WebPkiServerVerifier>>),
    Authorities(Arc<WebPkiServerVerifier>),
    /// `verify: false`. The handshake's signature must still be the certificate owner's.
    Anyone,
}

#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    trust: Trust,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let chain = match &self.trust {
            Trust::System(read) => match read.get() {
                Some(chain) => Arc::clone(chain),
                None => {
                    let (chain, is_whole) = system_authorities(&self.provider)?;
                    if is_whole {
                        // Another thread's are the same.
                        let _ = read.set(Arc::clone(&chain));
                    }
                    chain
                }
            },
            Trust::Authorities(chain) => Arc::clone(chain),
            Trust::Anyone => return Ok(ServerCertVerified::assertion()),
        };
        chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
