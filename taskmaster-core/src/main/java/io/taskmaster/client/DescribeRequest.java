package io.taskmaster.client;

/**
 * A request for the description of queues. Immutable: a method that sets a value returns a changed copy.
 *
 * @param queues the queues
 * @param leasedSample the maximum number of leases to show per queue
 * @param maxQueues the maximum number of queues to show; 0: the server's default (100)
 */
public record DescribeRequest(QueueSelector queues, int leasedSample, int maxQueues) {

    public DescribeRequest {
        if (leasedSample < 0 || maxQueues < 0) {
            throw new IllegalArgumentException(
                    "leasedSample, maxQueues: %d, %d (expected: 0 or more)".formatted(leasedSample, maxQueues));
        }
    }

    /** Returns a request without samples of leases. */
    public static DescribeRequest of(QueueSelector queues) {
        return new DescribeRequest(queues, 0, 0);
    }

    /** Sets the maximum number of leases to show per queue. */
    public DescribeRequest leasedSample(int tasks) {
        return new DescribeRequest(queues, tasks, maxQueues);
    }

    /** Sets the maximum number of queues to show. */
    public DescribeRequest maxQueues(int count) {
        return new DescribeRequest(queues, leasedSample, count);
    }
}
