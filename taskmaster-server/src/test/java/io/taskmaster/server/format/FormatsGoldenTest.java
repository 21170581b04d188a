package io.taskmaster.server.format;

import static io.taskmaster.server.Golden.golden;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.dedup.DedupEntry;
import io.taskmaster.server.engine.dedup.DedupWindow;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.TimeHint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests of the stored formats of the engine's model against golden files: bytes that were ever written stay readable,
 * and are written the same way.
 */
final class FormatsGoldenTest {

    private static final long TICKET = 1L << 41;
    private static final QueueKey QUEUE =
            new QueueKey(GroupName.of("grüppe"), QueueName.wrap(new byte[] {'q', 0, 'x', (byte) 0xff}));
    private static final Pid PID = Pid.wrap(new byte[] {0, 'p', (byte) 0x80});
    private static final Payload PAYLOAD = new Payload(Bytes.wrap(new byte[] {0, 1, 2, (byte) 0xff}), Map.of("ä", "ö"));
    private static final Enqueued DATA = new Enqueued(PAYLOAD, 1_699_999_999_999L, 0);
    private static final Enqueued DELAYED = new Enqueued(PAYLOAD, 1_699_999_999_999L, 1_700_000_000_500L);
    private static final Grant GRANT = new Grant(300, 1_700_000_000_000L, 1_700_000_060_000L, "wörker", "10.0.0.1:99");
    private static final FifoPid FIFO = new FifoPid(1L << 40, -2);
    private static final RowKeys KEYS = new RowKeys(258);
    private static final TimeHint HINT = new TimeHint(1_700_000_060_000L, QUEUE, 7, PID, 300);

    @Test
    void atomKeepsItsFormat() {
        ApplyAtom atom = atomThatSets(new QueueOptions(true, 200, 300));
        assertThat(Bytes.wrap(new AtomCodec().encode(atom))).isEqualTo(golden("atom"));
        assertThat(AtomCodec.decode(TICKET, golden("atom"))).isEqualTo(atom);
    }

    @Test
    void atomOfBeforeThereWereWeightsIsRead() {
        assertThat(AtomCodec.decode(TICKET, golden("v2/atom"))).isEqualTo(atomThatSets(new QueueOptions(true, 200, 1)));
    }

    private static ApplyAtom atomThatSets(QueueOptions options) {
        return new ApplyAtom(
                TICKET,
                changes(
                        new Sizes(130, 2, 1),
                        new ApplyAtom.Put(PID, DATA),
                        new ApplyAtom.Move(PID, DELAYED, 2, DATA),
                        new ApplyAtom.Move(PID, DATA, 2, null),
                        new ApplyAtom.Remember(PID, GRANT, 3, DELAYED),
                        new ApplyAtom.Lease(PID, GRANT, 3, true),
                        new ApplyAtom.Free(PID, 200, true),
                        new ApplyAtom.Remove(Pid.EMPTY)),
                List.of(new ApplyAtom.OptionsChange(QUEUE, options)),
                new DedupEntry(QUEUE.group(), Bytes.of("id"), 1_700_000_000_000L, Bytes.of("reply")));
    }

    @Test
    void atomOfTheFirstVersionIsRead() {
        ApplyAtom atom = new ApplyAtom(
                TICKET,
                changes(
                        new Sizes(130, 2, 0),
                        new ApplyAtom.Put(PID, DATA),
                        new ApplyAtom.Lease(PID, GRANT, 3, false),
                        new ApplyAtom.Free(PID, 200, false),
                        new ApplyAtom.Remove(Pid.EMPTY)));
        assertThat(AtomCodec.decode(TICKET, golden("v1/atom"))).isEqualTo(atom);
        assertThat(AtomCodec.decode(5, golden("v1/atom-empty"))).isEqualTo(ApplyAtom.empty(5));
    }

    /** Returns the change of a queue to these sizes, and a new queue. */
    private static List<QueueChange> changes(Sizes sizes, ApplyAtom.TaskChange... tasks) {
        return List.of(
                new QueueChange(QUEUE, 7, false, sizes, FIFO, List.of(tasks)),
                new QueueChange(QueueKey.of("b"), TICKET, true, Sizes.NONE, FifoPid.NONE, List.of()));
    }

    @Test
    void emptyAtomKeepsItsFormat() {
        assertThat(Bytes.wrap(new AtomCodec().encode(ApplyAtom.empty(5)))).isEqualTo(golden("atom-empty"));
        assertThat(AtomCodec.decode(5, golden("atom-empty"))).isEqualTo(ApplyAtom.empty(5));
    }

    @Test
    void dataCellKeepsItsFormat() {
        assertThat(TaskCodec.encode(DELAYED)).isEqualTo(golden("task-data"));
        assertThat(TaskCodec.decode(golden("task-data"))).isEqualTo(DELAYED);
        assertThat(TaskCodec.decode(golden("v1/task-data"))).isEqualTo(DATA);
    }

    @Test
    void stateCellKeepsItsFormat() {
        TaskCodec.State leased = new TaskCodec.State(3, GRANT, true);
        TaskCodec.State available = new TaskCodec.State(200, null, false);
        assertThat(TaskCodec.encodeState(leased)).isEqualTo(golden("task-state-leased"));
        assertThat(TaskCodec.encodeState(available)).isEqualTo(golden("task-state-available"));
        assertThat(TaskCodec.decodeState(golden("task-state-leased"))).isEqualTo(leased);
        assertThat(TaskCodec.decodeState(golden("task-state-available"))).isEqualTo(available);
        assertThat(TaskCodec.decodeState(golden("v1/task-state-leased")))
                .isEqualTo(new TaskCodec.State(3, GRANT, false));
        assertThat(TaskCodec.decodeState(golden("v1/task-state-available"))).isEqualTo(available);
    }

    @Test
    void queueRecordKeepsItsFormat() {
        QueueRecord record = new QueueRecord(7, new Sizes(130, 2, 1), FIFO, PID);
        assertThat(QueueRecordCodec.encode(record)).isEqualTo(golden("queue-record"));
        assertThat(QueueRecordCodec.decode(golden("queue-record"))).isEqualTo(record);
        assertThat(QueueRecordCodec.decode(golden("v1/queue-record")))
                .isEqualTo(new QueueRecord(7, new Sizes(130, 2, 0), FIFO, PID));
    }

    @Test
    void optionsKeepTheirFormat() {
        QueueOptions options = new QueueOptions(true, 200, 300);
        assertThat(QueueRecordCodec.encode(options)).isEqualTo(golden("queue-options"));
        assertThat(QueueRecordCodec.decodeOptions(golden("queue-options"))).isEqualTo(options);
        assertThat(QueueRecordCodec.decodeOptions(golden("v1/queue-options")))
                .isEqualTo(new QueueOptions(true, 200, 1));
    }

    @Test
    void requestsKeepTheirFormat() {
        DedupWindow window = new DedupWindow(60_000);
        window.add(new DedupEntry(QUEUE.group(), Bytes.of("id"), 1_700_000_000_000L, Bytes.of("reply")));
        DedupWindow.Row row = window.take().getFirst();
        assertThat(QueueRecordCodec.encode(row)).isEqualTo(golden("requests"));
        assertThat(QueueRecordCodec.decodeRequests(golden("requests"))).isEqualTo(row.entries());
    }

    @Test
    void reapMarkKeepsItsFormat() {
        ReapMark mark = new ReapMark(QUEUE, 300);
        assertThat(QueueRecordCodec.encode(mark)).isEqualTo(golden("reap-mark"));
        assertThat(QueueRecordCodec.decodeMark(QUEUE, golden("reap-mark"))).isEqualTo(mark);
    }

    @Test
    void instantKeepsItsFormat() {
        assertThat(KEYS.instant(HINT).row()).isEqualTo(golden("instant-key"));
        assertThat(RowKeys.instantValue(HINT)).isEqualTo(golden("instant-value"));
        for (Bytes value : List.of(golden("instant-value"), golden("v1/instant-value"))) {
            assertThat(RowKeys.decodeInstant(golden("instant-key"), value)).isEqualTo(HINT);
        }
        assertThat(RowKeys.decodeInstant(golden("instant-key"), golden("instant-value"))
                        .dataBytes())
                .isEqualTo(300);
    }

    @Test
    void rowKeysKeepTheirFormat() {
        assertThat(KEYS.taskRow(false, QUEUE, 7, PID)).isEqualTo(golden("task-key"));
        assertThat(KEYS.taskRow(true, QUEUE, 7, PID)).isEqualTo(golden("delayed-task-key"));
        assertThat(KEYS.queueRecord(QUEUE).row()).isEqualTo(golden("queue-record-key"));
        assertThat(KEYS.reapMark(QUEUE).row()).isEqualTo(golden("reap-mark-key"));
        assertThat(KEYS.options(QUEUE).row()).isEqualTo(golden("queue-options-key"));
        assertThat(KEYS.requests(28_333_333, 7, 300, 2).row()).isEqualTo(golden("requests-key"));
        assertThat(RowKeys.queueOf(golden("queue-record-key"))).isEqualTo(QUEUE);
    }
}
