package conformance

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	tm "taskmaster/conformance/taskmaster"
	pb "taskmaster/conformance/taskmasterv1"
)

// Each row enqueues (queue "q", PID "pid") once more, in the state that the task is in.
func TestWhatAnEnqueueDoesThatMeetsItsPID(t *testing.T) {
	const available, leased, delayed = "available", "leased", "delayed"
	rows := []struct {
		state    string
		ifExists pb.IfExists
		status   pb.Status
		data     string
	}{
		{available, pb.IfExists_COLLAPSE, pb.Status_COLLAPSED, "old"},
		{available, pb.IfExists_REPLACE, pb.Status_OK, "new"},
		{available, pb.IfExists_RERUN, pb.Status_OK, "new"},
		{available, pb.IfExists_FAIL, pb.Status_ALREADY_EXISTS, "old"},
		{leased, pb.IfExists_COLLAPSE, pb.Status_COLLAPSED, "old"},
		{leased, pb.IfExists_REPLACE, pb.Status_LEASED, "old"},
		{leased, pb.IfExists_RERUN, pb.Status_OK, "old"},
		{leased, pb.IfExists_FAIL, pb.Status_ALREADY_EXISTS, "old"},
		{delayed, pb.IfExists_COLLAPSE, pb.Status_COLLAPSED, "old"},
		{delayed, pb.IfExists_REPLACE, pb.Status_OK, "new"},
		{delayed, pb.IfExists_RERUN, pb.Status_OK, "new"},
		{delayed, pb.IfExists_FAIL, pb.Status_ALREADY_EXISTS, "old"},
	}
	for _, row := range rows {
		t.Run(row.state+" "+row.ifExists.String(), func(t *testing.T) {
			c := begin(t)
			old := &pb.Enqueue{Queue: []byte("q"), Pid: []byte("pid"), Data: []byte("old")}
			if row.state == delayed {
				old.NotBefore = timestamppb.New(time.Now().Add(time.Hour))
			}
			c.update(tm.EnqueueTask(old))
			if row.state == leased {
				c.leaseOne("q", time.Minute)
			}

			reply := c.update(tm.EnqueueTask(&pb.Enqueue{
				Queue: []byte("q"), Pid: []byte("pid"), Data: []byte("new"), IfExists: row.ifExists,
			}))

			same(c, "status", reply.EnqueueStatus, []pb.Status{row.status})
			refused := row.status == pb.Status_LEASED || row.status == pb.Status_ALREADY_EXISTS
			same(c, "success", reply.Success, !refused)
			same(c, "assigned", len(reply.AssignedPid) == 0, refused)
			tasks := c.peek("q")
			same(c, "tasks", pids(tasks), []string{"pid"})
			same(c, "data", string(tasks[0].Data), row.data)
		})
	}
}

// Each row asks something of a task that is in a certain state, under the lease of its first worker.
func TestWhatALeaseIDStillHasASayIn(t *testing.T) {
	const held, expired, takenOver, releasedSince, gone = "held", "expired", "taken over", "released", "gone"
	rows := []struct {
		state                   string
		renew, release, dequeue pb.Status
	}{
		{held, pb.Status_OK, pb.Status_OK, pb.Status_OK},
		{expired, pb.Status_LEASE_EXPIRED, pb.Status_OK, pb.Status_OK},
		{takenOver, pb.Status_LEASE_LOST, pb.Status_LEASE_LOST, pb.Status_LEASE_LOST},
		{releasedSince, pb.Status_LEASE_LOST, pb.Status_LEASE_LOST, pb.Status_LEASE_LOST},
		{gone, pb.Status_NOT_FOUND, pb.Status_NOT_FOUND, pb.Status_NOT_FOUND},
	}
	for _, row := range rows {
		t.Run(row.state, func(t *testing.T) {
			c := begin(t)
			for queue, element := range map[string]func(*pb.LeasedTask) tm.Element{
				"renew":   func(task *pb.LeasedTask) tm.Element { return tm.Renew(task, time.Minute) },
				"release": tm.Release,
				"dequeue": tm.Dequeue,
			} {
				c.enqueue(queue, "pid")
				task := c.leaseOne(queue, time.Minute)
				switch row.state {
				case expired, takenOver:
					c.update(tm.Renew(task, 50*time.Millisecond))
					c.eventually(func() bool { return c.sizes(queue) == [3]uint64{1, 0, 0} })
					if row.state == takenOver {
						c.leaseOne(queue, time.Minute)
					}
				case releasedSince:
					c.update(tm.Release(task))
				case gone:
					c.update(tm.Dequeue(task))
				}

				reply := c.update(element(task))

				switch queue {
				case "renew":
					same(c, "renew", reply.RenewStatus, []pb.Status{row.renew})
					// It is reported, and stops nothing.
					same(c, "success of the renewal", reply.Success, true)
				case "release":
					same(c, "release", reply.ReleaseStatus, []pb.Status{row.release})
				case "dequeue":
					same(c, "dequeue", reply.DequeueStatus, []pb.Status{row.dequeue})
				}
			}
		})
	}
}

func TestAHandOffIsAtomic(t *testing.T) {
	c := begin(t)
	c.enqueue("fetch", "page")
	late := c.leaseOne("fetch", 50*time.Millisecond)
	task := c.leaseOne("fetch", time.Minute)

	reply := c.update(tm.Dequeue(late), tm.Enqueue("extract", "page", "by the late one"), tm.Append("log", "line"))
	same(c, "success", reply.Success, false)
	same(c, "dequeue", reply.DequeueStatus, []pb.Status{pb.Status_LEASE_LOST})
	same(c, "enqueues", reply.EnqueueStatus, []pb.Status{pb.Status_ABORTED, pb.Status_ABORTED})
	same(c, "sizes", c.sizes("extract"), [3]uint64{})

	reply = c.update(tm.Dequeue(task), tm.Enqueue("extract", "page", "by the other"))
	same(c, "success", reply.Success, true)
	same(c, "data", string(c.peek("extract")[0].Data), "by the other")
	same(c, "sizes", c.sizes("fetch"), [3]uint64{})
}

func TestTasksWithoutPIDsComeFirstInFirstOut(t *testing.T) {
	c := begin(t)
	var assigned []string
	for _, line := range []string{"a", "b", "c", "d"} {
		reply := c.update(tm.Append("log", line), tm.Append("log", line+line))
		for _, pid := range reply.AssignedPid {
			assigned = append(assigned, string(pid))
		}
	}

	tasks := c.lease("log", 10)

	same(c, "order", pids(tasks), assigned)
	lines := ""
	for _, task := range tasks {
		lines += string(task.Data) + " "
	}
	same(c, "lines", lines, "a aa b bb c cc d dd ")
}

func TestARerunComesOnceMoreAfterTheOneThatIsRunning(t *testing.T) {
	c := begin(t)
	c.enqueue("q", "pid")
	task := c.leaseOne("q", time.Minute)
	for _, data := range []string{"second", "third"} {
		reply := c.update(tm.EnqueueTask(&pb.Enqueue{
			Queue: []byte("q"), Pid: []byte("pid"), Data: []byte(data), IfExists: pb.IfExists_RERUN,
		}))
		same(c, "status", reply.EnqueueStatus, []pb.Status{pb.Status_OK})
	}
	same(c, "sizes", c.sizes("q"), [3]uint64{0, 1, 0})

	c.update(tm.Dequeue(task))

	again := c.leaseOne("q", time.Minute)
	same(c, "data", string(again.Data), "third")
	same(c, "attempt", again.Attempt, 1)
	c.update(tm.Dequeue(again))
	same(c, "sizes", c.sizes("q"), [3]uint64{})
}

func TestARequestIDMakesARetrySafe(t *testing.T) {
	c := begin(t)
	first := c.update(tm.Append("log", "line"), tm.RequestID("r"))

	for range 5 {
		equal(c, "reply", c.update(tm.Append("log", "line"), tm.RequestID("r")), first)
	}

	same(c, "tasks", pids(c.peek("log")), []string{string(first.AssignedPid[0])})
	c.update(tm.Append("log", "line"), tm.RequestID("another"))
	same(c, "sizes", c.sizes("log"), [3]uint64{2, 0, 0})
}

func TestADelayedTaskComesWhenItIsDue(t *testing.T) {
	c := begin(t)
	due := time.Now().Add(1500 * time.Millisecond)
	c.update(tm.EnqueueTask(&pb.Enqueue{Queue: []byte("q"), Pid: []byte("a"), NotBefore: timestamppb.New(due)}))
	c.enqueue("q", "b")
	same(c, "sizes", c.sizes("q"), [3]uint64{1, 0, 1})
	same(c, "first", pids(c.lease("q", 5)), []string{"b"})

	task := c.leaseOne("q", time.Minute)

	same(c, "second", string(task.Pid), "a")
	if early := due.Sub(task.LeaseExpires.AsTime().Add(-time.Minute)); early > 10*time.Millisecond {
		c.Fatalf("leased %v too early", early)
	}
}

func TestABatchHoldsIndependentOperations(t *testing.T) {
	c := begin(t)
	operation := func(elements ...tm.Element) *pb.BatchRequest_Operation {
		return &pb.BatchRequest_Operation{Kind: &pb.BatchRequest_Operation_Update{Update: c.UpdateRequest(elements...)}}
	}
	lease := func(request *pb.LeaseRequest) *pb.BatchRequest_Operation {
		return &pb.BatchRequest_Operation{Kind: &pb.BatchRequest_Operation_Lease{Lease: request}}
	}

	reply, err := c.Stub.Batch(c.ctx, &pb.BatchRequest{Operations: []*pb.BatchRequest_Operation{
		operation(tm.Enqueue("q", "1", "")),
		operation(tm.Enqueue("", "no name", "")),
		lease(&pb.LeaseRequest{Queues: c.Queues("q")}),
		operation(tm.Dequeue(&pb.LeasedTask{Queue: []byte("q"), Pid: []byte("none")})),
		lease(&pb.LeaseRequest{}),
		operation(tm.Enqueue("q", "2", "")),
	}})
	c.must(err)

	same(c, "results", len(reply.Results), 6)
	same(c, "first", reply.Results[0].GetUpdate().Success, true)
	same(c, "second", reply.Results[1].GetError().GetReason(), "QUEUE_NAME_EMPTY")
	same(c, "third", pids(reply.Results[2].GetLease().Tasks), []string{"1"})
	same(c, "fourth", reply.Results[3].GetUpdate().DequeueStatus, []pb.Status{pb.Status_NOT_FOUND})
	same(c, "fifth", reply.Results[4].GetError().GetReason(), "EMPTY_SELECTOR")
	same(c, "sixth", reply.Results[5].GetUpdate().Success, true)
}
