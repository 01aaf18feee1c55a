package ballcourt

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

var (
	loopback      = []string{"127.0.0.1", "[::1]", "localhost"}
	hostPortShape = regexp.MustCompile(`^(\[.+\]|[^:]+):([0-9]{1,5})$`)
)

// address is the address of the arena, and how to secure the connection.
type address struct {
	target string // for gRPC
	shown  string // for messages to people
	way    credentials.TransportCredentials
}

// findArena reads the address of the arena from the environment; it returns nil if there is none.
func findArena() (*address, error) {
	if socket := os.Getenv("BALLCOURT_SOCKET"); socket != "" {
		return &address{"unix:" + socket, socket, insecure.NewCredentials()}, nil
	}
	hostPort := os.Getenv("BALLCOURT_ADDRESS")
	if hostPort == "" {
		return nil, nil
	}
	host := hostOf(hostPort)
	if host == "" {
		return nil, fmt.Errorf("BALLCOURT_ADDRESS is '%s'; it must be HOST:PORT, for example localhost:7433", hostPort)
	}
	if os.Getenv("BALLCOURT_TLS") == "off" {
		if !slices.Contains(loopback, host) {
			return nil, fmt.Errorf("BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '%s'; without TLS the host must be "+
				"127.0.0.1, [::1] or localhost: unset BALLCOURT_TLS", hostPort)
		}
		return &address{"dns:///" + hostPort, hostPort, insecure.NewCredentials()}, nil
	}
	trusted, err := trustedRoots(os.Getenv("BALLCOURT_CA"))
	if err != nil {
		return nil, err
	}
	return &address{"dns:///" + hostPort, hostPort, credentials.NewTLS(&tls.Config{RootCAs: trusted})}, nil
}

// hostOf returns the host of HOST:PORT; it returns an empty string if the address is something else.
func hostOf(address string) string {
	found := hostPortShape.FindStringSubmatch(address)
	if found == nil {
		return ""
	}
	if port, err := strconv.ParseUint(found[2], 10, 16); err != nil || port == 0 {
		return ""
	}
	return found[1]
}

// trustedRoots reads the certificates to trust from a PEM file; nil stands for those of the system.
func trustedRoots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("BALLCOURT_CA is '%s'; it must be the path of a readable PEM file: %w", file, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("BALLCOURT_CA is '%s'; it must be a PEM file with at least one certificate", file)
	}
	return pool, nil
}
