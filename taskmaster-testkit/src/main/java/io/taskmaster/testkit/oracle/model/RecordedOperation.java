package io.taskmaster.testkit.oracle.model;

import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import org.jspecify.annotations.Nullable;

/**
 * An operation that may have taken effect, at most once, at some instant of its span: a call, one operation of a batch,
 * or all calls with the same request id.
 *
 * <p>A reply is null if it is unknown. Failed calls, and reads without a reply, are left out. Immutable.
 */
public sealed interface RecordedOperation {

    Span span();

    /**
     * An update.
     *
     * @param appliesOnce false for the renewals of a call that may have been applied although another call with its
     *     request id was the one that took effect
     */
    record Updating(
            Span span, UpdateRequest request, @Nullable UpdateReply reply, boolean appliesOnce)
            implements RecordedOperation {}

    /** A lease. */
    record Leasing(
            Span span, LeaseRequest request, @Nullable LeaseReply reply) implements RecordedOperation {}

    /** A peek. */
    record Peeking(Span span, PeekRequest request, PeekReply reply) implements RecordedOperation {}

    /** A page of a list of queues. */
    record Listing(Span span, ListRequest request, ListReply reply) implements RecordedOperation {}

    /** A description of queues. */
    record Describing(Span span, DescribeRequest request, DescribeReply reply) implements RecordedOperation {}

    /** A deletion of queues. */
    record Deleting(
            Span span, DeleteRequest request, @Nullable DeleteReply reply) implements RecordedOperation {}

    /** A change of a queue's options. */
    record Configuring(Span span, ConfigureRequest request) implements RecordedOperation {}

    /** The end of a history that ends with a drain: no task is left. It is not a call; its number is 0. */
    record Drained(Span span) implements RecordedOperation {

        static Drained after(long micros) {
            return new Drained(new Span(0, micros + 1, micros + 1));
        }
    }
}
