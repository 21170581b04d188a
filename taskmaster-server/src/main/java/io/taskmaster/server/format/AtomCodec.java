package io.taskmaster.server.format;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.ApplyAtom;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.FifoPid;
import io.taskmaster.server.engine.Grant;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes and ApplyAtoms. The ticket is not part of the bytes: the log keeps it beside them. Single-threaded: it encodes into one
 * buffer again and again.
 */
public final class AtomCodec {

    private static final int VERSION = 1;
    private static final int PUT = 1;
    private static final int LEASE = 2;
    private static final int FREE = 3;
    private static final int REMOVE = 4;

    private final ByteWriter out = new ByteWriter(4096);

    public byte[] encode(ApplyAtom atom) {
        out.reset();
        out.octet(VERSION).varint(atom.queues().size());
        for (QueueChange change : atom.queues()) {
            encode(change);
        }
        return out.copy();
    }

    private void encode(QueueChange change) {
        out.sized(change.queue().group()).sized(change.queue().name());
        out.varint(change.generation()).octet(change.reap() ? 1 : 0);
        out.varint(change.available()).varint(change.leased());
        out.varint(change.maxFifo().ticket()).varint(change.maxFifo().index() & 0xffff_ffffL);
        out.varint(change.tasks().size());
        for (TaskChange task : change.tasks()) {
            encode(task);
        }
    }

    private void encode(TaskChange change) {
        switch (change) {
            case ApplyAtom.Put put -> {
                out.octet(PUT).sized(put.pid()).varint(put.enqueuedMillis());
                TaskCodec.writePayload(out, put.payload());
            }
            case ApplyAtom.Lease lease -> {
                out.octet(LEASE).sized(lease.pid()).varint(lease.attempt());
                TaskCodec.writeGrant(out, lease.grant());
            }
            case ApplyAtom.Free free -> out.octet(FREE).sized(free.pid()).varint(free.attempt());
            case ApplyAtom.Remove remove -> out.octet(REMOVE).sized(remove.pid());
        }
    }

    public static ApplyAtom decode(long ticket, Bytes bytes) {
        ByteReader in = new ByteReader(bytes.unsafeArray());
        in.version(VERSION);
        int count = in.count();
        List<QueueChange> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            changes.add(decodeQueue(in));
        }
        in.end();
        return new ApplyAtom(ticket, changes);
    }

    private static QueueChange decodeQueue(ByteReader in) {
        QueueKey queue = new QueueKey(GroupName.wrap(in.sized()), QueueName.wrap(in.sized()));
        long generation = in.varint();
        boolean reap = in.octet() != 0;
        long available = in.varint();
        long leased = in.varint();
        FifoPid maxFifo = new FifoPid(in.varint(), (int) in.varint());
        int count = in.count();
        List<TaskChange> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tasks.add(decodeTask(in));
        }
        return new QueueChange(queue, generation, reap, available, leased, maxFifo, tasks);
    }

    private static TaskChange decodeTask(ByteReader in) {
        int kind = in.octet();
        Pid pid = Pid.wrap(in.sized());
        return switch (kind) {
            case PUT -> {
                long enqueued = in.varint();
                yield new ApplyAtom.Put(pid, TaskCodec.readPayload(in), enqueued);
            }
            case LEASE -> {
                int attempt = in.varint32();
                Grant grant = TaskCodec.readGrant(in);
                yield new ApplyAtom.Lease(pid, grant, attempt);
            }
            case FREE -> new ApplyAtom.Free(pid, in.varint32());
            case REMOVE -> new ApplyAtom.Remove(pid);
            default -> throw new CorruptRecordException("task change: kind " + kind + " (expected: 1 to 4)");
        };
    }
}
