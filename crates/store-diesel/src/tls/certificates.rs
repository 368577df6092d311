//! The configuration of TLS, and how far the server's certificate is checked.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::options::{Options, SslMode};

/// The configuration of a connection.
///
/// # Errors
/// A sentence for the operator: above all, a file that cannot be read.
pub(super) fn config(options: &Options) -> Result<ClientConfig, String> {
    let roots = match &options.roots {
        Some(file) => Arc::new(roots_of(file)?),
        None => tls_client::roots(),
    };
    let provider = Arc::new(ring::default_provider());
    let verifier = |roots| Arc::new(ChainVerifier { roots, provider: Arc::clone(&provider) });
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS could not be set up: {error}"))?;
    let builder = match options.mode {
        SslMode::VerifyFull => builder.with_root_certificates(roots),
        // As libpq does, so that a file of authorities is never given in vain.
        SslMode::VerifyCa => builder.dangerous().with_custom_certificate_verifier(verifier(Some(roots))),
        SslMode::Require if options.roots.is_some() => {
            builder.dangerous().with_custom_certificate_verifier(verifier(Some(roots)))
        }
        _ => builder.dangerous().with_custom_certificate_verifier(verifier(None)),
    };
    let Some((certificate, key)) = &options.identity else { return Ok(builder.with_no_client_auth()) };
    let cannot = |file: &str, error: &dyn std::fmt::Display| format!("{file} cannot be used: {error}");
    let key = PrivateKeyDer::from_pem_file(key).map_err(|error| cannot(key, &error))?;
    builder
        .with_client_auth_cert(certificates_of(certificate)?, key)
        .map_err(|error| cannot(certificate, &error))
}

fn certificates_of(file: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match read {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        Ok(_) => Err(format!("{file} has no certificate")),
        Err(error) => Err(format!("{file} cannot be read: {error}")),
    }
}

fn roots_of(file: &str) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates_of(file)? {
        roots.add(certificate).map_err(|error| format!("{file} cannot be used: {error}"))?;
    }
    Ok(roots)
}

/// The modes of libpq below `verify-full`: the chain is checked without the name, or, without roots, nothing but that
/// the server has the certificate's key. That prevents listening in, and not an active attacker.
#[derive(Debug)]
struct ChainVerifier {
    roots: Option<Arc<RootCertStore>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for ChainVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(certificate)?;
            let algorithms = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
