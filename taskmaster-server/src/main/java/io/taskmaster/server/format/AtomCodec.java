package io.taskmaster.server.format;

import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.dedup.DedupEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The codec of {@link ApplyAtom}. The ticket is not part of the bytes: the log keeps it beside them. Single-threaded:
 * it reuses one buffer, except for large atoms.
 */
public final class AtomCodec {

    private static final int VERSION = 3;

    /** The first version whose options have a weight. */
    private static final int WEIGHED = 3;

    private static final int PUT = 1;
    private static final int LEASE = 2;
    private static final int FREE = 3;
    private static final int REMOVE = 4;
    private static final int MOVE = 5;
    private static final int REMEMBER = 6;

    /**
     * The size of a buffer that is kept. There are hundreds of partitions, and each has had a large atom sooner or
     * later.
     */
    private static final int MAX_REUSED_BYTES = 1 << 20;

    /** The bound on the initial size of a buffer, whatever is expected. */
    private static final int MAX_EXPECTED_BYTES = 64 << 20;

    /** An estimate of the bytes of a change, beside its data. */
    private static final int CHANGE_BYTES = 64;

    private final ByteWriter reused = new ByteWriter(4096);
    private ByteWriter out = reused;

    public byte[] encode(ApplyAtom atom) {
        long expected = expectedBytes(atom);
        reused.reset();
        out = expected > MAX_REUSED_BYTES ? new ByteWriter((int) Math.min(expected, MAX_EXPECTED_BYTES)) : reused;
        write(atom);
        byte[] bytes = out.copy();
        out = reused;
        return bytes;
    }

    private static long expectedBytes(ApplyAtom atom) {
        long bytes = 0;
        for (QueueChange change : atom.queues()) {
            List<TaskChange> tasks = change.tasks();
            bytes += CHANGE_BYTES;
            for (int i = 0; i < tasks.size(); i++) {
                TaskChange task = tasks.get(i);
                bytes += CHANGE_BYTES + task.pid().size();
                bytes += switch (task) {
                    case ApplyAtom.Put put -> put.data().payload().bytes();
                    case ApplyAtom.Move move -> move.data().payload().bytes();
                    case ApplyAtom.Remember remember ->
                        remember.rerun().payload().bytes();
                    case ApplyAtom.Lease _, ApplyAtom.Free _, ApplyAtom.Remove _ -> 0;
                };
            }
        }
        return bytes;
    }

    private void write(ApplyAtom atom) {
        out.octet(VERSION).varint(atom.queues().size());
        for (QueueChange change : atom.queues()) {
            encode(change);
        }
        out.varint(atom.options().size());
        for (OptionsChange change : atom.options()) {
            out.sized(change.queue().group()).sized(change.queue().name());
            writeOptions(out, change.options());
        }
        DedupEntry dedupEntry = atom.dedupEntry();
        out.octet(dedupEntry == null ? 0 : 1);
        if (dedupEntry != null) {
            out.sized(dedupEntry.group())
                    .sized(dedupEntry.requestId())
                    .varint(dedupEntry.millis())
                    .sized(dedupEntry.reply());
        }
    }

    private void encode(QueueChange change) {
        out.sized(change.queue().group()).sized(change.queue().name());
        out.varint(change.generation()).octet(change.reap() ? 1 : 0);
        Sizes sizes = change.sizes();
        out.varint(sizes.available()).varint(sizes.leased()).varint(sizes.delayed());
        out.varint(change.maxFifo().ticket()).varint(change.maxFifo().index() & 0xffff_ffffL);
        out.varint(change.tasks().size());
        for (TaskChange task : change.tasks()) {
            encode(task);
        }
    }

    private void encode(TaskChange change) {
        switch (change) {
            case ApplyAtom.Put put -> {
                out.octet(PUT).sized(put.pid());
                TaskCodec.writeEnqueued(out, put.data());
            }
            case ApplyAtom.Move move -> {
                Enqueued rerun = move.rerun();
                out.octet(MOVE).sized(move.pid()).varint(move.attempt()).octet(rerun == null ? 0 : 1);
                TaskCodec.writeEnqueued(out, move.data());
                if (rerun != null) {
                    TaskCodec.writeEnqueued(out, rerun);
                }
            }
            case ApplyAtom.Remember remember -> {
                out.octet(REMEMBER).sized(remember.pid()).varint(remember.attempt());
                TaskCodec.writeGrant(out, remember.grant());
                TaskCodec.writeEnqueued(out, remember.rerun());
            }
            case ApplyAtom.Lease lease -> {
                out.octet(LEASE).sized(lease.pid()).varint(lease.attempt());
                TaskCodec.writeGrant(out, lease.grant());
                out.octet(lease.remembers() ? 1 : 0);
            }
            case ApplyAtom.Free free -> {
                out.octet(FREE).sized(free.pid()).varint(free.attempt());
                out.octet(free.remembers() ? 1 : 0);
            }
            case ApplyAtom.Remove remove -> out.octet(REMOVE).sized(remove.pid());
        }
    }

    public static ApplyAtom decode(long ticket, Bytes bytes) {
        ByteReader in = new ByteReader(bytes.unsafeArray());
        int version = in.version(1, VERSION);
        int count = in.count();
        List<QueueChange> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            changes.add(decodeQueue(in, version));
        }
        if (version == 1) {
            in.end();
            return new ApplyAtom(ticket, changes);
        }
        int configured = in.count();
        List<OptionsChange> options = new ArrayList<>(configured);
        for (int i = 0; i < configured; i++) {
            options.add(new OptionsChange(readQueue(in), readOptions(in, version >= WEIGHED)));
        }
        DedupEntry dedupEntry = in.octet() == 0
                ? null
                : new DedupEntry(
                        GroupName.wrap(in.sized()), Bytes.wrap(in.sized()), in.varint(), Bytes.wrap(in.sized()));
        in.end();
        return new ApplyAtom(ticket, changes, options, dedupEntry);
    }

    private static QueueKey readQueue(ByteReader in) {
        return new QueueKey(GroupName.wrap(in.sized()), QueueName.wrap(in.sized()));
    }

    /** Writes the options of a queue, in an atom or in a cell of their own. */
    static void writeOptions(ByteWriter out, QueueOptions options) {
        out.octet(options.paused() ? 1 : 0).varint(options.maxLeased()).varint(options.weight());
    }

    /**
     * Reads the options of a queue.
     *
     * @param weighed whether they were written by a version with weights
     */
    static QueueOptions readOptions(ByteReader in, boolean weighed) {
        return new QueueOptions(in.octet() != 0, in.varint(), weighed ? (int) in.varint() : QueueOptions.NONE.weight());
    }

    private static QueueChange decodeQueue(ByteReader in, int version) {
        QueueKey queue = readQueue(in);
        long generation = in.varint();
        boolean reap = in.octet() != 0;
        Sizes sizes = readSizes(in, version);
        FifoPid maxFifo = new FifoPid(in.varint(), (int) in.varint());
        int count = in.count();
        List<TaskChange> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tasks.add(decodeTask(in, version));
        }
        return new QueueChange(queue, generation, reap, sizes, maxFifo, tasks);
    }

    /** Reads the sizes of a queue, in an atom or in its record. Version 1 of both had no delays. */
    static Sizes readSizes(ByteReader in, int version) {
        return new Sizes(in.varint(), in.varint(), version == 1 ? 0 : in.varint());
    }

    private static TaskChange decodeTask(ByteReader in, int version) {
        int kind = in.octet();
        Pid pid = Pid.wrap(in.sized());
        return switch (kind) {
            case PUT ->
                new ApplyAtom.Put(pid, version == 1 ? TaskCodec.readEnqueuedAtOnce(in) : TaskCodec.readEnqueued(in));
            case LEASE -> {
                int attempt = in.varint32();
                Grant grant = TaskCodec.readGrant(in);
                yield new ApplyAtom.Lease(pid, grant, attempt, version > 1 && in.octet() != 0);
            }
            case FREE -> new ApplyAtom.Free(pid, in.varint32(), version > 1 && in.octet() != 0);
            case REMOVE -> new ApplyAtom.Remove(pid);
            case MOVE -> {
                int attempt = in.varint32();
                boolean hasRerun = in.octet() != 0;
                Enqueued data = TaskCodec.readEnqueued(in);
                yield new ApplyAtom.Move(pid, data, attempt, hasRerun ? TaskCodec.readEnqueued(in) : null);
            }
            case REMEMBER -> {
                int attempt = in.varint32();
                Grant grant = TaskCodec.readGrant(in);
                yield new ApplyAtom.Remember(pid, grant, attempt, TaskCodec.readEnqueued(in));
            }
            default -> throw new CorruptRecordException("task change: kind " + kind + " (expected: 1 to 6)");
        };
    }
}
