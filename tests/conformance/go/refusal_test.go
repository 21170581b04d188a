package conformance

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	tm "taskmaster/conformance/taskmaster"
	pb "taskmaster/conformance/taskmasterv1"
)

// Each row is a request that can never succeed; the queue "q" holds one task, which must be untouched afterwards.
func TestWhatIsRefused(t *testing.T) {
	update := func(task *pb.Enqueue) func(c *Case) error {
		return func(c *Case) error {
			_, err := c.Group.Update(c.ctx, tm.Enqueue("trace", "pid", ""), tm.EnqueueTask(task))
			return err
		}
	}
	lease := func(change func(c *Case, request *pb.LeaseRequest)) func(c *Case) error {
		return func(c *Case) error {
			request := &pb.LeaseRequest{Queues: c.Queues("q")}
			change(c, request)
			_, err := c.Stub.LeaseTasks(c.ctx, request)
			return err
		}
	}
	rows := []struct {
		name, reason string
		call         func(c *Case) error
	}{
		{"a queue without a name", "QUEUE_NAME_EMPTY", update(&pb.Enqueue{Pid: []byte("pid")})},
		{"a name too long", "NAME_TOO_LONG", update(&pb.Enqueue{Queue: make([]byte, 1025)})},
		{"a PID too long", "PID_TOO_LONG", update(&pb.Enqueue{Queue: []byte("q"), Pid: make([]byte, 4097)})},
		{"a task too large", "TASK_TOO_LARGE", update(&pb.Enqueue{Queue: []byte("q"), Data: make([]byte, 16<<20+1)})},
		{"headers too large", "HEADERS_TOO_LARGE",
			update(&pb.Enqueue{Queue: []byte("q"), Headers: map[string]string{"k": strings.Repeat("v", 8192)}})},
		{"an unknown way to enqueue", "INVALID_FIELD", update(&pb.Enqueue{Queue: []byte("q"), IfExists: 99})},
		{"a request id too long", "REQUEST_ID_TOO_LONG", func(c *Case) error {
			_, err := c.Group.Update(c.ctx, tm.Append("trace", ""), tm.RequestID(strings.Repeat("r", 65)))
			return err
		}},
		{"an update too large", "UPDATE_TOO_LARGE", func(c *Case) error {
			elements := make([]tm.Element, 10_001)
			for i := range elements {
				elements[i] = tm.Append("trace", "")
			}
			_, err := c.Group.Update(c.ctx, elements...)
			return err
		}},
		{"a renewal for no time", "DURATION_OUT_OF_RANGE", func(c *Case) error {
			_, err := c.Group.Update(c.ctx, tm.Renew(&pb.LeasedTask{Queue: []byte("q"), Pid: []byte("pid")}, 0))
			return err
		}},
		{"a lease of too many", "LEASE_TOO_LARGE", lease(func(c *Case, r *pb.LeaseRequest) { r.MaxTasks = 10_001 })},
		{"a lease for too long", "DURATION_OUT_OF_RANGE", lease(func(c *Case, r *pb.LeaseRequest) {
			r.Lease = durationpb.New(7*24*time.Hour + time.Millisecond)
		})},
		{"a wait for too long", "DURATION_OUT_OF_RANGE", lease(func(c *Case, r *pb.LeaseRequest) {
			r.Wait = durationpb.New(time.Minute + time.Millisecond)
		})},
		{"a lease from anywhere", "EMPTY_SELECTOR", lease(func(c *Case, r *pb.LeaseRequest) { r.Queues = c.Queues() })},
		{"a pattern that is none", "BAD_PATTERN", lease(func(c *Case, r *pb.LeaseRequest) { r.Queues = c.Matching("(") })},
		{"a group and all groups", "INVALID_FIELD", lease(func(c *Case, r *pb.LeaseRequest) { r.Queues.AllGroups = true })},
		{"an unknown service class", "INVALID_FIELD", lease(func(c *Case, r *pb.LeaseRequest) { r.ServiceClass = 99 })},
		{"a page token that is none", "BAD_PAGE_TOKEN", func(c *Case) error {
			_, err := c.Stub.ListQueues(c.ctx, &pb.ListRequest{Queues: c.Queues(), PageToken: "?"})
			return err
		}},
		{"a deletion of anything", "EMPTY_SELECTOR", func(c *Case) error {
			_, err := c.Stub.DeleteQueues(c.ctx, &pb.DeleteRequest{Queues: c.Queues()})
			return err
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c := begin(t)
			c.enqueue("q", "pid")

			c.refused(row.call(c), row.reason)

			same(c, "sizes", c.sizes("q"), [3]uint64{1, 0, 0})
			same(c, "trace", c.sizes("trace"), [3]uint64{})
		})
	}
}
