package io.taskmaster.server.insight;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.taskmaster.command.Command;
import io.taskmaster.command.Counts;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.rank.BusiestQueues;
import io.taskmaster.server.engine.rank.QueueScan;
import io.taskmaster.server.partition.Node;
import io.taskmaster.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests of the recorded history of two partitions, step by step. */
final class InsightTest {

    private static final FamilyName A = family("a");
    private static final FamilyName B = family("b");

    private final SteppedClock clock = new SteppedClock();
    private final Flowing node = new Flowing();
    private final Insight insight = new Insight(node, clock, new WatchedQueues(2, Optional.empty()));

    @AfterEach
    void close() {
        insight.close();
    }

    @Test
    void theFirstLookHappenedInNoTime() throws Exception {
        node.show(0, node(A, 5, 100));
        step(10);
        assertThat(insight.history(Resolution.LAST_HOUR)).isEmpty();
        assertThat(insight.history(A, Resolution.LAST_HOUR)).isEmpty();
    }

    @Test
    void aStepIsWhatHappenedInAllPartitions() throws Exception {
        node.show(0, node(A, 5, 100));
        node.show(1, node(A, 5, 1_000));
        step(10);
        node.show(0, node(A, 7, 110), node(B, 1, 1));
        node.show(1, node(A, 3, 1_020));
        step(10);
        assertThat(insight.history(Resolution.LAST_HOUR)).containsExactly(point(20, 10, 11, 31));
        assertThat(insight.history(A, Resolution.LAST_HOUR)).hasValue(List.of(point(20, 10, 10, 30)));
        assertThat(insight.history(B, Resolution.LAST_HOUR)).hasValue(List.of(point(20, 10, 1, 1)));
    }

    @Test
    void aPartitionThatIsOpenedAnewHasNotUndoneAnything() throws Exception {
        node.show(0, node(A, 5, 100));
        node.show(1, node(B, 5, 100));
        step(10);
        node.show(0, node(A, 5, 2));
        node.show(1, node(B, 5, 103));
        step(10);
        step(10);
        assertThat(insight.history(Resolution.LAST_HOUR)).containsExactly(point(20, 10, 10, 0), point(30, 10, 10, 0));
        assertThat(insight.history(A, Resolution.LAST_HOUR).orElseThrow()).contains(point(20, 10, 5, 0));
        assertThat(insight.history(B, Resolution.LAST_HOUR).orElseThrow()).contains(point(20, 10, 5, 3));
    }

    @Test
    void whatOthersInheritHasNotHappenedNow() throws Exception {
        node.show(0, node(A, 5, 100), node(B, 5, 40), node(FamilyName.OTHERS, 0, 7));
        step(10);
        node.show(0, node(B, 10, 43), node(FamilyName.OTHERS, 0, 109));
        step(10);
        assertThat(insight.history(Resolution.LAST_HOUR)).containsExactly(point(20, 10, 10, 5));
        assertThat(insight.history(B, Resolution.LAST_HOUR)).hasValue(List.of(point(20, 10, 10, 3)));
        assertThat(insight.history(FamilyName.OTHERS, Resolution.LAST_HOUR)).hasValue(List.of(point(20, 10, 0, 2)));
    }

    @Test
    void aFamilyThatIsGoneIsIdle() throws Exception {
        node.show(0, node(A, 5, 100));
        step(10);
        step(10);
        node.show(0);
        step(10);
        assertThat(insight.history(A, Resolution.LAST_HOUR))
                .hasValue(List.of(point(20, 10, 5, 0), point(30, 10, 0, 0)));
    }

    @Test
    void familiesThatAreGoneMakeRoomForOthersAndAreNotSaid() throws Exception {
        FlowSnapshot.Node[] many = new FlowSnapshot.Node[Recorder.MAX_FAMILIES];
        Arrays.setAll(many, i -> node(family("old" + i), 1, 0));
        node.show(0, many);
        step(10);
        for (int i = 0; i < many.length; i++) {
            many[i] = node(family("old" + i), 1, 1_000);
        }
        node.show(0, many);
        step(10);
        node.show(0, node(A, 1, 0), node(B, 2, 1));
        step(10);
        step(10);
        assertThat(insight.insightTotals().families()).containsOnlyKeys(A, B);
    }

    @Test
    void aLateStepIsALongOne() throws Exception {
        node.show(0, node(A, 0, 0));
        step(10);
        node.show(0, node(A, 0, 250));
        step(25);
        Point late = insight.history(Resolution.LAST_HOUR).getFirst();
        assertThat(late).isEqualTo(point(35, 25, 0, 250));
        assertThat(late.perSecond(late.enqueued())).isEqualTo(10);
    }

    @Test
    void whoAsksDuringALookSeesWhatItSees() throws Exception {
        CompletableFuture<FlowSnapshot> slow = node.hangs(0);
        CompletableFuture<FlowSnapshot> first = insight.flow();
        CompletableFuture<FlowSnapshot> second = insight.flow();
        assertThat(first).isNotDone();
        slow.complete(new FlowSnapshot(List.of(node(A, 3, 4)), List.of()));
        assertThat(second.get(10, TimeUnit.SECONDS)).isSameAs(first.get(10, TimeUnit.SECONDS));
        assertThat(node.queries).isEqualTo(1);
    }

    @Test
    void aLookAfterTheEndIsRefused() throws Exception {
        insight.close();
        assertThat(insight.flow().handle((_, refusal) -> refusal).get(10, TimeUnit.SECONDS))
                .isInstanceOf(TaskMasterException.class);
    }

    @Test
    void aQueueHasAHistoryOfItsOwnWithItsSizesAndAge() throws Exception {
        QueueKey queue = QueueKey.of("g", "q");
        node.show(1, node(A, 5, 100));
        node.found = found(queue, 5, 50);
        step(10);
        node.found = found(queue, 6, 150);
        step(10);
        node.found = BusiestQueues.Found.EMPTY;
        step(10);

        List<Point> points = insight.history(queue, Resolution.LAST_HOUR).orElseThrow();
        assertThat(points).hasSize(2);
        assertThat(points.getFirst().available()).isEqualTo(6);
        assertThat(points.getFirst().oldestAgeMillis()).isEqualTo(7_000);
        assertThat(points.getFirst().perSecond(points.getFirst().enqueued())).isEqualTo(10);
        assertThat(points.getLast()).as("it is gone").isEqualTo(point(30, 10, 0, 0));
        assertThat(insight.history(QueueKey.of("other"), Resolution.LAST_HOUR)).isEmpty();
        assertThat(insight.history(Resolution.LAST_HOUR).getFirst().oldestAgeMillis())
                .isEqualTo(8_000);
        assertThat(insight.history(A, Resolution.LAST_HOUR)
                        .orElseThrow()
                        .getFirst()
                        .oldestAgeMillis())
                .isEqualTo(8_000);
        assertThat(insight.insightTotals().queues()).containsOnlyKeys(queue);
    }

    @Test
    void failuresInARowAreSaidOnceAndThatTheyAreOver() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(Insight.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        try {
            for (int row = 0; row < 2; row++) {
                node.fails(0, ErrorCode.PARTITION_OPENING);
                tick();
                tick();
                node.show(0);
                tick();
                tick();
            }
            node.fails(0, ErrorCode.SHUTTING_DOWN);
            tick();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.INFO, Level.WARN, Level.INFO);
    }

    private void tick() throws Exception {
        assertThat(insight.tick().handle((_, failure) -> true).get(10, TimeUnit.SECONDS))
                .isTrue();
    }

    private static BusiestQueues.Found found(QueueKey queue, long available, long enqueued) {
        Description description = new Description(
                new Summary(queue, available, 0, 0),
                0,
                0,
                0,
                Optional.empty(),
                Optional.of(7_000L),
                new Counts(enqueued, 0, 0, 0),
                1,
                QueueOptions.NONE,
                List.of());
        return new BusiestQueues.Found(List.of(description), Map.of(A, 8_000L));
    }

    private void step(int seconds) throws Exception {
        clock.seconds += seconds;
        insight.record().get(10, TimeUnit.SECONDS);
    }

    private static FamilyName family(String name) {
        return new FamilyName(Optional.of(GroupName.EMPTY), Bytes.of(name), false, Bytes.EMPTY);
    }

    private static FlowSnapshot.Node node(FamilyName name, long available, long enqueued) {
        return new FlowSnapshot.Node(name, 1, available, 0, 0, enqueued, 0, 0, 0, 0);
    }

    private static Point point(int atSeconds, int spanSeconds, long available, long enqueued) {
        return new Point(atSeconds * 1_000L, spanSeconds * 1_000L, available, 0, 0, 0, enqueued, 0, 0, 0);
    }

    private static final class SteppedClock implements Clock {

        private int seconds;

        @Override
        public long wallMillis() {
            return seconds * 1_000L;
        }

        @Override
        public long nanos() {
            return seconds * 1_000_000_000L;
        }
    }

    /** A node of two partitions with scripted reports. */
    private static final class Flowing implements Node {

        private final List<CompletableFuture<FlowSnapshot>> flows = new ArrayList<>(List.of(
                CompletableFuture.completedFuture(FlowSnapshot.NONE),
                CompletableFuture.completedFuture(FlowSnapshot.NONE)));
        private BusiestQueues.Found found = BusiestQueues.Found.EMPTY;
        private int queries;

        void fails(int partition, ErrorCode code) {
            flows.set(partition, CompletableFuture.failedFuture(new TaskMasterException(code, "fails")));
        }

        /** Returns the scripted walk: the first partition has all queues. */
        @Override
        @SuppressWarnings("unchecked") // only this test's walks are made
        public <F> CompletableFuture<Optional<F>> scan(int partition, LongFunction<? extends QueueScan<F>> begin) {
            Object reply = partition == 0 ? found : BusiestQueues.Found.EMPTY;
            return CompletableFuture.completedFuture(Optional.of((F) reply));
        }

        void show(int partition, FlowSnapshot.Node... families) {
            flows.set(partition, CompletableFuture.completedFuture(new FlowSnapshot(List.of(families), List.of())));
        }

        CompletableFuture<FlowSnapshot> hangs(int partition) {
            CompletableFuture<FlowSnapshot> flow = new CompletableFuture<>();
            flows.set(partition, flow);
            return flow;
        }

        @Override
        public CompletableFuture<FlowSnapshot> flow(int partition) {
            queries += partition == 0 ? 1 : 0;
            return flows.get(partition);
        }

        @Override
        public int partitions() {
            return flows.size();
        }

        @Override
        public void submit(GroupName group, Command command, ReplySink sink) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void submit(int partition, Command command, ReplySink sink) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}

        @Override
        public void abandon() {}
    }
}
