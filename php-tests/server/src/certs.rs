//! Makes the certificates, good and bad, and writes those that clients need as PEM files.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::StartError;

type Authority = CertifiedIssuer<'static, KeyPair>;

/// Names of the ordinary server certificate.
const NAMES: [&str; 5] = ["localhost", "*.localhost", "*.test", "127.0.0.1", "::1"];
const WRONG_HOST: &str = "wrong.invalid";

/// A certificate with its key, for rustls.
#[derive(Debug)]
pub struct Identity {
    pub chain: Vec<CertificateDer<'static>>,
    pub key: PrivateKeyDer<'static>,
    pem: String,
    key_pem: String,
}

/// Everything the listeners need.
#[derive(Debug)]
pub struct Certs {
    pub ca: CertificateDer<'static>,
    pub ca_pem: String,
    pub server: Identity,
    /// Signed by an authority that nobody was told of.
    pub untrusted: Identity,
    pub self_signed: Identity,
    pub expired: Identity,
    pub wrong_host: Identity,
    client: Identity,
    other_client: Identity,
}

/// Where the PEM files are.
#[derive(Clone, Debug)]
pub struct PemFiles {
    pub ca: PathBuf,
    pub cert: PathBuf,
    pub key: PathBuf,
    pub cert_and_key: PathBuf,
    pub other_cert: PathBuf,
    pub other_key: PathBuf,
    pub server_cert: PathBuf,
    pub server_key: PathBuf,
}

impl Certs {
    pub fn generate() -> Result<Self, StartError> {
        let ca = authority("test-server CA")?;
        let stranger = authority("test-server unknown CA")?;
        let expired = |params: &mut CertificateParams| {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        };
        Ok(Self {
            ca: ca.der().clone(),
            ca_pem: ca.pem(),
            server: identity(server(&NAMES)?, Some(&ca))?,
            untrusted: identity(server(&NAMES)?, Some(&stranger))?,
            self_signed: identity(server(&NAMES)?, None)?,
            expired: {
                let mut params = server(&NAMES)?;
                expired(&mut params);
                identity(params, Some(&ca))?
            },
            wrong_host: identity(server(&[WRONG_HOST])?, Some(&ca))?,
            client: identity(client("test client")?, Some(&ca))?,
            other_client: identity(client("unknown client")?, Some(&stranger))?,
        })
    }

    pub fn write(&self, dir: &Path) -> Result<PemFiles, StartError> {
        let put = |name: &str, text: &str| -> Result<PathBuf, StartError> {
            let path = dir.join(name);
            fs::write(&path, text).map_err(|source| StartError::File { path: path.clone(), source })?;
            Ok(path)
        };
        let both = format!("{}{}", self.client.pem, self.client.key_pem);
        Ok(PemFiles {
            ca: put("ca.pem", &self.ca_pem)?,
            cert: put("client.pem", &self.client.pem)?,
            key: put("client.key", &self.client.key_pem)?,
            cert_and_key: put("client-and-key.pem", &both)?,
            other_cert: put("other-client.pem", &self.other_client.pem)?,
            other_key: put("other-client.key", &self.other_client.key_pem)?,
            server_cert: put("server.pem", &self.server.pem)?,
            server_key: put("server.key", &self.server.key_pem)?,
        })
    }
}

fn authority(name: &str) -> Result<Authority, StartError> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(CertifiedIssuer::self_signed(params, KeyPair::generate()?)?)
}

fn leaf(
    names: &[&str],
    common_name: &str,
    usage: ExtendedKeyUsagePurpose,
) -> Result<CertificateParams, StartError> {
    let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name.push(DnType::CommonName, common_name);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![usage];
    // OpenSSL's strict mode asks for it.
    params.use_authority_key_identifier_extension = true;
    Ok(params)
}

fn server(names: &[&str]) -> Result<CertificateParams, StartError> {
    leaf(names, names.first().copied().unwrap_or("localhost"), ExtendedKeyUsagePurpose::ServerAuth)
}

fn client(name: &str) -> Result<CertificateParams, StartError> {
    leaf(&[], name, ExtendedKeyUsagePurpose::ClientAuth)
}

fn identity(params: CertificateParams, issuer: Option<&Authority>) -> Result<Identity, StartError> {
    let key = KeyPair::generate()?;
    let certificate: Certificate = match issuer {
        Some(issuer) => params.signed_by(&key, issuer)?,
        None => params.self_signed(&key)?,
    };
    Ok(Identity {
        chain: vec![certificate.der().clone()],
        pem: certificate.pem(),
        key_pem: key.serialize_pem(),
        key: PrivateKeyDer::try_from(key.serialize_der()).map_err(|e| StartError::Key(e.to_owned()))?,
    })
}
