package io.taskmaster.server.format;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.engine.Command.Payload;
import io.taskmaster.server.engine.Grant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes and the cells of a task row. The data cell holds what an enqueue gave; the state cell what leases made of it, and is absent
 * as long as there was none.
 */
public final class TaskCodec {

    private static final int DATA_VERSION = 1;
    private static final int STATE_VERSION = 1;

    private TaskCodec() {}

    /** The data cell. */
    public record Data(Payload payload, long enqueuedMillis) {}

    /**
     * The state cell.
     *
     * @param grant null: available
     */
    public record State(int attempt, @Nullable Grant grant) {

        /** What an absent cell means. */
        public static final State NEW = new State(0, null);
    }

    public static Bytes encodeData(Payload payload, long enqueuedMillis) {
        ByteWriter out =
                new ByteWriter(payload.bytes() + 32 + 8 * payload.headers().size());
        out.octet(DATA_VERSION).varint(enqueuedMillis);
        writePayload(out, payload);
        return Bytes.wrap(out.finish());
    }

    public static Data decodeData(Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        in.version(DATA_VERSION);
        long enqueued = in.varint();
        Payload payload = readPayload(in);
        in.end();
        return new Data(payload, enqueued);
    }

    public static Bytes encodeState(State state) {
        Grant grant = state.grant();
        ByteWriter out = new ByteWriter(96);
        out.octet(STATE_VERSION).varint(state.attempt()).octet(grant == null ? 0 : 1);
        if (grant != null) {
            writeGrant(out, grant);
        }
        return Bytes.wrap(out.finish());
    }

    public static State decodeState(Bytes cell) {
        ByteReader in = new ByteReader(cell.unsafeArray());
        in.version(STATE_VERSION);
        int attempt = in.varint32();
        Grant grant = in.octet() == 0 ? null : readGrant(in);
        in.end();
        return new State(attempt, grant);
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
