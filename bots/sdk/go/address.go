package ballcourt

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"slices"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

var loopback = []string{"127.0.0.1", "::1", "localhost"}

// address is where the arena is, and how the way there is protected.
type address struct {
	target string // as gRPC writes it
	shown  string
	way    credentials.TransportCredentials
}

// findArena reads the environment; it returns nil where nothing names an arena.
func findArena() (*address, error) {
	if socket := os.Getenv("BALLCOURT_SOCKET"); socket != "" {
		return &address{"unix:" + socket, socket, insecure.NewCredentials()}, nil
	}
	hostPort := os.Getenv("BALLCOURT_ADDRESS")
	if hostPort == "" {
		return nil, nil
	}
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil || host == "" {
		return nil, fmt.Errorf("BALLCOURT_ADDRESS is '%s'; it must be HOST:PORT", hostPort)
	}
	if os.Getenv("BALLCOURT_TLS") == "off" {
		if !slices.Contains(loopback, host) {
			return nil, fmt.Errorf("BALLCOURT_TLS=off is for this machine alone, and BALLCOURT_ADDRESS is %s", hostPort)
		}
		return &address{"dns:///" + hostPort, hostPort, insecure.NewCredentials()}, nil
	}
	trusted, err := trustedRoots(os.Getenv("BALLCOURT_CA"))
	if err != nil {
		return nil, err
	}
	return &address{"dns:///" + hostPort, hostPort, credentials.NewTLS(&tls.Config{RootCAs: trusted})}, nil
}

// trustedRoots reads the certificates to trust; nil stands for those that the system trusts.
func trustedRoots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("BALLCOURT_CA: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("BALLCOURT_CA names '%s', which holds no certificate", file)
	}
	return pool, nil
}
