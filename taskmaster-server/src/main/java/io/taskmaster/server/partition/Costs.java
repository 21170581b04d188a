package io.taskmaster.server.partition;

import io.taskmaster.server.engine.Command;
import io.taskmaster.server.partition.fair.FairQueue.Origin;
import java.util.Optional;

/** What requests cost before they are decided, in bytes of the log, and at whose expense. Stateless. */
final class Costs {

    /** A request without anything in it: it has to be decided and answered. */
    static final long REQUEST_BYTES = 128;

    /** An element of an update beside its data: about what its names and numbers take. */
    static final long ELEMENT_BYTES = 64;

    private Costs() {}

    /** About as much as it is going to add to the log, if that can be seen. What a lease adds depends on what there is. */
    static long of(Command command) {
        if (!(command instanceof Command.Update update)) {
            return REQUEST_BYTES;
        }
        long bytes = REQUEST_BYTES
                + ELEMENT_BYTES
                        * (update.enqueues().size()
                                + update.dequeues().size()
                                + update.renewals().size()
                                + update.releases().size());
        for (Command.Enqueue enqueue : update.enqueues()) {
            bytes += enqueue.payload().bytes();
        }
        return bytes;
    }

    /** Its group, or none of many, and its caller. */
    static Origin origin(Request request) {
        Object group = switch (request.command) {
            case Command.Update update -> update.group();
            case Command.Configure configure -> configure.queue().group();
            case Command.Peek peek -> peek.queue().group();
            case Command.Lease lease -> one(lease.selector());
            case Command.Watch watch -> one(watch.lease().selector());
            case Command.Delete delete -> one(delete.selector());
            case Command.ListQueues list -> one(list.selector());
            case Command.Describe describe -> one(describe.selector());
        };
        return new Origin(group, request.sink.caller());
    }

    private static Object one(Command.Selector selector) {
        return selector.group().isPresent() ? selector.group().get() : Optional.empty();
    }
}
