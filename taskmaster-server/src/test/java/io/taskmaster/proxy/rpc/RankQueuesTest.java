package io.taskmaster.proxy.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueOrder;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.RankRequest;
import io.taskmaster.client.RankResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests of rankings through a client, of queues in groups of many partitions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RankQueuesTest {

    private static final int GROUPS = 20;
    private static final int QUEUES = 10;

    private final TaskMasterServer server;
    private final TaskMasterClient client;

    RankQueuesTest() throws StartException {
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        client = TaskMasterClient.connect("127.0.0.1:" + server.rpcPort());
    }

    /** Enqueues n + 1 tasks into queue n of each group. */
    @BeforeAll
    void fill() {
        for (int group = 0; group < GROUPS; group++) {
            UpdateBuilder update = Update.in(group(group));
            for (int queue = 0; queue < QUEUES; queue++) {
                for (int task = 0; task <= queue; task++) {
                    update.enqueue(QueueName.of("q" + queue), Pid.of("p" + task), Bytes.of("data"));
                }
            }
            assertThat(client.blocking().update(update.build()).success()).isTrue();
        }
        client.blocking().configure(new QueueKey(group(3), QueueName.of("q9")), new QueueOptions(true, 7, 2));
    }

    @AfterAll
    void close() {
        client.close();
        server.close();
    }

    @Test
    void pagesOfAllGroupsAreMergedInOrder() {
        RankRequest request = RankRequest.descending(QueueSelector.all(), QueueOrder.AVAILABLE)
                .maxQueues(33);
        List<QueueKey> shown = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        Optional<String> token;
        do {
            RankResult page = client.blocking().rank(request);
            assertThat(page.matched()).isEqualTo(GROUPS * QUEUES);
            assertThat(page.before()).isEqualTo(shown.size());
            assertThat(page.total().summary().available()).isEqualTo(GROUPS * 55);
            assertThat(page.closedPartitions()).isZero();
            for (QueueDescription queue : page.queues()) {
                shown.add(queue.summary().queue());
                sizes.add(queue.summary().available());
            }
            token = page.nextPageToken();
            request = token.isPresent() ? request.pageToken(token.get()) : request;
        } while (token.isPresent());

        assertThat(shown).hasSize(GROUPS * QUEUES).doesNotHaveDuplicates();
        assertThat(sizes).isSortedAccordingTo((a, b) -> Long.compare(b, a));
        assertThat(shown.subList(0, GROUPS)).as("equal ones").isSorted();
    }

    @Test
    void aQueueIsDescribedAsDescribeDoesIt() {
        QueueSelector one = QueueSelector.of(group(3), QueueName.of("q9"));
        QueueDescription ranked = client.blocking()
                .rank(RankRequest.ascending(one, QueueOrder.NAME))
                .queues()
                .getFirst();
        assertThat(ranked.summary().available()).isEqualTo(10);
        assertThat(ranked.options()).isEqualTo(new QueueOptions(true, 7, 2));
        assertThat(ranked.enqueueRate()).isPositive();
        assertThat(ranked.oldestAvailableAge()).isPresent();
        assertThat(ranked.leasedSample()).isEmpty();
    }

    @Test
    void aPatternChoosesWithinAGroup() {
        RankResult page = client.blocking()
                .rank(RankRequest.descending(QueueSelector.matching(group(1), "q[2-5]"), QueueOrder.TASKS)
                        .maxQueues(3));
        assertThat(page.queues())
                .extracting(queue -> queue.summary().queue().name())
                .containsExactly(QueueName.of("q5"), QueueName.of("q4"), QueueName.of("q3"));
        assertThat(page.matched()).isEqualTo(4);
    }

    @Test
    void eachOrderIsServed() {
        for (QueueOrder order : QueueOrder.values()) {
            assertThat(client.blocking()
                            .rank(RankRequest.descending(QueueSelector.all(), order))
                            .queues())
                    .as(order.name())
                    .hasSize(50);
        }
    }

    @Test
    void whatIsWrongIsRefusedByName() {
        RankRequest request = RankRequest.ascending(QueueSelector.allIn(group(1)), QueueOrder.NAME)
                .maxQueues(5);
        String token = client.blocking().rank(request).nextPageToken().orElseThrow();

        assertRefused(request.maxQueues(1_001), ErrorCode.INVALID_FIELD);
        assertRefused(request.pageToken("nonsense"), ErrorCode.BAD_PAGE_TOKEN);
        assertRefused(
                RankRequest.ascending(QueueSelector.allIn(group(2)), QueueOrder.NAME)
                        .pageToken(token),
                ErrorCode.BAD_PAGE_TOKEN);
        assertRefused(
                RankRequest.ascending(QueueSelector.allIn(group(1)), QueueOrder.LEASED)
                        .pageToken(token),
                ErrorCode.BAD_PAGE_TOKEN);
        assertRefused(
                RankRequest.ascending(QueueSelector.matchingInAllGroups("("), QueueOrder.NAME), ErrorCode.BAD_PATTERN);
    }

    private void assertRefused(RankRequest request, ErrorCode code) {
        assertThatThrownBy(() -> client.blocking().rank(request))
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private static GroupName group(int number) {
        return GroupName.of("g" + number);
    }
}
