package io.taskmaster.server.partition.admit;

import io.taskmaster.command.Command;
import io.taskmaster.server.partition.commit.Request;
import io.taskmaster.server.partition.fair.FairQueue.Origin;
import java.util.Optional;

/** The cost of requests before they are decided, in bytes of the log, and the origin that is charged. Stateless. */
final class RequestCosts {

    /** The cost of an empty request: it has to be decided and answered. */
    static final long REQUEST_BYTES = 128;

    /** The cost of an element of an update without its data: about the size of its names and numbers. */
    static final long ELEMENT_BYTES = 64;

    private RequestCosts() {}

    /**
     * Returns about as many bytes as the command will add to the log, if that is known. The bytes of a lease depend on
     * the tasks that it finds.
     */
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

    /** Returns the group of a request, one shared by all requests without a group, and its caller. */
    static Origin origin(Request request) {
        Object group = switch (request.command()) {
            case Command.Update update -> update.group();
            case Command.Configure configure -> configure.queue().group();
            case Command.Peek peek -> peek.queue().group();
            case Command.Lease lease -> groupOf(lease.selector());
            case Command.Watch watch -> groupOf(watch.lease().selector());
            case Command.Delete delete -> groupOf(delete.selector());
            case Command.ListQueues list -> groupOf(list.selector());
            case Command.Describe describe -> groupOf(describe.selector());
        };
        return new Origin(group, request.sink().caller());
    }

    private static Object groupOf(Command.Selector selector) {
        return selector.group().isPresent() ? selector.group().get() : Optional.empty();
    }
}
