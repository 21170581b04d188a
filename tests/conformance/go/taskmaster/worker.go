package taskmaster

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "taskmaster/conformance/taskmasterv1"
)

// Worker is the inner loop of the paper's section 3.6: lease, process, and in one atomic update dequeue the task and enqueue what follows
// from it. A task whose lease was lost meanwhile has become somebody else's, and what followed from it is dropped.
type Worker struct {
	Group *Group
	Queue string
	// Lease is how long a task is held, and renewed for while it is processed.
	Lease time.Duration
	// Process gives what follows from a task; on an error the task is released, for another attempt.
	Process func(ctx context.Context, task *pb.LeasedTask) ([]Element, error)

	// Done and Lost count hand-offs that were applied and refused.
	Done, Lost int
}

// Run works until the context ends.
func (w *Worker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		tasks, err := w.Group.Lease(ctx, w.Queue, 1, w.Lease, 10*time.Second)
		if err == nil {
			for _, task := range tasks {
				err = errors.Join(err, w.work(ctx, task))
			}
		}
		if refusal := RefusalOf(err); refusal != nil && refusal.Advice == "RETRY_LATER" {
			sleep(ctx, refusal.RetryAfter)
		} else if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

func (w *Worker) work(ctx context.Context, task *pb.LeasedTask) error {
	stop := w.keep(ctx, task)
	next, failure := w.Process(ctx, task)
	stop()
	elements := append([]Element{Dequeue(task)}, next...)
	if failure != nil {
		elements = []Element{Release(task)}
	}
	// What is processed is handed on even if the loop is to end.
	reply, err := w.Group.Update(context.WithoutCancel(ctx), elements...)
	if err != nil {
		return err
	}
	switch {
	case !reply.Success:
		w.Lost++
	case failure == nil:
		w.Done++
	}
	return nil
}

// keep renews a lease, as a heart-beat, until it is stopped.
func (w *Worker) keep(ctx context.Context, task *pb.LeasedTask) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for sleep(ctx, w.Lease/3) {
			reply, err := w.Group.Update(ctx, Renew(task, w.Lease))
			if err == nil && reply.RenewStatus[0] != pb.Status_OK || status.Code(err) == codes.Canceled {
				return
			}
		}
	}()
	return func() { cancel(); <-ended }
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
