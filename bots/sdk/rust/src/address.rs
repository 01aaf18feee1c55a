use std::error::Error;
use std::time::Duration;

use tonic::transport::{ClientTlsConfig, Endpoint};

use crate::trust::Trust;

const LOOPBACK: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(20);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// The address of the arena, and how to secure the connection.
#[derive(Debug)]
pub(crate) struct Address {
    pub(crate) endpoint: Endpoint,
    pub(crate) shown: String,
}

/// Reads the address of the arena from the environment; None if there is none. Fails with a
/// sentence if a variable is invalid.
pub(crate) fn find_arena(
    read: impl Fn(&str) -> Option<String>,
) -> Result<Option<Address>, Box<dyn Error>> {
    if let Some(shown) = read("BALLCOURT_SOCKET") {
        let endpoint = Endpoint::from_shared(format!("unix:{shown}"))?;
        return Ok(Some(Address { endpoint, shown }));
    }
    let Some(shown) = read("BALLCOURT_ADDRESS") else {
        return Ok(None);
    };
    let host = host(&shown).ok_or_else(|| {
        format!("BALLCOURT_ADDRESS is '{shown}'; it must be HOST:PORT, for example localhost:7433")
    })?;
    let endpoint = if read("BALLCOURT_TLS").as_deref() != Some("off") {
        protect(remote("https", &shown)?, read("BALLCOURT_CA"))?
    } else if LOOPBACK.contains(&host) {
        remote("http", &shown)?
    } else {
        return Err(format!(
            "BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '{shown}'; without TLS the host must \
             be 127.0.0.1, [::1] or localhost: unset BALLCOURT_TLS"
        )
        .into());
    };
    Ok(Some(Address { endpoint, shown }))
}

fn host(address: &str) -> Option<&str> {
    let (host, port) = address.rsplit_once(':')?;
    let in_brackets = host.starts_with('[') && host.ends_with(']');
    let has_host = !host.is_empty() && (in_brackets || !host.contains(':'));
    let has_digits = port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    let has_port = has_digits && port.parse::<u16>().is_ok_and(|port| port > 0);
    (has_host && has_port).then_some(host)
}

fn remote(scheme: &str, address: &str) -> Result<Endpoint, Box<dyn Error>> {
    let endpoint = Endpoint::from_shared(format!("{scheme}://{address}")).map_err(|error| {
        format!("BALLCOURT_ADDRESS is '{address}'; it must be HOST:PORT: {error}")
    })?;
    Ok(endpoint
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(KEEPALIVE_EVERY)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT))
}

/// Trusts the certificates of a PEM file, or those of the system if there is no file.
fn protect(endpoint: Endpoint, file: Option<String>) -> Result<Endpoint, Box<dyn Error>> {
    let Some(file) = file else {
        let system = ClientTlsConfig::new().with_native_roots();
        return Ok(endpoint.tls_config(system)?);
    };
    let trust = Trust::read(&file).map_err(|error| {
        format!("BALLCOURT_CA is '{file}'; it must be the path of a readable PEM file: {error}")
    })?;
    Ok(endpoint.tls_config_with_verifier(ClientTlsConfig::new(), trust)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(environment: &[(&str, &str)]) -> Result<Option<String>, String> {
        let read = |name: &str| {
            let found = environment.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| value.to_string())
        };
        match find_arena(read) {
            Ok(found) => Ok(found.map(|address| address.shown)),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn an_empty_environment_has_no_address() {
        assert_eq!(find(&[]), Ok(None));
    }

    #[test]
    fn a_socket_is_preferred_to_an_address() {
        let both = [
            ("BALLCOURT_SOCKET", "/tmp/a.sock"),
            ("BALLCOURT_ADDRESS", "arena.example:7433"),
        ];
        assert_eq!(find(&both), Ok(Some("/tmp/a.sock".into())));
    }

    #[test]
    fn an_address_is_a_host_and_a_port() {
        for wrong in ["arena", "arena:", ":7433", "arena:port", "arena:70000"] {
            let error = find(&[("BALLCOURT_ADDRESS", wrong)]).unwrap_err();
            assert!(error.contains("must be HOST:PORT"), "{error}");
        }
    }

    #[test]
    fn tls_can_be_off_only_on_this_machine() {
        let without = |address| find(&[("BALLCOURT_ADDRESS", address), ("BALLCOURT_TLS", "off")]);
        assert_eq!(without("[::1]:7433"), Ok(Some("[::1]:7433".into())));
        assert_eq!(without("localhost:7433"), Ok(Some("localhost:7433".into())));
        assert!(
            without("arena.example:7433")
                .unwrap_err()
                .contains("without TLS")
        );
    }

    #[test]
    fn a_file_without_certificates_is_named_in_the_error() {
        for file in [
            "/nonexistent/ca.pem",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ] {
            let error = find(&[
                ("BALLCOURT_ADDRESS", "arena.example:7433"),
                ("BALLCOURT_CA", file),
            ])
            .unwrap_err();
            assert!(error.contains(file), "{error}");
        }
    }
}
