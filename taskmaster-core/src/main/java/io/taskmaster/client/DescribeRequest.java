package io.taskmaster.client;

/**
 * Asks for what is known about queues. Immutable: a method that sets something returns a changed copy.
 *
 * @param leasedSample how many leased tasks to show per queue
 * @param maxQueues how many to show; 0: what the server thinks right (100)
 */
public record DescribeRequest(QueueSelector queues, int leasedSample, int maxQueues) {

    public DescribeRequest {
        if (leasedSample < 0 || maxQueues < 0) {
            throw new IllegalArgumentException(
                    "leasedSample, maxQueues: %d, %d (expected: 0 or more)".formatted(leasedSample, maxQueues));
        }
    }

    /** Without a sample of what is leased. */
    public static DescribeRequest of(QueueSelector queues) {
        return new DescribeRequest(queues, 0, 0);
    }

    public DescribeRequest leasedSample(int tasks) {
        return new DescribeRequest(queues, tasks, maxQueues);
    }

    public DescribeRequest maxQueues(int count) {
        return new DescribeRequest(queues, leasedSample, count);
    }
}
