// A worker: leases names, and hands off a greeting for each of them to the next queue.
package main

import (
	"crypto/rand"
	"log"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	pb "taskmaster.io/go/taskmasterv1"
)

func main() {
	stub, request := connect(), &pb.LeaseRequest{Queues: queues("names"), Worker: "go", MaxTasks: 10}
	request.Lease = durationpb.New(time.Minute)     // longer than the work on all tasks of one lease takes
	request.Wait = durationpb.New(30 * time.Second) // a long poll: an idle worker sends two requests per minute
	for {
		for _, task := range repeat(stub.LeaseTasks, request).Tasks {
			if !repeat(stub.UpdateTasks, work(task)).Success {
				log.Printf("lease lost, another worker has the task: %q", task.Pid)
			}
		}
	}
}

// work returns the update that ends the lease, whether the work succeeds or fails.
func work(task *pb.LeasedTask) *pb.UpdateRequest {
	update := &pb.UpdateRequest{Group: task.Group, RequestId: []byte(rand.Text())}
	next := &pb.Enqueue{Queue: []byte("greetings"), Pid: task.Pid, Data: []byte("Hello, " + string(task.Data) + "!")}
	if len(task.Data) == 0 && task.Attempt < 5 { // failed: another attempt, after a delay
		update.Release = []*pb.Release{{Queue: task.Queue, Pid: task.Pid, LeaseId: task.LeaseId, NotBefore: in(10 * time.Second)}}
		return update
	} else if len(task.Data) == 0 { // failed too often: a dead letter
		next.Queue, next.Data = []byte(string(task.Queue)+".dead"), task.Data
		next.Headers = map[string]string{"dead-reason": "no name"}
	}
	held := &pb.Dequeue{Queue: task.Queue, Pid: task.Pid, LeaseId: task.LeaseId}
	update.Dequeue, update.Enqueue = []*pb.Dequeue{held}, []*pb.Enqueue{next}
	return update
}
