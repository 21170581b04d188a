package io.taskmaster.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.testkit.containers.HBaseContainer;
import io.taskmaster.testkit.containers.TaskMasterContainer;
import io.taskmaster.testkit.junit.TaskMasterContainerExtension;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.tests.Slow;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests of a server in one container and HBase in another, which are killed, frozen and disconnected while clients
 * enqueue, lease and hand off. In each test the oracle judges all calls.
 */
@ExtendWith(ProjectImages.class)
final class TaskMasterOnHBaseIT {

    private static final HBaseContainer HBASE = new HBaseContainer();

    @RegisterExtension
    static final TaskMasterContainerExtension taskmaster =
            TaskMasterContainerExtension.of(() -> new TaskMasterContainer().withHBase(HBASE));

    @Test
    @Slow
    void nothingAcknowledgedIsLostWhenTheServerIsKilled(TaskMasterContainer server) throws Exception {
        underLoad(() -> {
            server.kill();
            server.start();
        });
    }

    @Test
    @Slow
    void nothingAcknowledgedIsLostWhenHBaseIsKilled() throws Exception {
        underLoad(() -> {
            HBASE.kill();
            HBASE.start();
        });
    }

    @Test
    @Slow
    void serviceGoesOnByItselfWhenHBaseWasFrozen() throws Exception {
        underLoad(() -> {
            HBASE.pause();
            pass(Duration.ofSeconds(15));
            HBASE.resume();
        });
    }

    @Test
    @Slow
    void serviceGoesOnByItselfWhenTheServerWasFrozen(TaskMasterContainer server) throws Exception {
        underLoad(() -> {
            server.pause();
            pass(Duration.ofSeconds(15));
            server.resume();
        });
    }

    @Test
    @Slow
    void serviceGoesOnByItselfWhenTheyWereCutApart(TaskMasterContainer server) throws Exception {
        underLoad(() -> {
            server.cutOffHBase();
            pass(Duration.ofSeconds(15));
            server.reconnect();
        });
    }

    @Test
    @Slow
    void aServerThatWasFrozenFindsThatAnotherHasTakenOverAndEnds(TaskMasterContainer first) throws Exception {
        anotherTakesOver(first, first::pause, first::resume);
    }

    /** Another container may even get the address that the first one had. */
    @Test
    void aServerThatWasCutOffFindsThatAnotherHasTakenOverAndEnds(TaskMasterContainer first) throws Exception {
        anotherTakesOver(first, first::cutOffHBase, first::reconnect);
    }

    private static void anotherTakesOver(TaskMasterContainer first, Runnable silence, Runnable back) throws Exception {
        try (HandOffLoad load = HandOffLoad.on(first.target(), taskmaster.group());
                TaskMasterContainer second = new TaskMasterContainer().withHBase(HBASE)) {
            load.awaitMore(500);
            silence.run();
            second.start();
            back.run();

            await("the end of the first").until(() -> !first.isRunning());
            assertThat(first.getCurrentContainerInfo().getState().getExitCodeLong())
                    .isEqualTo(3);
            assertClean(load.verdictAt(second.target()));
            assertThat(second.terminate()).isZero();
        }
    }

    /** Injects a fault under load, and checks that clients go on and that all their replies were true. */
    private static void underLoad(Runnable fault) throws InterruptedException {
        try (HandOffLoad load = HandOffLoad.on(taskmaster.container().target(), taskmaster.group())) {
            load.awaitMore(500);
            fault.run();
            load.awaitMore(500);

            assertClean(load.verdict());
        }
    }

    private static void assertClean(OracleVerdict verdict) {
        assertThat(verdict.isClean()).as(verdict::toString).isTrue();
    }

    /** Pauses. The length of the pause is part of the test, not a way to wait for a condition. */
    private static void pass(Duration span) {
        await().pollDelay(span).atMost(span.multipliedBy(2)).until(() -> true);
    }
}
