package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.client.UpdateResult.Status.ABORTED;
import static io.taskmaster.client.UpdateResult.Status.ALREADY_EXISTS;
import static io.taskmaster.client.UpdateResult.Status.LEASE_LOST;
import static io.taskmaster.client.UpdateResult.Status.NOT_FOUND;
import static io.taskmaster.client.UpdateResult.Status.OK;
import static io.taskmaster.examples.crawl.stage.Tasks.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Dequeue;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class StageRunnerTest {

    private final FakeTasks tasks = new FakeTasks();
    private final List<String> events = new ArrayList<>();

    @Test
    void handOffIsOneUpdateThatNamesTheLease() throws Exception {
        Enqueue next = Enqueue.of(QueueName.of("next"), page("A.html").pid(), Bytes.EMPTY);
        run(task -> Outcome.Forward.to(next), extract(1));
        assertThat(tasks.updates).singleElement().satisfies(update -> {
            assertThat(update.enqueues()).containsExactly(next);
            assertThat(update.dequeues()).extracting(Dequeue::leaseId).containsExactly(7L);
        });
    }

    @Test
    void wholeBatchIsDurableBeforeAnyTaskIsSettled() throws Exception {
        run(
                task -> {
                    events.add("work");
                    return Outcome.Forward.to();
                },
                extract(1),
                extract(2));
        assertThat(events).containsExactly("work", "work", "commit, 0 settled");
        assertThat(tasks.updates).hasSize(2);
    }

    @Test
    void knownPagesAreLeftOutUntilTheUpdateIsTaken() throws Exception {
        tasks.say(FakeTasks.refused(ABORTED, ABORTED, ALREADY_EXISTS, ABORTED, ABORTED, ABORTED));
        Bytes links = new PageLinks(Tasks.BASE, List.of("A.html", "B.html")).encode();
        new StageRunner(new LinkStage(Site.GUAVA), tasks, "tester")
                .handle(List.of(Tasks.task(StageName.LINKS, page("P.html"), links)));
        assertThat(tasks.updates).extracting(update -> update.enqueues().size()).containsExactly(5, 3);
    }

    @Test
    void updateWithUnknownOutcomeIsRepeatedAndSettledByItsOwnTrace() throws Exception {
        tasks.say(new TaskMasterException(ErrorCode.OUTCOME_UNKNOWN, "?"))
                .say(FakeTasks.refused(NOT_FOUND, ALREADY_EXISTS));
        run(task -> Outcome.Forward.to(), extract(1));
        assertThat(tasks.updates).hasSize(2);
    }

    @Test
    void taskThatSomebodyElseHoldsNowIsLeftToThem() throws Exception {
        tasks.say(FakeTasks.refused(LEASE_LOST, ABORTED, ALREADY_EXISTS, ABORTED));
        Bytes links = new PageLinks(Tasks.BASE, List.of("A.html")).encode();
        new StageRunner(new LinkStage(Site.GUAVA), tasks, "tester")
                .handle(List.of(Tasks.task(StageName.LINKS, page("P.html"), links)));
        assertThat(tasks.updates).hasSize(1);
    }

    @Test
    void failureThatMayPassKeepsTheTaskForAWhile() throws Exception {
        run(task -> new Outcome.Failed("HTTP 503", false), extract(2));
        assertThat(tasks.updates).singleElement().satisfies(update -> {
            assertThat(update.dequeues()).isEmpty();
            assertThat(update.renewals())
                    .singleElement()
                    .satisfies(renewal -> assertThat(renewal.length()).hasMillis(500));
        });
    }

    @Test
    void brokenStageFailsTheTaskAlone() throws Exception {
        run(
                task -> {
                    throw new IllegalStateException("oh");
                },
                extract(1));
        assertThat(tasks.updates).flatExtracting(Update::renewals).hasSize(1);
    }

    @Test
    void lastFailureAndFailureForGoodLeadToTheDeadLetters() throws Exception {
        run(task -> new Outcome.Failed("HTTP 503", false), extract(Settlement.MAX_ATTEMPTS));
        run(task -> new Outcome.Failed("HTTP 404", true), extract(1));
        assertThat(tasks.updates).hasSize(2).allSatisfy(update -> {
            assertThat(update.dequeues()).hasSize(1);
            assertThat(update.enqueues())
                    .singleElement()
                    .satisfies(dead ->
                            assertThat(dead.queue()).isEqualTo(QueueName.of("extract/com/google/common/base.dead")));
        });
        assertThat(tasks.updates)
                .flatExtracting(Update::enqueues)
                .extracting(dead -> dead.headers().get("reason"))
                .containsExactly("HTTP 503", "HTTP 404");
    }

    @Test
    void taskThatKillsItsWorkersIsNotWorkedOnForEver() throws Exception {
        run(
                task -> {
                    throw new AssertionError("worked on");
                },
                extract(Settlement.MAX_ATTEMPTS + 1));
        assertThat(tasks.updates)
                .flatExtracting(Update::enqueues)
                .extracting(Enqueue::queue)
                .allSatisfy(queue -> assertThat(Queues.isDead(queue)).isTrue());
    }

    @Test
    void refusalForGoodEndsTheWorker() {
        tasks.say(new TaskMasterException(ErrorCode.UPDATE_TOO_LARGE, "too large"));
        assertThatThrownBy(() -> run(task -> Outcome.Forward.to(), extract(1))).isInstanceOf(TaskMasterException.class);
    }

    @Test
    void retriesAreCarriedFromStageToStage() {
        LeasedTask fetched = Tasks.task(StageName.FETCH, page("A.html"), Bytes.EMPTY, Map.of(), 3);
        LeasedTask extracted = Tasks.task(StageName.EXTRACT, page("A.html"), Bytes.EMPTY, Retries.header(fetched), 2);
        assertThat(Retries.upTo(extracted)).isEqualTo(3);
    }

    @Test
    void everyStatusOfADequeueIsEitherOursOrGone() {
        Outcome.HandOff handOff = new Discovery(page("P.html"), List.of(page("A.html")), new FollowedPage(1, 0, 0));
        assertThat(Settlement.afterRefusal(handOff, FakeTasks.refused(OK, ABORTED, ALREADY_EXISTS, ABORTED)))
                .isPresent();
        assertThat(Settlement.afterRefusal(handOff, FakeTasks.refused(NOT_FOUND, ABORTED, ALREADY_EXISTS, ABORTED)))
                .isEmpty();
    }

    private static LeasedTask extract(int attempt) {
        return Tasks.task(StageName.EXTRACT, page("A" + attempt + ".html"), Bytes.EMPTY, Map.of(), attempt);
    }

    private void run(Function<LeasedTask, Outcome> work, LeasedTask... batch) throws IOException, InterruptedException {
        Stage stage = new Stage() {
            @Override
            public StageName name() {
                return StageName.EXTRACT;
            }

            @Override
            public int batch() {
                return batch.length;
            }

            @Override
            public Outcome work(LeasedTask task) {
                return work.apply(task);
            }

            @Override
            public void commit() {
                events.add("commit, " + tasks.updates.size() + " settled");
            }
        };
        new StageRunner(stage, tasks, "tester").handle(List.of(batch));
    }
}
