// Connects to a server, and repeats requests until they are answered.

package main

import (
	"context"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
	pb "taskmaster.io/go/taskmasterv1"
)

// queues selects queues of the group in TASKMASTER_GROUP, or of the default group.
func queues(names ...string) *pb.QueueSelector {
	selector := &pb.QueueSelector{Group: []byte(os.Getenv("TASKMASTER_GROUP"))}
	for _, name := range names {
		selector.Names = append(selector.Names, []byte(name))
	}
	return selector
}

// connect returns a stub; over TLS if TASKMASTER_CA names a file with the authority, which a token needs.
func connect() pb.TaskMasterClient {
	// The largest reply and some room; and a connection is tried again after 5 s at most, not 2 minutes.
	reconnect := backoff.DefaultConfig
	reconnect.MaxDelay = 5 * time.Second
	options := []grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(40 << 20)),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: reconnect, MinConnectTimeout: 20 * time.Second}),
	}
	if ca, ok := os.LookupEnv("TASKMASTER_CA"); ok {
		tls, err := credentials.NewClientTLSFromFile(ca, "")
		check(err)
		options = append(options, grpc.WithTransportCredentials(tls))
		if file, ok := os.LookupEnv("TASKMASTER_TOKEN_FILE"); ok {
			token, err := os.ReadFile(file)
			check(err)
			options = append(options, grpc.WithPerRPCCredentials(bearer(strings.TrimSpace(string(token)))))
		}
	} else {
		options = append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))
	}
	server, ok := os.LookupEnv("TASKMASTER_SERVER")
	if !ok {
		server = "127.0.0.1:7400"
	}
	connection, err := grpc.NewClient(server, options...)
	check(err)
	return pb.NewTaskMasterClient(connection)
}

// bearer is a token that goes with each request.
type bearer string

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

func (b bearer) RequireTransportSecurity() bool { return true }

// repeat sends a request until there is a reply. Only for requests that are safe to repeat.
func repeat[Q, A any](method func(context.Context, Q, ...grpc.CallOption) (A, error), request Q) A {
	for delay := 100 * time.Millisecond; ; delay = min(2*delay, 5*time.Second) {
		// More than the wait of a lease.
		ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
		reply, err := method(ctx, request)
		cancel()
		switch status.Code(err) {
		case codes.OK:
			return reply
		case codes.Unavailable, codes.ResourceExhausted, codes.Unknown, codes.DeadlineExceeded:
			time.Sleep(delay/2 + rand.N(delay))
		default:
			log.Fatal(err)
		}
	}
}

// in returns the time after a delay.
func in(delay time.Duration) *timestamppb.Timestamp {
	return timestamppb.New(time.Now().Add(delay))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
