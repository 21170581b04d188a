package io.taskmaster.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.dedup.DedupEntry;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.TimeHint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests of the stored formats on seeded random values: round trips, order, and the refusal of corrupt bytes. */
final class FormatsTest {

    private static final int ROUNDS = 600;

    private final Random random = new Random(42);
    private final AtomCodec atoms = new AtomCodec();

    @Test
    void whateverIsEncodedIsDecodedAgain() {
        for (int i = 0; i < ROUNDS; i++) {
            ApplyAtom atom = atom();
            assertThat(AtomCodec.decode(atom.ticket(), Bytes.wrap(atoms.encode(atom))))
                    .isEqualTo(atom);
            Enqueued data = enqueued();
            assertThat(TaskCodec.decode(TaskCodec.encode(data))).isEqualTo(data);
            TaskCodec.State state =
                    new TaskCodec.State(attempt(), random.nextBoolean() ? grant() : null, random.nextBoolean());
            assertThat(TaskCodec.decodeState(TaskCodec.encodeState(state))).isEqualTo(state);
            QueueRecord record = new QueueRecord(number(), sizes(), fifo(), pid());
            assertThat(QueueRecordCodec.decode(QueueRecordCodec.encode(record))).isEqualTo(record);
            ReapMark mark = new ReapMark(queue(), number());
            assertThat(QueueRecordCodec.decodeMark(mark.queue(), QueueRecordCodec.encode(mark)))
                    .isEqualTo(mark);
            QueueOptions options = new QueueOptions(random.nextBoolean(), attempt(), 1 + random.nextInt(1_000));
            assertThat(QueueRecordCodec.decodeOptions(QueueRecordCodec.encode(options)))
                    .isEqualTo(options);
            TimeHint hint = hint();
            RowKeys keys = new RowKeys(random.nextInt(1 << 16));
            assertThat(RowKeys.decodeInstant(keys.instant(hint).row(), RowKeys.instantValue(hint)))
                    .isEqualTo(hint);
            assertThat(RowKeys.queueOf(keys.queueRecord(hint.queue()).row())).isEqualTo(hint.queue());
            assertThat(RowKeys.queueOf(keys.reapMark(hint.queue()).row())).isEqualTo(hint.queue());
            boolean delayed = random.nextBoolean();
            Bytes row = keys.taskRow(delayed, hint.queue(), hint.generation(), hint.pid());
            assertThat(Arrays.copyOfRange(row.unsafeArray(), keys.pidOffset(delayed, hint.queue()), row.size()))
                    .isEqualTo(hint.pid().unsafeArray());
        }
    }

    @Test
    void rowsAreInTheOrderOfTheModel() {
        RowKeys keys = new RowKeys(7);
        List<TimeHint> hints = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            hints.add(hint());
        }
        Comparator<TimeHint> byTask = Comparator.comparing(TimeHint::queue)
                .thenComparingLong(TimeHint::generation)
                .thenComparing(TimeHint::pid);
        Comparator<TimeHint> byTime = Comparator.comparingLong(TimeHint::millis).thenComparing(byTask);
        checkOrder(hints, byTask, hint -> keys.taskRow(false, hint.queue(), hint.generation(), hint.pid()));
        checkOrder(hints, byTime, hint -> keys.instant(hint).row());
        checkOrder(
                hints,
                Comparator.comparing(TimeHint::queue),
                hint -> keys.queueRecord(hint.queue()).row());
    }

    @Test
    void aQueueThatIsThePrefixOfAnotherKeepsItsRowsToItself() {
        RowKeys keys = new RowKeys(7);
        QueueKey queue = QueueKey.of("g", "q");
        var range = keys.tasksFrom(false, queue, 3, Pid.EMPTY);
        for (QueueKey other : List.of(
                QueueKey.of("g", "q\0"), QueueKey.of("g", "qq"), QueueKey.of("g\0", "q"), QueueKey.of("gq", ""))) {
            Bytes row = keys.taskRow(false, other, 3, Pid.of("a"));
            assertThat(row.compareTo(range.from()) < 0 || row.compareTo(range.to()) >= 0)
                    .isTrue();
        }
        assertThat(keys.taskRow(false, queue, 3, Pid.wrap(new byte[] {-1, -1}))).isLessThan(range.to());
    }

    @Test
    void whatNobodyWroteIsRefusedOrReadButNeverAnythingElse() {
        List<Supplier<byte[]>> written = List.of(
                () -> atoms.encode(atom()),
                () -> TaskCodec.encode(enqueued()).toByteArray(),
                () -> TaskCodec.encodeState(new TaskCodec.State(attempt(), grant(), random.nextBoolean()))
                        .toByteArray(),
                () -> QueueRecordCodec.encode(new QueueRecord(number(), sizes(), fifo(), pid()))
                        .toByteArray(),
                () -> new RowKeys(1).instant(hint()).row().toByteArray(),
                () -> new byte[random.nextInt(40)]);
        for (int i = 0; i < 10 * ROUNDS; i++) {
            byte[] bytes = mutated(written.get(random.nextInt(written.size())).get());
            Bytes cell = Bytes.wrap(bytes);
            readOrRefuse(() -> AtomCodec.decode(1, cell), bytes);
            readOrRefuse(() -> TaskCodec.decode(cell), bytes);
            readOrRefuse(() -> TaskCodec.decodeState(cell), bytes);
            readOrRefuse(() -> QueueRecordCodec.decode(cell), bytes);
            readOrRefuse(() -> QueueRecordCodec.decodeMark(QueueKey.of("q"), cell), bytes);
            readOrRefuse(() -> RowKeys.decodeInstant(cell, Bytes.wrap(new byte[] {1, 5})), bytes);
            readOrRefuse(
                    () -> RowKeys.decodeInstant(new RowKeys(1).instant(hint()).row(), cell), bytes);
            readOrRefuse(() -> RowKeys.queueOf(cell), bytes);
        }
    }

    private static void readOrRefuse(Supplier<Object> decode, byte[] bytes) {
        try {
            assertThat(decode.get()).isNotNull();
        } catch (CorruptRecordException refused) {
            assertThat(refused).hasMessageContaining(" ");
        } catch (RuntimeException | OutOfMemoryError other) {
            throw new AssertionError("decoding " + Arrays.toString(bytes), other);
        }
    }

    private byte[] mutated(byte[] bytes) {
        byte[] mutated = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 5)) : bytes;
        for (int i = random.nextInt(4); i > 0 && mutated.length > 0; i--) {
            mutated[random.nextInt(mutated.length)] = (byte) (random.nextBoolean() ? 0xff : random.nextInt());
        }
        return mutated;
    }

    private static void checkOrder(List<TimeHint> hints, Comparator<TimeHint> order, Function<TimeHint, Bytes> row) {
        for (int i = 1; i < hints.size(); i++) {
            TimeHint a = hints.get(i - 1);
            TimeHint b = hints.get(i);
            assertThat(Integer.signum(row.apply(a).compareTo(row.apply(b))))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(order.compare(a, b)));
        }
    }

    // ---------------------------------------------------------------- random values

    private ApplyAtom atom() {
        List<QueueChange> queues = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            List<TaskChange> tasks = new ArrayList<>();
            for (int j = random.nextInt(4); j > 0; j--) {
                tasks.add(
                        switch (random.nextInt(6)) {
                            case 0 -> new ApplyAtom.Put(pid(), enqueued());
                            case 3 ->
                                new ApplyAtom.Move(
                                        pid(), enqueued(), attempt(), random.nextBoolean() ? enqueued() : null);
                            case 4 -> new ApplyAtom.Remember(pid(), grant(), attempt(), enqueued());
                            case 1 -> new ApplyAtom.Lease(pid(), grant(), attempt(), random.nextBoolean());
                            case 2 -> new ApplyAtom.Free(pid(), attempt(), random.nextBoolean());
                            default -> new ApplyAtom.Remove(pid());
                        });
            }
            queues.add(new QueueChange(queue(), number(), random.nextBoolean(), sizes(), fifo(), tasks));
        }
        List<OptionsChange> options = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            options.add(new OptionsChange(
                    queue(), new QueueOptions(random.nextBoolean(), attempt(), 1 + random.nextInt(1_000))));
        }
        DedupEntry dedupEntry = random.nextBoolean()
                ? null
                : new DedupEntry(queue().group(), Bytes.wrap(bytes(random.nextInt(64))), number(), Bytes.wrap(name()));
        return new ApplyAtom(number(), queues, options, dedupEntry);
    }

    private TimeHint hint() {
        return new TimeHint(number(), queue(), random.nextBoolean() ? 3 : number(), pid(), 0);
    }

    private Sizes sizes() {
        return new Sizes(number(), number(), number());
    }

    private Enqueued enqueued() {
        return new Enqueued(payload(), number(), random.nextBoolean() ? 0 : number());
    }

    private Payload payload() {
        Map<String, String> headers = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            headers.put("h" + random.nextInt(9), "ü".repeat(random.nextInt(3)));
        }
        return new Payload(Bytes.wrap(bytes(random.nextInt(200))), headers);
    }

    private Grant grant() {
        return new Grant(number(), number(), number(), "w".repeat(random.nextInt(4)), "a:" + random.nextInt(9));
    }

    private FifoPid fifo() {
        return new FifoPid(number(), random.nextInt());
    }

    /** Returns a key of few bytes, so that many are equal, prefixes of each other, or zero. */
    private QueueKey queue() {
        return new QueueKey(GroupName.wrap(name()), QueueName.wrap(name()));
    }

    private Pid pid() {
        return Pid.wrap(name());
    }

    private byte[] name() {
        byte[] some = {0, 1, 'a', (byte) 0xff};
        byte[] name = new byte[random.nextInt(4)];
        for (int i = 0; i < name.length; i++) {
            name[i] = some[random.nextInt(some.length)];
        }
        return name;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private int attempt() {
        return random.nextInt() >>> random.nextInt(1, 31);
    }

    /** Returns a number of any length, never negative. */
    private long number() {
        return random.nextLong() >>> random.nextInt(1, 64);
    }
}
