package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.QueueOrder;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.tests.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of a real server with many queues in one group and 10 in another. Every build makes each call once and checks
 * the answers. In the profile {@code slow} there are 100,000 queues, and latencies are judged: a call that concerns few
 * queues costs what it costs among few. Both groups are called alternately, for a short time each, so that other
 * activity of the machine affects both alike. The judged figure is the median of three rounds, since one may be
 * disturbed; of seven where it is the ratio of two p99, since a few slow calls of a round change that by half.
 */
final class ManyQueuesIT {

    /** The number of queues: more than a page and a slice of the loop, in every build. */
    private static final int MANY = Profile.isSlow() ? 100_000 : 10_000;

    private static final int FEW = 10;
    private static final int CALLERS = 4;
    private static final int ROUNDS = 3;
    private static final int ROUNDS_OF_RATIOS = 7;
    private static final int SLICES = Profile.isSlow() ? 8 : 1;
    private static final Duration SLICE = Profile.isSlow() ? Duration.ofMillis(200) : Duration.ZERO;
    private static final double MAX_RATIO = 1.5;
    private static final double MAX_MILLIS = 50;
    private static final double MAX_PAGE_MILLIS = 200;
    private static final double MAX_NEW_PAGE_MILLIS = 500;

    private static ForkedServer server;
    private static TaskMasterClient client;
    private static PageCalls http;
    private static Callers callers;
    private static Callers person;
    private static PopulatedGroup many;
    private static PopulatedGroup few;

    @BeforeAll
    static void fill(@TempDir Path folder) throws IOException {
        server = ForkedServer.start(folder.resolve("data"), Files.createDirectories(folder.resolve("logs")));
        client = TaskMasterClient.builder(server.awaitServing())
                .deadline(Duration.ofMinutes(1))
                .build();
        http = new PageCalls(server.awaitHttp());
        callers = new Callers(CALLERS);
        person = new Callers(1);
        few = PopulatedGroup.fill(client, "few", FEW, 300);
        many = PopulatedGroup.fill(client, "many", MANY, 3);
    }

    @AfterAll
    static void end() {
        // Resources that were not opened are null here, and skipped.
        try (var _ = server;
                var _ = client;
                var _ = http;
                var _ = callers;
                var _ = person) {}
    }

    @Test
    void aLeaseByPatternCostsNoMoreAmongManyQueuesThanAmongFew() {
        judge(ROUNDS_OF_RATIOS, MAX_RATIO, () -> ratio("lease by pattern", few::lease, many::lease));
    }

    @Test
    void aDescriptionOfOneQueueCostsNoMoreAmongManyThanAmongFew() {
        judge(ROUNDS_OF_RATIOS, MAX_RATIO, () -> ratio("describe", few::describe, many::describe));
    }

    @Test
    void aPageOfAListingTakesNoLongerThanPeopleNotice() {
        judge(MAX_MILLIS, () -> millis("list", many::listPage));
    }

    @Test
    void theTotalOfAllQueuesTakesNoLongerThanPeopleNotice() {
        judge(MAX_MILLIS, () -> millis("total", many::total));
    }

    @ParameterizedTest
    @EnumSource
    void aPageInAnyOrderIsThereBeforeSomebodyLooksAway(QueueOrder order) {
        Callers.Call falling = many.ranking(order, true);
        Callers.Call rising = many.ranking(order, false);
        judge(MAX_PAGE_MILLIS, () -> {
            Samples samples = person.call(SLICE, falling);
            samples.addAll(person.call(SLICE, rising));
            print("page by " + order, samples);
            return samples.percentileMillis(95);
        });
    }

    /** Every name has to be matched first. */
    @Test
    void aPageOfAPatternThatIsNewToTheServerTakesLittleLonger() {
        judge(MAX_NEW_PAGE_MILLIS, () -> {
            Samples samples = person.call(SLICE.multipliedBy(SLICES), many::rankFirst);
            print("page of a new pattern", samples);
            return samples.percentileMillis(95);
        });
    }

    /** The requests of the views of the web page. Each is answered within the time that users accept. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    flow     | {}
                    history  | {"reach": "LAST_DAY"}
                    rank     | {"queues": {"all_groups": true}, "order": "QUEUE_OLDEST", "descending": true, "max_queues": 10}
                    rank     | {"queues": {"all_groups": true}, "order": "QUEUE_DEQUEUE_RATE", "descending": true, "max_queues": 10}
                    rank     | {"queues": {"all_groups": true}, "order": "QUEUE_AVAILABLE", "descending": true, "max_queues": 50}
                    rank     | {"queues": {"all_groups": true, "name_re": "q-.*"}, "order": "QUEUE_NAME", "max_queues": 50}
                    describe | {"queues": {"group": "many", "names": ["q-7777"]}, "leased_sample": 20}
                    peek     | {"group": "many", "queue": "q-7777", "max_tasks": 50}
                    """)
    void whatThePageAsksForIsThereBeforeSomebodyLooksAway(String operation, String request) {
        judge(MAX_PAGE_MILLIS, () -> {
            Samples samples = person.call(SLICE.multipliedBy(2), () -> http.call(operation, request));
            print("page: " + operation + " " + request, samples);
            return samples.percentileMillis(95);
        });
    }

    @Test
    void theMetricsAreThereBeforeSomebodyLooksAway() {
        judge(MAX_PAGE_MILLIS, () -> {
            Samples samples = person.call(SLICE.multipliedBy(2), http::metrics);
            print("metrics", samples);
            return samples.percentileMillis(95);
        });
    }

    private static void judge(double bound, DoubleSupplier round) {
        judge(ROUNDS, bound, round);
    }

    /**
     * Runs rounds. Each checks every answer. In the profile {@code slow} the median of the figures is judged, after one
     * round that warms up.
     */
    private static void judge(int rounds, double bound, DoubleSupplier round) {
        assertThat(round.getAsDouble()).isNotNegative();
        if (Profile.isSlow()) {
            double[] figures =
                    DoubleStream.generate(round).limit(rounds).sorted().toArray();
            assertThat(figures[rounds / 2]).isLessThan(bound);
        }
    }

    /** Returns the ratio of the p99 among many to the p99 among few, in one round. */
    private static double ratio(String what, Callers.Call amongFew, Callers.Call amongMany) {
        Samples ofFew = new Samples();
        Samples ofMany = new Samples();
        for (int slice = 0; slice < SLICES; slice++) {
            ofFew.addAll(callers.call(SLICE, amongFew));
            ofMany.addAll(callers.call(SLICE, amongMany));
        }
        print(what + ", few", ofFew);
        print(what + ", many", ofMany);
        return ofMany.percentileMillis(99) / ofFew.percentileMillis(99);
    }

    /** Returns the p99 of one round. */
    private static double millis(String what, Callers.Call call) {
        Samples samples = callers.call(SLICE.multipliedBy(SLICES), call);
        print(what, samples);
        return samples.percentileMillis(99);
    }

    private static void print(String what, Samples samples) {
        System.out.println(String.format(
                Locale.ROOT,
                "%s: %d calls, p50 %.2f ms, p95 %.2f ms, p99 %.2f ms",
                what,
                samples.count(),
                samples.percentileMillis(50),
                samples.percentileMillis(95),
                samples.percentileMillis(99)));
    }
}
