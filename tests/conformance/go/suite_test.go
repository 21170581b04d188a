// Package conformance holds a server to the contract with a second client: generated Go stubs, and the few lines of package taskmaster.
//
// Every case has a consistency group of its own, so cases run side by side and in any order.
package conformance

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"taskmaster/conformance/taskmaster"
	pb "taskmaster/conformance/taskmasterv1"
)

var stub pb.TaskMasterClient

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	address := os.Getenv("TASKMASTER_SERVER")
	if address == "" {
		started, stop, err := startServer()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer stop()
		address = started
	}
	connection, err := dial(address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer connection.Close()
	stub = pb.NewTaskMasterClient(connection)
	return m.Run()
}

// Case is one case on its way, with a group that no other knows. Its calls fail the case if they are refused.
type Case struct {
	*testing.T
	*taskmaster.Group
	ctx context.Context
}

func begin(t *testing.T) *Case {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return &Case{T: t, Group: &taskmaster.Group{Stub: stub, Name: []byte("go-" + rand.Text())}, ctx: ctx}
}

// in gives the same case with another group.
func (c *Case) in(suffix string) *Case {
	name := append(append([]byte{}, c.Group.Name...), suffix...)
	return &Case{T: c.T, Group: &taskmaster.Group{Stub: stub, Name: name}, ctx: c.ctx}
}

func (c *Case) update(elements ...taskmaster.Element) *pb.UpdateReply {
	c.Helper()
	reply, err := c.Group.Update(c.ctx, elements...)
	c.must(err)
	return reply
}

func (c *Case) enqueue(queue string, pids ...string) {
	c.Helper()
	var elements []taskmaster.Element
	for _, pid := range pids {
		elements = append(elements, taskmaster.Enqueue(queue, pid, "data of "+pid))
	}
	if reply := c.update(elements...); !reply.Success {
		c.Fatalf("enqueue into %s: %v", queue, reply)
	}
}

func (c *Case) lease(queue string, max uint32) []*pb.LeasedTask {
	c.Helper()
	tasks, err := c.Group.Lease(c.ctx, queue, max, time.Minute, 0)
	c.must(err)
	return tasks
}

// leaseOne leases the task that must come, within a time that only a broken server needs.
func (c *Case) leaseOne(queue string, lease time.Duration) *pb.LeasedTask {
	c.Helper()
	tasks, err := c.Group.Lease(c.ctx, queue, 1, lease, 30*time.Second)
	c.must(err)
	if len(tasks) != 1 {
		c.Fatalf("%s: %d tasks leased (expected: 1)", queue, len(tasks))
	}
	return tasks[0]
}

func (c *Case) peek(queue string) []*pb.PeekedTask {
	c.Helper()
	reply, err := c.Stub.PeekTasks(c.ctx, &pb.PeekRequest{Group: c.Group.Name, Queue: []byte(queue), MaxTasks: 10_000, WithData: true})
	c.must(err)
	if len(reply.NextPid) > 0 {
		c.Fatalf("%s: more tasks than the case looks at", queue)
	}
	return reply.Tasks
}

func (c *Case) sizes(queue string) [3]uint64 {
	c.Helper()
	reply, err := c.Stub.DescribeQueues(c.ctx, &pb.DescribeRequest{Queues: c.Queues(queue)})
	c.must(err)
	total := reply.Total.GetSummary()
	return [3]uint64{total.GetAvailable(), total.GetLeased(), total.GetDelayed()}
}

func (c *Case) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// refused expects that a call was refused as the caller's fault, for this reason.
func (c *Case) refused(err error, reason string) {
	c.Helper()
	c.refusedWith(err, codes.InvalidArgument, reason, "CALLER_FAULT")
}

func (c *Case) refusedWith(err error, code codes.Code, reason, advice string) {
	c.Helper()
	refusal := taskmaster.RefusalOf(err)
	if refusal == nil || status.Code(err) != code || refusal.Reason != reason || refusal.Advice != advice {
		c.Fatalf("got %v, %+v (expected: %v, %s, %s)", err, refusal, code, reason, advice)
	}
}

func pids[T interface{ GetPid() []byte }](tasks []T) []string {
	found := []string{}
	for _, task := range tasks {
		found = append(found, string(task.GetPid()))
	}
	return found
}

func same[T any](c *Case, what string, got, expected T) {
	c.Helper()
	if g, e := fmt.Sprintf("%v", got), fmt.Sprintf("%v", expected); g != e {
		c.Fatalf("%s: %s (expected: %s)", what, g, e)
	}
}

func equal(c *Case, what string, got, expected proto.Message) {
	c.Helper()
	if !proto.Equal(got, expected) {
		c.Fatalf("%s: %v (expected: %v)", what, got, expected)
	}
}
