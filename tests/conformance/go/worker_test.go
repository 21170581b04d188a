package conformance

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tm "taskmaster/conformance/taskmaster"
	pb "taskmaster/conformance/taskmasterv1"
)

// work runs workers side by side until the condition holds, and gives them back at rest.
func (c *Case) work(workers []*tm.Worker, until func() bool) {
	c.Helper()
	ctx, stop := context.WithCancel(c.ctx)
	var running sync.WaitGroup
	for _, worker := range workers {
		running.Go(func() {
			if err := worker.Run(ctx); err != nil {
				c.Error(err)
			}
		})
	}
	c.eventually(func() bool { return c.Failed() || until() })
	stop()
	running.Wait()
}

func TestWorkersHandTasksFromStageToStage(t *testing.T) {
	c := begin(t)
	const tasks = 200
	stages := []string{"fetch", "extract", "index", "done"}
	var workers []*tm.Worker
	for i, stage := range stages[:3] {
		for range 3 {
			workers = append(workers, &tm.Worker{Group: c.Group, Queue: stage, Lease: time.Minute,
				Process: func(_ context.Context, task *pb.LeasedTask) ([]tm.Element, error) {
					return []tm.Element{tm.Enqueue(stages[i+1], string(task.Pid), string(task.Data)+" "+stage)}, nil
				}})
		}
	}
	var producers sync.WaitGroup
	for producer := range 4 {
		producers.Go(func() {
			for i := range tasks / 4 {
				c.enqueue("fetch", fmt.Sprintf("%d-%02d", producer, i))
			}
		})
	}

	c.work(workers, func() bool { return c.sizes("done")[0] == tasks })
	producers.Wait()

	handed := 0
	for _, worker := range workers {
		same(c, "lost", worker.Lost, 0)
		handed += worker.Done
	}
	same(c, "hand-offs", handed, 3*tasks)
	for _, task := range c.peek("done") {
		same(c, "data", string(task.Data), "data of "+string(task.Pid)+" fetch extract index")
	}
	for _, stage := range stages[:3] {
		same(c, "left in "+stage, c.sizes(stage), [3]uint64{})
	}
}

func TestWorkersThatStallLoseTheirTasksAndNothingElse(t *testing.T) {
	c := begin(t)
	const tasks = 40
	for i := range tasks {
		c.enqueue("in", fmt.Sprintf("%02d", i))
	}
	// A worker that leases and is never heard of again.
	gone, err := c.Group.Lease(c.ctx, "in", 5, 200*time.Millisecond, 0)
	c.must(err)
	same(c, "leased", len(gone), 5)
	var workers []*tm.Worker
	for range 4 {
		workers = append(workers, &tm.Worker{Group: c.Group, Queue: "in", Lease: time.Minute,
			Process: func(_ context.Context, task *pb.LeasedTask) ([]tm.Element, error) {
				return []tm.Element{tm.Append("out", string(task.Pid))}, nil
			}})
	}

	c.work(workers, func() bool { return c.sizes("in") == [3]uint64{} })

	for _, task := range gone {
		same(c, "late dequeue", c.update(tm.Dequeue(task), tm.Append("out", "twice")).DequeueStatus, []pb.Status{pb.Status_NOT_FOUND})
	}
	seen := map[string]int{}
	for _, task := range c.peek("out") {
		seen[string(task.Data)]++
	}
	same(c, "results", len(seen), tasks)
	for pid, times := range seen {
		if times != 1 {
			c.Fatalf("%s came out %d times", pid, times)
		}
	}
}

func TestAWorkerThatFailsReleasesItsTaskForAnotherAttempt(t *testing.T) {
	c := begin(t)
	c.enqueue("q", "pid")
	var attempts atomic.Uint32
	worker := &tm.Worker{Group: c.Group, Queue: "q", Lease: time.Minute,
		Process: func(_ context.Context, task *pb.LeasedTask) ([]tm.Element, error) {
			attempts.Store(task.Attempt)
			if task.Attempt < 4 {
				return nil, errors.New("not yet")
			}
			return nil, nil
		}}

	c.work([]*tm.Worker{worker}, func() bool { return c.sizes("q") == [3]uint64{} })

	same(c, "attempts", attempts.Load(), uint32(4))
	same(c, "done", worker.Done, 1)
}

func TestAHeartBeatKeepsALeaseForAsLongAsTheWorkTakes(t *testing.T) {
	c := begin(t)
	c.enqueue("q", "pid")
	const lease = 3 * time.Second
	worker := &tm.Worker{Group: c.Group, Queue: "q", Lease: lease,
		Process: func(ctx context.Context, task *pb.LeasedTask) ([]tm.Element, error) {
			// Longer than one lease. Whoever asks meanwhile gets nothing.
			tasks, err := c.Group.Lease(c.ctx, "q", 1, lease, lease+lease/4)
			if len(tasks) > 0 {
				c.Errorf("leased to another while it was worked on: %v", tasks)
			}
			return nil, err
		}}

	c.work([]*tm.Worker{worker}, func() bool { return c.sizes("q") == [3]uint64{} })

	same(c, "done", worker.Done, 1)
	same(c, "lost", worker.Lost, 0)
}
