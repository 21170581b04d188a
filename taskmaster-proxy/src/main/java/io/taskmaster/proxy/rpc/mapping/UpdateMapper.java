package io.taskmaster.proxy.rpc.mapping;

import com.google.protobuf.ByteString;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Mapping of updates to commands. It is on the hottest path of all: no streams, no copies of data. Thread-safe:
 * stateless.
 */
public final class UpdateMapper {

    /** The default duration of a lease. */
    static final long DEFAULT_LEASE_MILLIS = 60_000;

    private UpdateMapper() {}

    public static Command.Update map(UpdateRequest request) {
        ByteString requestId = request.getRequestId();
        if (requestId.size() > Limits.REQUEST_ID_BYTES) {
            throw Fields.invalid(
                    ErrorCode.REQUEST_ID_TOO_LONG,
                    "request_id",
                    requestId.size() + " bytes",
                    Fields.expectedAtMost(Limits.REQUEST_ID_BYTES));
        }
        ServiceClasses.check(request.getServiceClass());
        long elements = (long) request.getEnqueueCount()
                + request.getDequeueCount()
                + request.getRenewCount()
                + request.getReleaseCount();
        if (elements > Limits.UPDATE_ELEMENTS) {
            throw Fields.invalid(
                    ErrorCode.UPDATE_TOO_LARGE,
                    "update",
                    elements + " elements",
                    Fields.expectedAtMost(Limits.UPDATE_ELEMENTS));
        }
        var update = new Command.Update(
                Fields.group(request.getGroup(), "group"),
                mapped(request.getEnqueueList(), UpdateMapper::enqueue),
                mapped(request.getDequeueList(), UpdateMapper::dequeue),
                mapped(request.getRenewList(), UpdateMapper::renew),
                mapped(request.getReleaseList(), UpdateMapper::release),
                requestId.isEmpty() ? Optional.empty() : Optional.of(Bytes.wrap(ProtoBytes.arrayOf(requestId))));
        // After the elements, so that a single task that is too large is reported as such.
        if (request.getSerializedSize() > Limits.UPDATE_BYTES) {
            throw Fields.invalid(
                    ErrorCode.UPDATE_TOO_LARGE,
                    "update",
                    request.getSerializedSize() + " bytes",
                    Fields.expectedAtMost(Limits.UPDATE_BYTES));
        }
        return update;
    }

    /** Mapping of one element to its command; the index is for messages. */
    private interface ElementMapper<E, C> {

        C map(E element, int index);
    }

    private static <E, C> List<C> mapped(List<E> elements, ElementMapper<E, C> mapper) {
        int count = elements.size();
        if (count == 0) {
            return List.of();
        }
        if (count == 1) {
            return List.of(mapper.map(elements.getFirst(), 0));
        }
        var commands = new ArrayList<C>(count);
        for (int i = 0; i < count; i++) {
            commands.add(mapper.map(elements.get(i), i));
        }
        return commands;
    }

    private static Command.Enqueue enqueue(Enqueue element, int index) {
        Optional<Pid> pid = element.hasPid() ? Optional.of(enqueuedPid(element, index)) : Optional.empty();
        return new Command.Enqueue(
                Fields.queue(element.getQueue(), "enqueue[#].queue", index),
                pid,
                payload(element, index),
                ifExists(element.getIfExists(), index),
                element.hasNotBefore() ? Fields.timeMillis(element.getNotBefore(), "enqueue[#].not_before", index) : 0);
    }

    private static Pid enqueuedPid(Enqueue element, int index) {
        Pid pid = Fields.pid(element.getPid(), "enqueue[#].pid", index);
        if (FifoPid.isOutOfRange(pid)) {
            throw Fields.invalid(
                    ErrorCode.PID_OUT_OF_RANGE,
                    Fields.at("enqueue[#].pid", index),
                    pid.toString(),
                    "another PID, because this one leaves no room for assigned PIDs after it");
        }
        return pid;
    }

    private static Payload payload(Enqueue element, int index) {
        ByteString data = element.getData();
        if (data.size() > Limits.DATA_BYTES) {
            throw Fields.invalid(
                    ErrorCode.TASK_TOO_LARGE,
                    Fields.at("enqueue[#].data", index),
                    data.size() + " bytes",
                    Fields.expectedAtMost(Limits.DATA_BYTES));
        }
        Map<String, String> headers = element.getHeadersCount() == 0 ? Map.of() : headers(element, index);
        return new Payload(Bytes.wrap(ProtoBytes.arrayOf(data)), headers);
    }

    private static Map<String, String> headers(Enqueue element, int index) {
        if (element.getHeadersCount() > Limits.HEADER_ENTRIES) {
            throw Fields.invalid(
                    ErrorCode.HEADERS_TOO_LARGE,
                    Fields.at("enqueue[#].headers", index),
                    element.getHeadersCount() + " entries",
                    Fields.expectedAtMost(Limits.HEADER_ENTRIES));
        }
        Map<String, String> headers = element.getHeadersMap();
        long bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            bytes += Fields.utf8Length(header.getKey()) + Fields.utf8Length(header.getValue());
        }
        if (bytes > Limits.HEADER_BYTES) {
            throw Fields.invalid(
                    ErrorCode.HEADERS_TOO_LARGE,
                    Fields.at("enqueue[#].headers", index),
                    bytes + " bytes",
                    Fields.expectedAtMost(Limits.HEADER_BYTES));
        }
        return headers;
    }

    private static IfExists ifExists(io.taskmaster.v1.IfExists value, int index) {
        return switch (value) {
            case COLLAPSE -> IfExists.COLLAPSE;
            case REPLACE -> IfExists.REPLACE;
            case FAIL -> IfExists.FAIL;
            case RERUN -> IfExists.RERUN;
            case UNRECOGNIZED ->
                throw Fields.invalid(
                        ErrorCode.INVALID_FIELD,
                        Fields.at("enqueue[#].if_exists", index),
                        "unknown value",
                        "COLLAPSE, REPLACE, RERUN or FAIL");
        };
    }

    private static Command.Dequeue dequeue(Dequeue element, int index) {
        return new Command.Dequeue(
                Fields.queue(element.getQueue(), "dequeue[#].queue", index),
                Fields.pid(element.getPid(), "dequeue[#].pid", index),
                element.getLeaseId());
    }

    private static Command.Renew renew(Renew element, int index) {
        return new Command.Renew(
                Fields.queue(element.getQueue(), "renew[#].queue", index),
                Fields.pid(element.getPid(), "renew[#].pid", index),
                element.getLeaseId(),
                element.hasLease()
                        ? Fields.leaseMillis(element.getLease(), "renew[#].lease", index)
                        : DEFAULT_LEASE_MILLIS);
    }

    private static Command.Release release(Release element, int index) {
        return new Command.Release(
                Fields.queue(element.getQueue(), "release[#].queue", index),
                Fields.pid(element.getPid(), "release[#].pid", index),
                element.getLeaseId(),
                element.hasNotBefore() ? Fields.timeMillis(element.getNotBefore(), "release[#].not_before", index) : 0,
                element.getUntried());
    }
}
