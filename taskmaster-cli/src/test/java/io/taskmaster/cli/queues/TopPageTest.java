package io.taskmaster.cli.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.screen.Columns;
import io.taskmaster.cli.screen.Key;
import io.taskmaster.cli.screen.Screen.Line;
import io.taskmaster.cli.screen.Screen.Size;
import io.taskmaster.cli.screen.Screen.Style;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.QueueVerdict;
import io.taskmaster.client.RankResult;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the layout of {@code top}. */
final class TopPageTest {

    private static final String SERVER = "127.0.0.1:7400";
    private static final TopView VIEW =
            new TopView(QueueSelector.allIn(GroupName.EMPTY), GroupName.EMPTY, TopOrder.AVAILABLE, false);
    private static final RankResult RESULT = result(
            0,
            queue(QueueKey.of("fetch/example.org"), 1_234_567, 12, 3, Optional.of(Duration.ofMillis(3_210))),
            queue(QueueKey.of("index"), 5, 0, 0, Optional.empty()));

    @Test
    void aWideScreenHasAllColumns() {
        assertThat(text(page(VIEW), new Size(132, 10))).isEqualTo("""
                taskmaster top  127.0.0.1:7400  2026-11-23T12:00:00Z  ? help
                queues 100000, available 1234572, leased 12, delayed 3, enqueued 12.3/s, dequeued 11.0/s, oldest 3.2 s
                by available
                QUEUE              AVAILABLE    LEASED   DELAYED  ENQUEUED/s  DEQUEUED/s    OLDEST  LEASED/s  MEAN LEASE   EXPIRED    PAUSED
                fetch/example.org    1234567        12         3        12.3        11.0     3.2 s       0.5      250 ms         4        no
                index                      5         0         0        12.3        11.0         -       0.5      250 ms         4        no
                """);
    }

    @Test
    void aNarrowScreenHasFewerColumnsAndThatWhichSorts() {
        TopView byExpired = VIEW.on(new Key('x')).on(new Key('r'));
        assertThat(text(page(byExpired), new Size(60, 10))).isEqualTo("""
                taskmaster top  127.0.0.1:7400  2026-11-23T12:00:00Z  ? help
                queues 100000, available 1234572, leased 12, delayed 3, enq…
                by expired, reversed
                QUEUE              AVAILABLE    LEASED   DELAYED   EXPIRED
                fetch/example.org    1234567        12         3         4
                index                      5         0         0         4
                """);
        assertThat(text(page(byExpired), new Size(24, 10))).isEqualTo("""
                taskmaster top  127.0.0…
                queues 100000, availabl…
                by expired, reversed
                QUEUE          EXPIRED
                fetch/examp…         4
                index                4
                """);
    }

    @Test
    void groupsHaveAColumnWhereAllOfThemAreShown() {
        RankResult result = result(0, queue(QueueKey.of("a group whose name is long", "q"), 1, 2, 3, Optional.empty()));
        assertThat(text(
                        new TopPage(VIEW.on(new Key('g')), SERVER, Optional.of(result), Optional.empty()),
                        new Size(60, 9)))
                .contains("by available; all groups")
                .contains("GROUP         QUEUE         AVAILABLE    LEASED   DELAYED")
                .contains("a group who…  q                     1         2         3");
    }

    @Test
    void wideNamesAndThoseThatAreNotTextStayInTheirColumn() {
        RankResult result = result(
                0,
                queue(QueueKey.of("任务队列/抓取"), 1, 2, 3, Optional.empty()),
                queue(new QueueKey(GroupName.EMPTY, QueueName.of("a\n\033[2Jb")), 4, 5, 6, Optional.empty()),
                queue(new QueueKey(GroupName.EMPTY, QueueName.wrap(new byte[] {-1})), 7, 8, 9, Optional.empty()));
        assertThat(text(new TopPage(VIEW, SERVER, Optional.of(result), Optional.empty()), new Size(60, 9)))
                .contains("任务队列/抓取" + " ".repeat(16) + "1         2         3")
                .contains("base64:YQobWzJKYg==          4         5         6")
                .contains("base64:/w==")
                .doesNotContain("\033");
    }

    @Test
    void noLineIsWiderAndNoPageHigherThanTheScreen() {
        for (int width = 1; width < 150; width += 7) {
            for (int height = 1; height < 20; height += 3) {
                for (TopView view :
                        List.of(VIEW, VIEW.on(new Key('?')), VIEW.on(new Key('/')), VIEW.on(new Key('g')))) {
                    List<Line> lines = page(view).lines(new Size(width, height));
                    assertThat(lines).hasSizeLessThanOrEqualTo(height);
                    for (Line line : lines) {
                        assertThat(Columns.of(line.text())).isLessThanOrEqualTo(width);
                    }
                }
            }
        }
    }

    @Test
    void beforeTheFirstAnswerThereIsAnEmptyTable() {
        assertThat(text(new TopPage(VIEW, SERVER, Optional.empty(), Optional.empty()), new Size(40, 9)))
                .isEqualTo("""
                        taskmaster top  127.0.0.1:7400    ? help

                        by available
                        QUEUE         AVAILABLE    LEASED
                        """);
    }

    @Test
    void troubleStandsOutOverWhatWasLastSeen() {
        List<Line> lines = new TopPage(VIEW, SERVER, Optional.of(RESULT), Optional.of("NOT_CONNECTED: gone."))
                .lines(new Size(60, 9));
        assertThat(lines).contains(new Line("NOT_CONNECTED: gone.", Style.REVERSE));
        assertThat(lines).anyMatch(line -> line.text().startsWith("fetch/example.org"));
    }

    @Test
    void missingPartitionsStandOut() {
        assertThat(new TopPage(VIEW, SERVER, Optional.of(result(2)), Optional.empty()).lines(new Size(80, 9)))
                .contains(new Line("Partitions that do not serve, and whose queues are missing: 2", Style.REVERSE));
    }

    @Test
    void aPatternIsShownAsItIsTypedAndWhenItIsTaken() {
        TopView typing = VIEW.on(new Key('/')).on(new Key('f')).on(new Key('.')).on(new Key('*'));
        assertThat(page(typing).lines(new Size(80, 9))).contains(new Line("match (RE2, whole name): f.*_", Style.BOLD));
        assertThat(page(typing.on(Key.ENTER)).lines(new Size(80, 9))).contains(Line.plain("by available; match f.*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"  a  available", "  n  name", "  /  only queues that match", "  q  quit"})
    void helpNamesTheKeys(String line) {
        assertThat(text(page(VIEW.on(new Key('?'))), new Size(100, 40))).contains(line);
    }

    private static TopPage page(TopView view) {
        return new TopPage(view, SERVER, Optional.of(RESULT), Optional.empty());
    }

    /** Returns the text, without the padding of lines. */
    private static String text(TopPage page, Size size) {
        return page.lines(size).stream()
                .map(line -> line.text().stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    private static RankResult result(int closedPartitions, QueueDescription... queues) {
        return new RankResult(
                Instant.parse("2026-11-23T12:00:00.123Z"),
                List.of(queues),
                queue(QueueKey.of(""), 1_234_572, 12, 3, Optional.of(Duration.ofMillis(3_210))),
                100_000,
                0,
                Optional.empty(),
                closedPartitions,
                List.of(),
                QueueVerdict.FINE);
    }

    private static QueueDescription queue(
            QueueKey key, long available, long leased, long delayed, Optional<Duration> oldest) {
        return new QueueDescription(
                new QueueSummary(key, available, leased, delayed),
                12.34,
                .5,
                11,
                Optional.of(Duration.ofMillis(250)),
                oldest,
                4,
                1,
                QueueOptions.DEFAULT,
                List.of(),
                Optional.empty());
    }
}
