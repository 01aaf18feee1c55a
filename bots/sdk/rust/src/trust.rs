use std::error::Error;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, RootCertStore, SignatureScheme};

/// Trusts the certificates of a file, and the certificates that they signed.
///
/// rustls alone accepts only the latter. It rejects a server whose certificate is a certificate
/// authority, as the self-signed certificates of `openssl req -x509` are.
#[derive(Debug)]
pub(crate) struct Trust {
    certificates: Vec<CertificateDer<'static>>,
    signed: Arc<WebPkiServerVerifier>,
}

impl Trust {
    /// Reads the certificates of a PEM file. Fails if there are none.
    pub(crate) fn read(file: &str) -> Result<Arc<Self>, Box<dyn Error>> {
        let certificates: Vec<_> =
            CertificateDer::pem_file_iter(file)?.collect::<Result<_, _>>()?;
        let mut roots = RootCertStore::empty();
        for certificate in &certificates {
            roots.add(certificate.clone())?;
        }
        let provider = Arc::new(ring::default_provider());
        let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map_err(|_| "it has no certificate")?;
        Ok(Arc::new(Trust {
            certificates,
            signed,
        }))
    }
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verdict =
            self.signed
                .verify_server_cert(shown, intermediates, server, ocsp_response, now);
        match verdict {
            // rustls has checked the dates, but not the name
            Err(rustls::Error::InvalidCertificate(CertificateError::Other(_)))
                if self.certificates.contains(shown) =>
            {
                verify_server_name(&ParsedCertificate::try_from(shown)?, server)?;
                Ok(ServerCertVerified::assertion())
            }
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signed
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signed
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");
    /// A time at which the self-signed certificates of the folder are valid, in seconds since 1970.
    const IN_TIME: u64 = 1795281893;
    const TOO_LATE: u64 = IN_TIME + 30 * 86_400;

    /// Trusts self_signed.pem, and verifies a server that presents the certificate in `file`.
    fn meet(file: &str, name: &'static str, seconds: u64) -> Result<(), rustls::Error> {
        let trust = Trust::read(&format!("{FOLDER}/self_signed.pem")).unwrap();
        let shown = CertificateDer::from_pem_file(format!("{FOLDER}/{file}")).unwrap();
        let name = ServerName::try_from(name).unwrap();
        let now = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let verdict = trust.verify_server_cert(&shown, &[], &name, &[], now);
        verdict.map(|_| ())
    }

    #[test]
    fn a_self_signed_certificate_is_trusted_for_its_name_and_dates() {
        assert_eq!(meet("self_signed.pem", "localhost", IN_TIME), Ok(()));
        assert!(meet("self_signed.pem", "arena.example", IN_TIME).is_err());
        assert!(meet("self_signed.pem", "localhost", TOO_LATE).is_err());
    }

    #[test]
    fn another_certificate_for_the_same_name_is_not_trusted() {
        assert!(meet("another.pem", "localhost", IN_TIME).is_err());
    }
}
