package conformance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
)

const (
	service = "taskmaster.v1.TaskMaster"
	// The launcher may have to build the server first.
	startLimit = 5 * time.Minute
)

// startServer runs a server of the suite's own on a fresh folder, by TASKMASTER_COMMAND or the launcher of this repository.
func startServer() (address string, stop func(), err error) {
	command := os.Getenv("TASKMASTER_COMMAND")
	if command == "" {
		launcher, err := filepath.Abs("../../../taskmaster")
		if err != nil {
			return "", nil, err
		}
		command = "'" + launcher + "' server"
	}
	folder, err := os.MkdirTemp("", "taskmaster-conformance-")
	if err != nil {
		return "", nil, err
	}
	if address, err = freeAddress(); err != nil {
		return "", nil, err
	}
	log, err := os.Create(filepath.Join(folder, "server.log"))
	if err != nil {
		return "", nil, err
	}
	// The shell takes the words of the command apart, as it would if a person typed it.
	server := exec.Command("sh", "-c", "exec "+command+` "$@"`, "taskmaster",
		"--data", filepath.Join(folder, "data"), "--listen", address, "--http", "127.0.0.1:0")
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	stop = func() {
		// What it ended with is of no interest: it may have ended by itself.
		_ = server.Process.Kill()
		<-ended
		os.RemoveAll(folder)
	}
	if err := awaitServing(address, ended); err != nil {
		said, _ := os.ReadFile(log.Name())
		stop()
		return "", nil, fmt.Errorf("%w:\n%s", err, said)
	}
	return address, stop, nil
}

func awaitServing(address string, ended chan error) error {
	connection, err := dial(address)
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	for {
		reply, err := health.NewHealthClient(connection).
			Check(ctx, &health.HealthCheckRequest{Service: service}, grpc.WaitForReady(false))
		if err == nil && reply.Status == health.HealthCheckResponse_SERVING {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not serve after %v", startLimit)
		case err := <-ended:
			ended <- err
			return fmt.Errorf("the server ended before it served: %v", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func dial(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64<<20)))
}

// Not a port of those that outgoing connections get: while the server is down its clients might take it.
func freeAddress() (string, error) {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(12_000))
		listener, err := net.Listen("tcp", address)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return "", err
		}
		return address, listener.Close()
	}
}
