package io.taskmaster.server.format;

import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.engine.state.TimeHint;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Table;
import java.io.ByteArrayOutputStream;

/**
 * The row keys of one partition, in an order that is that of the model: queues by group and name, then generation, then
 * PID; instants by time. Delayed tasks have a place of their own, in the same order. Names are escaped (0 becomes 0
 * 255) and terminated (0 1), so that one that is a prefix of another comes first. Immutable.
 */
public final class RowKeys {

    /** The columns of a task row. */
    public static final int DATA = 0;

    public static final int STATE = 1;
    public static final int RERUN = 2;

    private static final int DELAYED = 'd';
    private static final int TIME = 't';
    private static final int QUEUE = 'q';
    private static final int REAP = 'r';
    private static final int OPTIONS = 'o';
    private static final int REQUESTS = 'i';

    private final int partition;

    public RowKeys(int partition) {
        this.partition = partition;
    }

    /** Returns the key of a cell of a task row, in the place of delayed tasks or in that of the others. */
    public CellKey task(boolean delayed, QueueKey queue, long generation, Pid pid, int column) {
        return new CellKey(place(delayed), taskRow(delayed, queue, generation, pid), column);
    }

    public Bytes taskRow(boolean delayed, QueueKey queue, long generation, Pid pid) {
        ByteWriter out = writer(queue, pid.size());
        if (delayed) {
            out.octet(DELAYED);
        }
        name(out, queue);
        return Bytes.wrap(out.ordered(generation).raw(pid.unsafeArray()).finish());
    }

    public static Table place(boolean delayed) {
        return delayed ? Table.DELAYED : Table.TASKS;
    }

    /** Returns the range of the tasks of a generation from a PID on. */
    public RowRange tasksFrom(boolean delayed, QueueKey queue, long generation, Pid from) {
        return new RowRange(
                place(delayed),
                taskRow(delayed, queue, generation, from),
                taskRow(delayed, queue, generation + 1, Pid.EMPTY));
    }

    /** Returns the range of the tasks of all generations before one. */
    public RowRange tasksBelow(boolean delayed, QueueKey queue, long generation) {
        return new RowRange(
                place(delayed), taskRow(delayed, queue, 0, Pid.EMPTY), taskRow(delayed, queue, generation, Pid.EMPTY));
    }

    /** Returns the offset of the PID in the task rows of a queue. */
    public int pidOffset(boolean delayed, QueueKey queue) {
        return taskRow(delayed, queue, 0, Pid.EMPTY).size();
    }

    /** Returns the length of the longest row that a task may need: that of the instant at which it fires. */
    public static int longestRow(QueueKey queue, Pid pid) {
        TimeHint hint = new TimeHint(0, queue, 0, pid, 0);
        return new RowKeys(0).instant(hint).row().size();
    }

    public CellKey instant(TimeHint hint) {
        ByteWriter out = writer(hint.queue(), hint.pid().size() + 2 * Long.BYTES);
        out.octet(TIME).ordered(hint.millis());
        name(out, hint.queue());
        out.ordered(hint.generation()).raw(hint.pid().unsafeArray());
        return new CellKey(Table.DELAYED, Bytes.wrap(out.finish()), 0);
    }

    /** Returns the range of all instants from one on. */
    public RowRange instantsFrom(TimeHint hint) {
        return new RowRange(Table.DELAYED, instant(hint).row(), prefix(TIME + 1));
    }

    /** Returns the value of an instant's cell. */
    public static Bytes instantValue(TimeHint hint) {
        return Bytes.wrap(new ByteWriter(16).octet(2).varint(hint.dataBytes()).finish());
    }

    public static TimeHint decodeInstant(Bytes row, Bytes value) {
        ByteReader cell = new ByteReader(value.unsafeArray());
        int version = cell.version(1, 2);
        long number = cell.varint();
        // Version 1 had the lease id there, which adds nothing to what the task itself says.
        int dataBytes = version == 1 ? 0 : (int) Math.min(number, Integer.MAX_VALUE);
        ByteReader in = new ByteReader(row.unsafeArray());
        skipPartitionAndKind(in);
        long millis = in.ordered();
        QueueKey queue = readName(in);
        long generation = in.ordered();
        return new TimeHint(millis, queue, generation, Pid.wrap(in.remaining()), dataBytes);
    }

    public CellKey queueRecord(QueueKey queue) {
        return meta(QUEUE, queue);
    }

    public RowRange queueRecords() {
        return new RowRange(Table.META, prefix(QUEUE), prefix(QUEUE + 1));
    }

    public CellKey reapMark(QueueKey queue) {
        return meta(REAP, queue);
    }

    public RowRange reapMarks() {
        return new RowRange(Table.META, prefix(REAP), prefix(REAP + 1));
    }

    public CellKey options(QueueKey queue) {
        return meta(OPTIONS, queue);
    }

    public RowRange allOptions() {
        return new RowRange(Table.META, prefix(OPTIONS), prefix(OPTIONS + 1));
    }

    /**
     * Returns the key of a row of remembered requests. No two rows of a partition are ever the same.
     *
     * @param index in its round
     */
    public CellKey requests(long minute, long epoch, long round, int index) {
        ByteWriter out = new ByteWriter(3 + 4 * Long.BYTES).raw(prefix(REQUESTS).unsafeArray());
        out.ordered(minute).ordered(epoch).ordered(round).ordered(index);
        return new CellKey(Table.META, Bytes.wrap(out.finish()), 0);
    }

    /** Returns the range of remembered requests of a minute and of all that follow. */
    public RowRange requestsFrom(long minute) {
        return new RowRange(Table.META, minuteRow(minute), prefix(REQUESTS + 1));
    }

    /** Returns the range of remembered requests of all minutes before one. */
    public RowRange requestsBelow(long minute) {
        return new RowRange(Table.META, prefix(REQUESTS), minuteRow(minute));
    }

    private Bytes minuteRow(long minute) {
        return Bytes.wrap(new ByteWriter(3 + Long.BYTES)
                .raw(prefix(REQUESTS).unsafeArray())
                .ordered(minute)
                .finish());
    }

    /** Returns the queue in the row of a queue record, a reap mark or options. */
    public static QueueKey queueOf(Bytes metaRow) {
        ByteReader in = new ByteReader(metaRow.unsafeArray());
        skipPartitionAndKind(in);
        QueueKey queue = readName(in);
        in.end();
        return queue;
    }

    private CellKey meta(int kind, QueueKey queue) {
        ByteWriter out = writer(queue, 0);
        out.octet(kind);
        name(out, queue);
        return new CellKey(Table.META, Bytes.wrap(out.finish()), 0);
    }

    private Bytes prefix(int kind) {
        return Bytes.wrap(new byte[] {(byte) (partition >>> 8), (byte) partition, (byte) kind});
    }

    private ByteWriter writer(QueueKey queue, int more) {
        int expected = queue.group().size() + queue.name().size() + more + 24;
        return new ByteWriter(expected).octet(partition >>> 8).octet(partition);
    }

    private static void name(ByteWriter out, QueueKey queue) {
        escaped(out, queue.group());
        escaped(out, queue.name());
    }

    private static void escaped(ByteWriter out, ByteSequence name) {
        for (byte octet : name.unsafeArray()) {
            out.octet(octet);
            if (octet == 0) {
                out.octet(0xff);
            }
        }
        out.octet(0).octet(1);
    }

    private static void skipPartitionAndKind(ByteReader in) {
        in.octet();
        in.octet();
        in.octet();
    }

    private static QueueKey readName(ByteReader in) {
        GroupName group = GroupName.wrap(unescaped(in));
        return new QueueKey(group, QueueName.wrap(unescaped(in)));
    }

    private static byte[] unescaped(ByteReader in) {
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        while (true) {
            int octet = in.octet();
            if (octet == 0) {
                int escape = in.octet();
                if (escape == 1) {
                    return name.toByteArray();
                }
                if (escape != 0xff) {
                    throw new CorruptRecordException("escape in a row: " + escape + " (expected: 1 or 255)");
                }
            }
            name.write(octet);
        }
    }
}
