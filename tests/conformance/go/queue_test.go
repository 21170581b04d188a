package conformance

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tm "taskmaster/conformance/taskmaster"
	pb "taskmaster/conformance/taskmasterv1"
)

// Each row lists queues with 1 to 3 available tasks; of queue "c3" one is leased.
func TestQueuesAreDiscovered(t *testing.T) {
	rows := []struct {
		name     string
		request  *pb.ListRequest
		pattern  string
		names    []string
		expected []string
	}{
		{"all", &pb.ListRequest{}, "", nil, []string{"a1", "b2", "c3", "d3"}},
		{"by pattern", &pb.ListRequest{}, "[ac].", nil, []string{"a1", "c3"}},
		{"by a pattern that matches a part", &pb.ListRequest{}, "[ac]", nil, nil},
		{"by names", &pb.ListRequest{}, "", []string{"b2", "none"}, []string{"b2"}},
		{"by names and pattern", &pb.ListRequest{}, "a.", []string{"b2"}, []string{"a1", "b2"}},
		{"by length", &pb.ListRequest{MinTasks: 3}, "", nil, []string{"c3", "d3"}},
		{"by what is available", &pb.ListRequest{MinAvailable: 3}, "", nil, []string{"d3"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c := begin(t)
			c.enqueue("a1", "1")
			c.enqueue("b2", "1", "2")
			c.enqueue("c3", "1", "2", "3")
			c.enqueue("d3", "1", "2", "3")
			c.leaseOne("c3", time.Minute)
			row.request.Queues = c.Queues(row.names...)
			row.request.Queues.NameRe = row.pattern

			reply, err := c.Stub.ListQueues(c.ctx, row.request)
			c.must(err)

			var names []string
			for _, queue := range reply.Queues {
				names = append(names, string(queue.Name))
			}
			same(c, "names", names, row.expected)
		})
	}
}

func TestAListingComesInPages(t *testing.T) {
	c := begin(t)
	var expected []string
	for i := range 25 {
		expected = append(expected, fmt.Sprintf("%02d", i))
		c.enqueue(expected[i], "1")
	}

	var found []string
	for token, more := "", true; more; more = token != "" {
		reply, err := c.Stub.ListQueues(c.ctx, &pb.ListRequest{Queues: c.Queues(), MaxQueues: 10, PageToken: token})
		c.must(err)
		for _, queue := range reply.Queues {
			found = append(found, string(queue.Name))
		}
		token = reply.NextPageToken
	}

	same(c, "names", found, expected)
}

func TestADescriptionShowsWhoHoldsWhat(t *testing.T) {
	c := begin(t)
	c.enqueue("q", "1", "2")
	task := c.leaseFrom(&pb.LeaseRequest{Queues: c.Queues("q"), Worker: "gopher"})[0]

	reply, err := c.Stub.DescribeQueues(c.ctx, &pb.DescribeRequest{Queues: c.Queues("q"), LeasedSample: 5})
	c.must(err)

	queue := reply.Queues[0]
	same(c, "sizes", []uint64{queue.Summary.Available, queue.Summary.Leased}, []uint64{1, 1})
	same(c, "samples", len(queue.LeasedSample), 1)
	sample := queue.LeasedSample[0]
	same(c, "worker", sample.Worker, "gopher")
	same(c, "pid", string(sample.Pid), "1")
	equal(c, "expiry", sample.LeaseExpires, task.LeaseExpires)
	if queue.EnqueueRate <= 0 || queue.Generation == 0 || queue.Node == "" || sample.Address == "" {
		c.Fatalf("incomplete: %v", queue)
	}
}

func TestADeletionStartsANewGeneration(t *testing.T) {
	c := begin(t)
	c.enqueue("q", "1", "2", "3")
	old := c.leaseOne("q", time.Minute)

	reply, err := c.Stub.DeleteQueues(c.ctx, &pb.DeleteRequest{Queues: c.Queues("q")})
	c.must(err)

	same(c, "deleted", []uint64{reply.Deleted[0].Available, reply.Deleted[0].Leased}, []uint64{2, 1})
	same(c, "old lease", c.update(tm.Dequeue(old)).DequeueStatus, []pb.Status{pb.Status_NOT_FOUND})
	c.enqueue("q", "1")
	same(c, "new", pids(c.lease("q", 9)), []string{"1"})
	same(c, "old lease", c.update(tm.Dequeue(old)).DequeueStatus, []pb.Status{pb.Status_LEASE_LOST})
}

func TestAPeekPagesWithoutLeasing(t *testing.T) {
	c := begin(t)
	c.enqueue("q", "1", "2", "3", "4", "5")

	var found []string
	for from, more := []byte(nil), true; more; more = len(from) > 0 {
		reply, err := c.Stub.PeekTasks(c.ctx, &pb.PeekRequest{Group: c.Group.Name, Queue: []byte("q"), FromPid: from, MaxTasks: 2})
		c.must(err)
		found = append(found, pids(reply.Tasks)...)
		from = reply.NextPid
	}

	same(c, "peeked", found, []string{"1", "2", "3", "4", "5"})
	same(c, "sizes", c.sizes("q"), [3]uint64{5, 0, 0})
}

func TestNamesAreAnyBytes(t *testing.T) {
	c := begin(t)
	names := []string{"\x00", "\x00\x00", "a", "a\x00", "\xc3\x28", "\xff\xfe"}
	for _, name := range names {
		c.enqueue(name, name)
		c.in(name).enqueue("q", name)
	}

	reply, err := c.Stub.ListQueues(c.ctx, &pb.ListRequest{Queues: c.Queues()})
	c.must(err)
	var found []string
	for _, queue := range reply.Queues {
		found = append(found, string(queue.Name))
		same(c, "in its queue", pids(c.lease(string(queue.Name), 9)), []string{string(queue.Name)})
		same(c, "in its group", pids(c.in(string(queue.Name)).lease("q", 9)), []string{string(queue.Name)})
	}
	if !slices.Equal(found, names) {
		c.Fatalf("listed %q (expected: %q)", found, names)
	}
}
