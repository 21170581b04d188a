package io.taskmaster.server.format;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The codec of the cells of a task row. The data cell holds the data of the enqueue. The state cell holds attempts and
 * lease, and is absent as long as there was no lease. Stateless.
 */
public final class TaskCodec {

    private static final int DATA_VERSION = 2;
    private static final int STATE_VERSION = 2;

    private static final int LEASED = 1;
    private static final int REMEMBERS = 2;

    private TaskCodec() {}

    /**
     * The content of the state cell.
     *
     * @param grant null: not leased
     * @param remembers whether there is a cell with a rerun, which takes the task's place when it is dequeued
     */
    public record State(int attempt, @Nullable Grant grant, boolean remembers) {

        /** The state that an absent cell means. */
        public static final State NEW = new State(0, null, false);
    }

    /** Encodes the data cell, or that of a rerun. */
    public static Bytes encode(Enqueued data) {
        Payload payload = data.payload();
        ByteWriter out =
                new ByteWriter(payload.bytes() + 32 + 8 * payload.headers().size());
        out.octet(DATA_VERSION);
        writeEnqueued(out, data);
        return Bytes.wrap(out.finish());
    }

    public static Enqueued decode(Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        Enqueued data = in.version(1, DATA_VERSION) == 1 ? readEnqueuedAtOnce(in) : readEnqueued(in);
        in.end();
        return data;
    }

    public static Bytes encodeState(State state) {
        Grant grant = state.grant();
        ByteWriter out = new ByteWriter(96);
        out.octet(STATE_VERSION).varint(state.attempt());
        out.octet((grant == null ? 0 : LEASED) | (state.remembers() ? REMEMBERS : 0));
        if (grant != null) {
            writeGrant(out, grant);
        }
        return Bytes.wrap(out.finish());
    }

    public static State decodeState(Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        in.version(1, STATE_VERSION);
        int attempt = in.varint32();
        int flags = in.octet();
        Grant grant = (flags & LEASED) == 0 ? null : readGrant(in);
        in.end();
        return new State(attempt, grant, (flags & REMEMBERS) != 0);
    }

    static void writeEnqueued(ByteWriter out, Enqueued data) {
        out.varint(data.enqueuedMillis()).varint(data.notBeforeMillis());
        writePayload(out, data.payload());
    }

    static Enqueued readEnqueued(ByteReader in) {
        long enqueued = in.varint();
        long notBefore = in.varint();
        return new Enqueued(readPayload(in), enqueued, notBefore);
    }

    /** Reads data of a version that had no delays. */
    static Enqueued readEnqueuedAtOnce(ByteReader in) {
        long enqueued = in.varint();
        return new Enqueued(readPayload(in), enqueued, 0);
    }

    static void writePayload(ByteWriter out, Payload payload) {
        out.varint(payload.headers().size());
        for (Map.Entry<String, String> header : payload.headers().entrySet()) {
            out.sized(header.getKey()).sized(header.getValue());
        }
        out.sized(payload.data());
    }

    static Payload readPayload(ByteReader in) {
        int count = in.count();
        Map<String, String> headers = count == 0 ? Map.of() : new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put(in.text(), in.text());
        }
        return new Payload(Bytes.wrap(in.sized()), headers);
    }

    static void writeGrant(ByteWriter out, Grant grant) {
        out.varint(grant.leaseId()).varint(grant.leasedMillis()).varint(grant.expiresMillis());
        out.sized(grant.worker()).sized(grant.address());
    }

    static Grant readGrant(ByteReader in) {
        return new Grant(in.varint(), in.varint(), in.varint(), in.text(), in.text());
    }
}
