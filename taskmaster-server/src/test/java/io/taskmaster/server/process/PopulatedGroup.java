package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.DescribeResult;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.QueueOrder;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.RankRequest;
import io.taskmaster.client.RankResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A group whose queues all hold the same number of tasks, and calls on it. Every answer is checked against that.
 * Thread-safe.
 */
final class PopulatedGroup {

    private static final int UPDATE_TASKS = 2_000;
    private static final int IN_FLIGHT = 4;
    private static final int PAGE = 1_000;
    private static final int RANKED = 50;
    private static final Bytes DATA = DirectClient.incompressible(16);

    private final TaskMasterClient client;
    private final GroupName group;
    private final int queues;
    private final int tasksEach;
    private final QueueSelector matching;
    private final Queue<String> nextPages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger patterns = new AtomicInteger();

    private PopulatedGroup(TaskMasterClient client, String name, int queues, int tasksEach) {
        this.client = client;
        this.group = GroupName.of(name);
        this.queues = queues;
        this.tasksEach = tasksEach;
        this.matching = QueueSelector.matching(group, "q-[0-9]+");
    }

    /** Enqueues everything, in large updates over many queues each. Blocks. */
    static PopulatedGroup fill(TaskMasterClient client, String name, int queues, int tasksEach) {
        PopulatedGroup filled = new PopulatedGroup(client, name, queues, tasksEach);
        List<CompletableFuture<UpdateResult>> inFlight = new ArrayList<>();
        for (int first = 0; first < queues * tasksEach; first += UPDATE_TASKS) {
            UpdateBuilder update = Update.in(filled.group);
            for (int number = first; number < Math.min(first + UPDATE_TASKS, queues * tasksEach); number++) {
                update.enqueue(queue(number % queues), BacklogProgram.pid(number), DATA);
            }
            inFlight.add(client.update(update.build()));
            if (inFlight.size() == IN_FLIGHT) {
                assertThat(inFlight.removeFirst().join().success()).isTrue();
            }
        }
        inFlight.forEach(update -> assertThat(update.join().success()).isTrue());
        return filled;
    }

    /** Leases one task by a pattern that all queues match. Its release does not count. */
    long lease() {
        long started = System.nanoTime();
        List<LeasedTask> leased = client.blocking().lease(LeaseRequest.from(matching));
        long took = System.nanoTime() - started;
        assertThat(leased).hasSize(1);
        assertThat(client.blocking().release(leased.getFirst()).success()).isTrue();
        return took;
    }

    /** Describes a random queue. */
    long describe() {
        QueueName queue = queue(ThreadLocalRandom.current().nextInt(queues));
        long started = System.nanoTime();
        DescribeResult described = client.blocking().describe(DescribeRequest.of(QueueSelector.of(group, queue)));
        long took = System.nanoTime() - started;
        assertThat(described.queues().getFirst().summary().total()).isEqualTo(tasksEach);
        return took;
    }

    /** Lists a page of the queues that have available tasks: the next one after any page that was listed before. */
    long listPage() {
        ListRequest first = ListRequest.of(matching).minAvailable(1).maxQueues(PAGE);
        String token = nextPages.poll();
        long started = System.nanoTime();
        ListResult page = client.blocking().list(token == null ? first : first.pageToken(token));
        long took = System.nanoTime() - started;
        assertThat(page.queues()).hasSize(PAGE).allMatch(summary -> summary.total() == tasksEach);
        page.nextPageToken().ifPresent(nextPages::add);
        return took;
    }

    /** Returns a call that ranks the queues: the next page after any that was ranked before. */
    Callers.Call ranking(QueueOrder order, boolean descending) {
        RankRequest first = new RankRequest(matching, order, descending, RANKED, Optional.empty());
        Queue<String> pages = new ConcurrentLinkedQueue<>();
        return () -> {
            String token = pages.poll();
            long started = System.nanoTime();
            RankResult page = client.blocking().rank(token == null ? first : first.pageToken(token));
            long took = System.nanoTime() - started;
            assertThat(page.queues())
                    .hasSize(RANKED)
                    .allMatch(queue -> queue.summary().total() == tasksEach);
            page.nextPageToken().ifPresent(pages::add);
            return took;
        };
    }

    /** Ranks all queues by a pattern that is new to the server, as when a user types one. */
    long rankFirst() {
        String pattern = "q-.*|" + patterns.incrementAndGet();
        RankRequest request = RankRequest.descending(QueueSelector.matching(group, pattern), QueueOrder.TASKS);
        long started = System.nanoTime();
        RankResult page = client.blocking().rank(request);
        long took = System.nanoTime() - started;
        assertThat(page.matched()).isEqualTo(queues);
        return took;
    }

    /** Describes the whole group, and shows one of its queues. */
    long total() {
        long started = System.nanoTime();
        DescribeResult described = client.blocking()
                .describe(DescribeRequest.of(QueueSelector.allIn(group)).maxQueues(1));
        long took = System.nanoTime() - started;
        assertThat(described.total().summary().total()).isEqualTo((long) queues * tasksEach);
        return took;
    }

    private static QueueName queue(int index) {
        return QueueName.of("q-" + index);
    }
}
