package io.taskmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.time.Clock;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of commands against a whole server: delays, names, options. */
final class CommandsOnServerIT {

    private final TaskMasterServer server;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    CommandsOnServerIT() throws StartException {
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aDelayedTaskIsSeenAndNotLeasedUntilItsTime() {
        assertThat(run("enqueue q later --pid p --delay 1h")).startsWith("OK");

        assertThat(run("queues --json")).contains("\"available\":0", "\"delayed\":1");
        assertThat(run("peek q")).startsWith("p\tDELAYED\t");
        assertThat(run("lease q")).isEmpty();

        assertThat(run("enqueue q now --pid p --if-exists replace")).startsWith("OK");
        assertThat(run("lease q")).startsWith("q\tp\t").endsWith("\tnow\n");
    }

    @Test
    void aTaskIsReleasedForLaterAndNotBefore() {
        run("enqueue q d --pid p");
        String leased = run("lease q");
        assertThat(runWithInput(leased, "release - --not-before 2999-01-01T00:00:00Z"))
                .startsWith("OK");
        assertThat(run("lease q")).isEmpty();
        assertThat(run("peek q")).contains("DELAYED", "2999-01-01T00:00:00Z");
    }

    @Test
    void aTaskThatIsReleasedUntriedHasAnAttemptLess() {
        run("enqueue q d --pid p");
        run("lease q");
        assertThat(run("release q p")).startsWith("OK");
        assertThat(run("lease q --json")).contains("\"attempt\":2");
        assertThat(run("release q p --untried")).startsWith("OK");
        assertThat(run("lease q --json")).contains("\"attempt\":2");
    }

    @Test
    void theFlowIsSeenInHandOffs() {
        for (int i = 0; i < 40; i++) {
            run("enqueue fetch/" + i + " data --pid p" + i);
        }
        run("lease fetch/1 --json");
        run("dequeue fetch/1 p1");
        run("lease fetch/2 --json");
        assertThat(run("flow --over 0s")).contains("fetch/*", "Backlog in fetch/*: 38 tasks wait");
        assertThat(run("flow --over 1ms --json")).contains("\"family\":\"fetch/*\",\"queues\":", "\"available\":38");
        assertThat(run("flow --over 1ms --mermaid"))
                .startsWith("flowchart LR\n")
                .contains("fetch/*<br/>38 wait, 1 leased");
    }

    @Test
    void topIsATableWhereThereIsNoTerminal() {
        runWithInput("1\n2\n3\n", "enqueue most -");
        run("enqueue some data");
        run("enqueue elsewhere data --group g");
        assertThat(run("top").lines())
                .anyMatch(line -> line.startsWith("queues 2, available 4, leased 0, delayed 0, "))
                .anyMatch(line -> line.startsWith("GROUP  QUEUE  AVAILABLE  LEASED  DELAYED  ENQUEUED/s"))
                .filteredOn(line -> line.contains("most") || line.contains("some"))
                .first()
                .asString()
                .contains("most");
        assertThat(run("top --sort name --reverse --all-groups --max 1 --once")
                        .lines()
                        .skip(2))
                .singleElement()
                .asString()
                .contains("elsewhere");
        assertThat(run("top --match m.* --json").lines())
                .satisfiesExactly(
                        queue -> assertThat(queue).contains("\"queue\":\"most\",\"available\":3", "\"paused\":false"),
                        total -> assertThat(total).contains("{\"total\":{", "\"matched\":1,\"closed_partitions\":0}"));
        assertThat(status("top --sort weight", "")).isEqualTo(2);
        assertThat(status("top --match (", "")).isEqualTo(1);
    }

    @Test
    void aQueueIsWatchedBeforeItIsThere() {
        assertThat(run("watch q --count 2 --interval 1ms").lines())
                .satisfiesExactly(
                        header -> assertThat(header).startsWith("TIME                  AVAILABLE    LEASED   DELAYED"),
                        line -> assertThat(line).containsPattern("Z +0 +0 +0 +- "),
                        line -> assertThat(line).containsPattern("Z +0 +0 +0 +- "));
        assertThat(run("watch q --count 1 --json"))
                .contains("\"queue\":\"q\",\"available\":0,\"leased\":0,\"delayed\":0}");
        assertThat(run("watch q --count 21 --interval 1ms").lines().filter(line -> line.startsWith("TIME")))
                .as("headers")
                .hasSize(2);
        run("enqueue q data");
        assertThat(run("watch q --count 1 --json")).contains("{\"at\":\"", "\"queue\":\"q\",\"available\":1");
    }

    @Test
    void aWatchMayEndWithTheLastTask() {
        assertThat(run("watch q --until-empty")).hasLineCount(2);
        run("pause q");
        assertThat(run("watch q --until-empty")).hasLineCount(2).containsPattern("Z +0 +0 +0 .* yes\n$");
        run("resume q");
        run("enqueue q data --pid p");
        assertThat(status("watch q --until-empty --count 2 --interval 1ms", "")).isEqualTo(1);
        assertThat(out.toString()).hasLineCount(3);

        out.getBuffer().setLength(0);
        CompletableFuture<Integer> watch =
                CompletableFuture.supplyAsync(() -> status("watch q --until-empty --interval 1ms", ""));
        await().until(() -> out.toString().lines().count() >= 3);
        try (TaskMasterClient client = TaskMasterClient.connect("127.0.0.1:" + server.rpcPort())) {
            client.blocking().delete(QueueSelector.of(QueueKey.of("q")));
        }
        assertThat(watch.join()).isZero();
        assertThat(out.toString()).containsPattern("Z +1 +0 +0 ").containsPattern("Z +0 +0 +0 .*\n$");
    }

    @Test
    void aDeleteThatWaitsComesBackWhenNothingIsLeftToClear() {
        for (int i = 0; i < 30; i++) {
            run("enqueue tmp-" + i + " data --group " + (i % 3));
        }
        assertThat(run("delete --match tmp-.* --all-groups --wait --json")).hasLineCount(30);

        try (TaskMasterClient client = TaskMasterClient.connect("127.0.0.1:" + server.rpcPort())) {
            for (int i = 0; i < 30; i++) {
                assertThat(client.blocking().uncleared(GroupName.of("" + i % 3), List.of(QueueName.of("tmp-" + i))))
                        .isZero();
            }
            assertThatThrownBy(() -> client.blocking().uncleared(GroupName.EMPTY, List.of(QueueName.EMPTY)))
                    .isInstanceOfSatisfying(
                            TaskMasterException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_NAME_EMPTY));
        }
    }

    @Test
    void anAssignedPidIsShortAndNamesItsTask() {
        String first = run("enqueue q one").strip().substring("OK\t".length());
        String second = run("enqueue q two").strip().substring("OK\t".length());
        assertThat(first).matches("fifo:\\d+-0");

        assertThat(run("peek q").lines().map(line -> line.substring(0, line.indexOf('\t'))))
                .containsExactly(first, second);
        assertThat(run("peek q --from " + second)).startsWith(second).hasLineCount(1);
        assertThat(run("lease q --json")).contains("\"pid\":\"" + first + "\"");
        assertThat(run("dequeue q " + second)).isEqualTo("OK\tq\t" + second + "\n");
        assertThat(run("enqueue q three --pid " + first)).startsWith("COLLAPSED\t" + first);
    }

    @Test
    void aPatternCanLeaveDeadLettersOut() {
        run("enqueue q data --pid p");
        run("enqueue q.dead data --pid p");

        assertThat(run("lease --match q.* --without-dead-letters --max 5").lines())
                .singleElement()
                .asString()
                .startsWith("q\t");
        assertThat(status("lease q --without-dead-letters", "")).isEqualTo(2);
        assertThat(err.toString()).contains("--without-dead-letters: given alone (expected: together with --match)");
    }

    @Test
    void deadLettersComeBack() {
        for (int i = 0; i < 3; i++) {
            run("enqueue q.dead data" + i + " --pid p" + i + " --header dead-reason=no --header mine=1");
        }
        run("enqueue q newer --pid p1");

        assertThat(run("redrive q.dead")).isEqualTo("3 of 3 redriven (1 of them queued again already), 0 left\n");
        assertThat(run("queues --json")).contains("\"available\":3").doesNotContain("q.dead");
        assertThat(run("lease q --max 3 --json"))
                .contains("\"headers\":{\"mine\":\"1\"}")
                .doesNotContain("dead-reason");
    }

    @Test
    void deadLettersThatSomebodyHasInHandAreLeftAndSaid() {
        run("enqueue q.dead data --pid p1");
        run("enqueue q.dead data --pid p2");
        run("lease q.dead");

        assertThat(status("redrive q.dead", "")).isEqualTo(1);
        assertThat(out.toString()).isEqualTo("1 of 2 redriven (0 of them queued again already), 1 left\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void whatIsNotDeadIsNotBroughtBack() {
        run("enqueue q data --pid p");

        assertThat(status("redrive q", "")).isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("queue: q (expected: a dead-letter queue, NAME.dead)");
        assertThat(run("peek q")).startsWith("p\tAVAILABLE");
    }

    @Test
    void aTaskThatIsLeasedRunsOnceMore() {
        run("enqueue q first --pid p");
        String leased = run("lease q");
        assertThat(run("enqueue q second --pid p --if-exists rerun")).startsWith("OK");
        assertThat(run("lease q")).isEmpty();

        assertThat(runWithInput(leased, "dequeue -")).startsWith("OK");
        assertThat(run("lease q")).endsWith("\tsecond\n");
    }

    @Test
    void anUpdateUnderTheSameIdIsAppliedOnceAndSaysTheSame() {
        String first = run("enqueue q d --request-id once");
        assertThat(run("enqueue q d --request-id once")).isEqualTo(first);
        assertThat(run("queues --json")).contains("\"available\":1");
    }

    @Test
    void aPausedQueueLeasesNothingUntilItIsResumed() {
        run("enqueue q d --pid p");
        assertThat(run("configure q --paused --max-leased 7")).isEqualTo("OK\tq\tpaused\t7\n");
        assertThat(run("lease q")).isEmpty();
        assertThat(run("describe q --json")).contains("\"paused\":true", "\"max_leased\":7");

        assertThat(run("resume q")).isEqualTo("OK\tq\trunning\t7\n");
        assertThat(run("lease q")).startsWith("q\tp\t");
    }

    @Test
    void aCapHoldsWhateverTheLeaseAsksFor() {
        assertThat(run("configure q --resumed --max-leased 1")).isEqualTo("OK\tq\trunning\t1\n");
        runWithInput("a\nb\nc\n", "enqueue q -");
        assertThat(run("lease q --max 3")).hasLineCount(1);
        assertThat(run("configure q --max-leased 0")).isEqualTo("OK\tq\trunning\t0\n");
        assertThat(run("lease q --max 3 --max-leased-per-queue 2")).hasLineCount(1);
    }

    @Test
    void aHeavierQueueIsServedMoreInItsTurn() {
        runWithInput("a\nb\nc\nd\n", "enqueue light -");
        runWithInput("a\nb\nc\nd\n", "enqueue heavy -");
        assertThat(run("configure heavy --weight 3")).isEqualTo("OK\theavy\trunning\t0\t3\n");
        assertThat(run("pause heavy --max-leased 0")).isEqualTo("OK\theavy\tpaused\t0\n");
        assertThat(run("resume heavy")).isEqualTo("OK\theavy\trunning\t0\n");
        assertThat(run("describe heavy --json")).contains("\"weight\":3");
        assertThat(run("lease --match heavy|light --max 4").lines().filter(line -> line.startsWith("heavy")))
                .hasSize(3);
    }

    @Test
    void leasesReachEveryGroupAndGoBackToTheirOwn() {
        run("enqueue q one --group a");
        run("enqueue q two --group b");
        String leased = run("lease q --all-groups --max 5 --service-class bulk");
        assertThat(leased).hasLineCount(2);
        assertThat(runWithInput(leased, "dequeue -")).hasLineCount(2);
        assertThat(run("queues --all-groups --json")).isEmpty();
    }

    private String run(String line) {
        return runWithInput("", line);
    }

    private String runWithInput(String input, String line) {
        int status = status(line, input);
        assertThat(status).as(line + ": " + err).isZero();
        return out.toString();
    }

    private int status(String line, String input) {
        out.getBuffer().setLength(0);
        var words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.add("--server");
        words.add("127.0.0.1:" + server.rpcPort());
        var terminal = new Terminal(
                new ByteArrayInputStream(input.getBytes(UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                false,
                Clock.system());
        return new Commands(terminal, List.of()).run(words.toArray(String[]::new));
    }
}
