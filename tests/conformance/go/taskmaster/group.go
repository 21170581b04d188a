// Package taskmaster is what a Go program needs to work with TaskMaster queues beyond the generated stub: the group filled in,
// refusals with their reasons, and a worker's loop.
package taskmaster

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "taskmaster/conformance/taskmasterv1"
)

// Group is one consistency group of a server. It is safe for concurrent use.
type Group struct {
	Stub pb.TaskMasterClient
	Name []byte
}

// Update sends the elements as one atomic update.
func (g *Group) Update(ctx context.Context, elements ...Element) (*pb.UpdateReply, error) {
	return g.Stub.UpdateTasks(ctx, g.UpdateRequest(elements...))
}

// UpdateRequest is what Update sends.
func (g *Group) UpdateRequest(elements ...Element) *pb.UpdateRequest {
	request := &pb.UpdateRequest{Group: g.Name}
	for _, element := range elements {
		element(request)
	}
	return request
}

// Lease takes up to max tasks of one queue, waiting for the first as long as wait.
func (g *Group) Lease(ctx context.Context, queue string, max uint32, lease, wait time.Duration) ([]*pb.LeasedTask, error) {
	request := &pb.LeaseRequest{Queues: g.Queues(queue), MaxTasks: max, Lease: durationpb.New(lease)}
	if wait > 0 {
		request.Wait = durationpb.New(wait)
	}
	reply, err := g.Stub.LeaseTasks(ctx, request)
	return reply.GetTasks(), err
}

// Queues selects queues by name.
func (g *Group) Queues(names ...string) *pb.QueueSelector {
	selector := &pb.QueueSelector{Group: g.Name}
	for _, name := range names {
		selector.Names = append(selector.Names, []byte(name))
	}
	return selector
}

// Matching selects queues by pattern.
func (g *Group) Matching(pattern string) *pb.QueueSelector {
	return &pb.QueueSelector{Group: g.Name, NameRe: pattern}
}

// Element is a part of an update, or a property of it.
type Element func(*pb.UpdateRequest)

// Enqueue adds a task under a PID of its own.
func Enqueue(queue, pid, data string) Element {
	return EnqueueTask(&pb.Enqueue{Queue: []byte(queue), Pid: []byte(pid), Data: []byte(data)})
}

// Append adds a task behind those that are there: first in, first out.
func Append(queue, data string) Element {
	return EnqueueTask(&pb.Enqueue{Queue: []byte(queue), Data: []byte(data)})
}

// EnqueueTask adds any task.
func EnqueueTask(task *pb.Enqueue) Element {
	return func(request *pb.UpdateRequest) { request.Enqueue = append(request.Enqueue, task) }
}

// Dequeue removes a leased task.
func Dequeue(task *pb.LeasedTask) Element {
	return func(request *pb.UpdateRequest) {
		request.Dequeue = append(request.Dequeue, &pb.Dequeue{Queue: task.Queue, Pid: task.Pid, LeaseId: task.LeaseId})
	}
}

// Renew keeps a lease for so long from now.
func Renew(task *pb.LeasedTask, lease time.Duration) Element {
	return func(request *pb.UpdateRequest) {
		request.Renew = append(request.Renew, &pb.Renew{
			Queue: task.Queue, Pid: task.Pid, LeaseId: task.LeaseId, Lease: durationpb.New(lease),
		})
	}
}

// Release gives a lease up.
func Release(task *pb.LeasedTask) Element {
	return func(request *pb.UpdateRequest) {
		request.Release = append(request.Release, &pb.Release{Queue: task.Queue, Pid: task.Pid, LeaseId: task.LeaseId})
	}
}

// RequestID makes a retry of the update safe.
func RequestID(id string) Element {
	return func(request *pb.UpdateRequest) { request.RequestId = []byte(id) }
}

// Refusal is what the server says about a call that it refuses. Programs decide by Reason and Advice, never by the text.
type Refusal struct {
	Reason string
	Advice string
	// RetryAfter is the delay to keep before the call is repeated; 0 if none was given.
	RetryAfter time.Duration
	Err        error
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s (%s): %v", r.Reason, r.Advice, r.Err) }

func (r *Refusal) Unwrap() error { return r.Err }

// RefusalOf reads the details of an error of a call; nil if it has none of ours.
func RefusalOf(err error) *Refusal {
	refusal := &Refusal{Err: err}
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.Domain == "taskmaster.io" {
				refusal.Reason, refusal.Advice = detail.Reason, detail.Metadata["advice"]
			}
		case *errdetails.RetryInfo:
			refusal.RetryAfter = detail.RetryDelay.AsDuration()
		}
	}
	if refusal.Reason == "" {
		return nil
	}
	return refusal
}
