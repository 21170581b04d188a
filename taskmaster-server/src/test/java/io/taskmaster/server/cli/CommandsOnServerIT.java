package io.taskmaster.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.Nodes;
import io.taskmaster.server.StartException;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.server.partition.Clock;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands against a whole server: delays, names, options. */
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
        assertThat(run("flow --over 0s")).contains("fetch/*", "Work piles up in fetch/*: 39 tasks wait");
        assertThat(run("flow --over 1ms --json")).contains("\"family\":\"fetch/*\",\"queues\":", "\"available\":39");
        assertThat(run("flow --over 1ms --mermaid"))
                .startsWith("flowchart LR\n")
                .contains("fetch/*<br/>39 wait, 0 leased");
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
        assertThat(err.toString()).contains("queue: q (expected: one of dead letters, NAME.dead)");
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
        return new Commands(terminal, Nodes.factory()).run(words.toArray(String[]::new));
    }
}
