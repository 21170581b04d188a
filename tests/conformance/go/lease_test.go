package conformance

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	tm "taskmaster/conformance/taskmaster"
	pb "taskmaster/conformance/taskmasterv1"
)

func (c *Case) eventually(condition func() bool) {
	c.Helper()
	for !condition() {
		if c.ctx.Err() != nil {
			c.Fatal("not within the time of the case")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *Case) leaseFrom(request *pb.LeaseRequest) []*pb.LeasedTask {
	c.Helper()
	reply, err := c.Stub.LeaseTasks(c.ctx, request)
	c.must(err)
	return reply.Tasks
}

func TestPIDsAreOrderedAsUnsignedBytes(t *testing.T) {
	c := begin(t)
	inOrder := []string{"", "\x00", "\x00\x00", "\x00\xff", "\x01", "A", "A\x00", "a", "\x7f", "\x80", "\xc3\xa4", "\xff", "\xff\x00", "\xff\xff"}
	reversed := slices.Clone(inOrder)
	slices.Reverse(reversed)
	c.enqueue("q", reversed...)

	same(c, "peeked", fmt.Sprintf("%q", pids(c.peek("q"))), fmt.Sprintf("%q", inOrder))
	same(c, "leased", fmt.Sprintf("%q", pids(c.lease("q", 100))), fmt.Sprintf("%q", inOrder))
}

// Each row leases from a queue "q" with tasks 1 to 6 of 1,000 bytes, and queues "q2" and "other" with a task 1 each.
func TestWhatALeaseTakes(t *testing.T) {
	rows := []struct {
		name     string
		request  func(c *Case) *pb.LeaseRequest
		expected []string
	}{
		{"one if nobody says", func(c *Case) *pb.LeaseRequest { return &pb.LeaseRequest{Queues: c.Queues("q")} }, []string{"q 1"}},
		{"as many as asked", func(c *Case) *pb.LeaseRequest { return &pb.LeaseRequest{Queues: c.Queues("q"), MaxTasks: 3} },
			[]string{"q 1", "q 2", "q 3"}},
		{"below a filter", func(c *Case) *pb.LeaseRequest {
			return &pb.LeaseRequest{Queues: c.Queues("q"), MaxTasks: 9, MaxPid: []byte("2")}
		}, []string{"q 1", "q 2"}},
		{"as many bytes as asked", func(c *Case) *pb.LeaseRequest {
			return &pb.LeaseRequest{Queues: c.Queues("q"), MaxTasks: 9, MaxBytes: 3500}
		}, []string{"q 1", "q 2", "q 3"}},
		{"one at least", func(c *Case) *pb.LeaseRequest {
			return &pb.LeaseRequest{Queues: c.Queues("q"), MaxTasks: 9, MaxBytes: 1}
		}, []string{"q 1"}},
		{"up to a cap", func(c *Case) *pb.LeaseRequest {
			return &pb.LeaseRequest{Queues: c.Queues("q", "q2"), MaxTasks: 9, MaxLeasedPerQueue: 2}
		}, []string{"q 1", "q 2", "q2 1"}},
		{"by pattern", func(c *Case) *pb.LeaseRequest { return &pb.LeaseRequest{Queues: c.Matching("q."), MaxTasks: 9} }, []string{"q2 1"}},
		{"by name and pattern", func(c *Case) *pb.LeaseRequest {
			queues := c.Matching("q[0-9]")
			queues.Names = [][]byte{[]byte("other")}
			return &pb.LeaseRequest{Queues: queues, MaxTasks: 9}
		}, []string{"other 1", "q2 1"}},
		{"nothing of nothing", func(c *Case) *pb.LeaseRequest { return &pb.LeaseRequest{Queues: c.Queues("none"), MaxTasks: 9} }, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c := begin(t)
			for _, pid := range []string{"1", "2", "3", "4", "5", "6"} {
				c.update(tm.Enqueue("q", pid, string(make([]byte, 1000))))
			}
			c.enqueue("q2", "1")
			c.enqueue("other", "1")

			var leased []string
			for _, task := range c.leaseFrom(row.request(c)) {
				leased = append(leased, string(task.Queue)+" "+string(task.Pid))
			}

			slices.Sort(leased)
			same(c, "leased", leased, row.expected)
		})
	}
}

func TestAnExpiredLeaseIsOfferedAgainAndTheNewestIDCounts(t *testing.T) {
	c := begin(t)
	c.enqueue("q", "pid")
	var leases []*pb.LeasedTask
	for range 3 {
		leases = append(leases, c.leaseOne("q", 100*time.Millisecond))
	}
	last := c.leaseOne("q", time.Minute)

	for i, old := range leases {
		same(c, "attempt", old.Attempt, uint32(i+1))
		if old.LeaseId >= last.LeaseId {
			c.Fatalf("lease ids do not grow: %d, then %d", old.LeaseId, last.LeaseId)
		}
		same(c, "late dequeue", c.update(tm.Dequeue(old)).DequeueStatus, []pb.Status{pb.Status_LEASE_LOST})
	}
	same(c, "dequeue", c.update(tm.Dequeue(last)).Success, true)
}

func TestALongPollIsWokenByAnEnqueue(t *testing.T) {
	c := begin(t)
	leased := make(chan []*pb.LeasedTask, 1)
	go func() {
		tasks, _ := c.Group.Lease(c.ctx, "q", 5, time.Minute, time.Minute)
		leased <- tasks
	}()
	for range 3 {
		c.peek("q")
	}

	c.enqueue("q", "1", "2")

	// Both, or, if it came too late to wait, still both.
	same(c, "leased", pids(<-leased), []string{"1", "2"})
}

func TestALongPollEndsWhenItsTimeIsUp(t *testing.T) {
	c := begin(t)
	start := time.Now()

	same(c, "leased", len(c.leaseFrom(&pb.LeaseRequest{Queues: c.Queues("q"), Wait: durationpb.New(300 * time.Millisecond)})), 0)

	if waited := time.Since(start); waited < 290*time.Millisecond {
		c.Fatalf("waited only %v", waited)
	}
}

func TestALongPollThatWasGivenUpTakesNoTaskAlong(t *testing.T) {
	c := begin(t)
	ctx, cancel := context.WithTimeout(c.ctx, 200*time.Millisecond)
	defer cancel()
	_, err := c.Group.Lease(ctx, "q", 1, time.Minute, time.Minute)
	// gRPC on the server knows the deadline too, and may be the first to end the call.
	if code := status.Code(err); code != codes.DeadlineExceeded && code != codes.Canceled {
		c.Fatalf("not given up: %v", err)
	}
	for range 20 {
		c.peek("q")
	}

	c.enqueue("q", "pid")

	same(c, "attempt", c.leaseOne("q", time.Minute).Attempt, 1)
}

func TestQueuesTakeTurns(t *testing.T) {
	c := begin(t)
	for i := range 100 {
		c.update(tm.Enqueue("flood", fmt.Sprintf("%03d", i), ""))
	}
	for _, queue := range []string{"a", "b", "c"} {
		c.enqueue(queue, "1", "2", "3", "4", "5")
	}

	gaps := map[string]int{}
	for range 4 * 5 {
		task := c.leaseFrom(&pb.LeaseRequest{Queues: c.Matching("flood|[abc]")})[0]
		for _, queue := range []string{"flood", "a", "b", "c"} {
			gaps[queue]++
			if queue == string(task.Queue) {
				gaps[queue] = 0
			}
			if gaps[queue] >= 4 {
				c.Fatalf("%s was not served in 4 leases over 4 queues", queue)
			}
		}
	}
}

func TestALeaseOverAllGroupsHoldsNoMoreThanItWasAskedFor(t *testing.T) {
	c := begin(t)
	queue := "q-" + string(c.Group.Name)
	for i := range 30 {
		c.in(fmt.Sprint(i)).enqueue(queue, "1", "2", "3")
	}
	everywhere := &pb.QueueSelector{AllGroups: true, Names: [][]byte{[]byte(queue)}}

	held := 0
	for _, most := range []uint32{1, 5, 40} {
		tasks := c.leaseFrom(&pb.LeaseRequest{Queues: everywhere, MaxTasks: most})
		if len(tasks) == 0 || len(tasks) > int(most) {
			c.Fatalf("%d tasks leased (expected: 1 to %d)", len(tasks), most)
		}
		held += len(tasks)
		reply, err := c.Stub.DescribeQueues(c.ctx, &pb.DescribeRequest{Queues: everywhere})
		c.must(err)
		same(c, "leased", reply.Total.Summary.Leased, uint64(held))
		same(c, "available", reply.Total.Summary.Available, uint64(90-held))
	}
}

func TestAPausedQueueLeasesNothing(t *testing.T) {
	c := begin(t)
	configure := func(options *pb.QueueOptions) {
		_, err := c.Stub.ConfigureQueue(c.ctx, &pb.ConfigureRequest{Group: c.Group.Name, Queue: []byte("q"), Options: options})
		c.must(err)
	}
	configure(&pb.QueueOptions{Paused: true})
	c.enqueue("q", "1", "2", "3")
	same(c, "paused", len(c.lease("q", 5)), 0)

	configure(&pb.QueueOptions{MaxLeased: 2})
	same(c, "capped", pids(c.lease("q", 5)), []string{"1", "2"})

	configure(nil)
	same(c, "free", pids(c.lease("q", 5)), []string{"3"})
}
