package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.process.Token.Leased;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The inspection of a server that was killed and started again. It leaves every token in a state that is known for
 * certain.
 */
public final class Aftermath {

    private static final int LEASE_BATCH = 500;

    private final BlockingClient client;
    private final List<GroupName> groups;
    private final TokenLedger tokens;

    public Aftermath(BlockingClient client, List<GroupName> groups, TokenLedger tokens) {
        this.client = client;
        this.groups = groups;
        this.tokens = tokens;
    }

    public void inspect() {
        // A short lease that ended between the scan and its use would be neither held nor available.
        await().pollDelay(LoadWorker.MAX_SHORT_LEASE).until(() -> true);
        Map<Token, Sighting> found = scanWhileNothingChanges();
        new TokenJudge(found, tokens, System.currentTimeMillis()).judgeAll();
        for (Token token : tokens.snapshot()) {
            if (!found.containsKey(token)) {
                tokens.completed(token);
            }
        }
        Map<Token, Integer> offered = leaseAllThatIsOffered(found);
        List<Sighting> ownerless = new ArrayList<>();
        List<Runnable> uses = new ArrayList<>();
        for (Sighting sighting : found.values()) {
            Integer attempts = offered.get(sighting.token());
            Leased held = TokenJudge.heldLease(sighting);
            if (attempts != null) {
                ownerless.add(sighting);
                sighting.token().settled(sighting.stage(), attempts, null);
            } else if (held == null) {
                ownerless.add(sighting);
                sighting.token().settled(sighting.stage(), sighting.task().attempt(), null);
            } else {
                int number = uses.size();
                uses.add(() -> useHeldLease(sighting, held, number));
            }
        }
        groups.forEach(group -> releaseUnconditionally(group, ownerless));
        allAtOnce(uses);
        tokens.allLeasesKnown();
    }

    /** Dequeues every token. Returns the number of tokens that were there. */
    public int drain() {
        Map<Token, Sighting> found = Sighting.everywhere(client, groups, tokens);
        for (GroupName group : groups) {
            UpdateBuilder update = Update.in(group);
            for (Sighting sighting : found.values()) {
                if (sighting.token().group.equals(group)) {
                    update.dequeue(sighting.queue().name(), sighting.task().pid(), Update.UNCONDITIONAL);
                }
            }
            assertThat(client.update(update.build()).success()).isTrue();
        }
        assertThat(client.list(ListRequest.of(QueueSelector.all())).queues()).isEmpty();
        return found.size();
    }

    /**
     * Scans between two equal listings: no lease expired meanwhile, so the counts of the listings must be those of the
     * scan.
     */
    private Map<Token, Sighting> scanWhileNothingChanges() {
        for (int i = 0; i < 50; i++) {
            List<QueueSummary> before =
                    client.list(ListRequest.of(QueueSelector.all())).queues();
            Map<Token, Sighting> found = Sighting.everywhere(client, groups, tokens);
            List<QueueSummary> described = client.describe(DescribeRequest.of(QueueSelector.all())).queues().stream()
                    .map(QueueDescription::summary)
                    .toList();
            List<QueueSummary> after =
                    client.list(ListRequest.of(QueueSelector.all())).queues();
            if (before.equals(after)) {
                assertThat(described).isEqualTo(before);
                assertThat(before).containsExactlyElementsOf(count(found));
                return found;
            }
        }
        throw new AssertionError("leases run out all the time");
    }

    private static List<QueueSummary> count(Map<Token, Sighting> found) {
        Map<QueueKey, QueueSummary> counted = new TreeMap<>();
        for (Sighting sighting : found.values()) {
            boolean leased = sighting.task().state() == State.LEASED;
            counted.merge(
                    sighting.queue(),
                    new QueueSummary(sighting.queue(), leased ? 0 : 1, leased ? 1 : 0, 0),
                    (a, b) -> new QueueSummary(a.queue(), a.available() + b.available(), a.leased() + b.leased(), 0));
        }
        return List.copyOf(counted.values());
    }

    /** Leases everything that is available, and checks that nothing else is leased. Returns the attempts by now. */
    private Map<Token, Integer> leaseAllThatIsOffered(Map<Token, Sighting> found) {
        Map<Token, Integer> offered = new HashMap<>();
        for (GroupName group : groups) {
            for (List<LeasedTask> batch = leaseBatch(group); !batch.isEmpty(); batch = leaseBatch(group)) {
                for (LeasedTask task : batch) {
                    Token token = tokens.of(task.data());
                    Sighting sighting = seen(found, token);
                    boolean mayBeOffered = sighting.task().state() == State.AVAILABLE
                            || sighting.task().until().orElseThrow().toEpochMilli() <= System.currentTimeMillis();
                    assertThat(mayBeOffered)
                            .as("%s offered to two: %s", token, sighting)
                            .isTrue();
                    assertThat(task.queue()).isEqualTo(sighting.queue());
                    assertThat(task.attempt())
                            .as(token::toString)
                            .isEqualTo(sighting.task().attempt() + 1);
                    assertThat(offered.put(token, task.attempt())).isNull();
                }
            }
        }
        Set<Token> expected = new HashSet<>(found.keySet());
        expected.removeIf(token -> seen(found, token).task().state() == State.LEASED);
        assertThat(offered.keySet()).containsAll(expected);
        return offered;
    }

    private static Sighting seen(Map<Token, Sighting> found, Token token) {
        return Optional.ofNullable(found.get(token))
                .orElseThrow(() -> new AssertionError(token + ": leased, and not in the scan"));
    }

    private List<LeasedTask> leaseBatch(GroupName group) {
        return client.lease(LeaseRequest.from(QueueSelector.matching(group, ".*"))
                .maxTasks(LEASE_BATCH)
                .length(LoadWorker.LONG));
    }

    private void releaseUnconditionally(GroupName group, List<Sighting> ownerless) {
        UpdateBuilder update = Update.in(group);
        for (Sighting sighting : ownerless) {
            if (sighting.token().group.equals(group)) {
                update.release(sighting.queue().name(), sighting.task().pid(), Update.UNCONDITIONAL);
            }
        }
        assertThat(client.update(update.build()).releases()).allMatch(Status.OK::equals);
    }

    private static void allAtOnce(List<Runnable> uses) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            uses.forEach(use -> running.add(threads.submit(use)));
            for (Future<?> use : running) {
                use.get();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        } catch (ExecutionException failed) {
            throw new AssertionError("a lease that was held", failed.getCause());
        }
    }

    /**
     * Uses a lease that a client held. Another lease id is refused; its own is accepted for a renewal, a dequeue, or a
     * release.
     */
    private void useHeldLease(Sighting sighting, Leased held, int number) {
        Token token = sighting.token();
        LeasedTask task = held.task();
        if (number % 8 == 0) {
            UpdateResult foreign = client.update(Update.in(token.group)
                    .dequeue(sighting.queue().name(), task.pid(), task.leaseId() + 1)
                    .build());
            assertThat(foreign.dequeues()).as(token::toString).containsExactly(Status.LEASE_LOST);
        }
        switch (number % 4) {
            case 0, 1 -> {
                assertThat(client.dequeue(task).success()).as(token::toString).isTrue();
                tokens.completed(token);
            }
            case 2 -> {
                assertThat(client.release(task).success()).as(token::toString).isTrue();
                token.settled(sighting.stage(), task.attempt(), null);
            }
            default -> {
                Attempt renewal = new Attempt();
                assertThat(client.renew(task, LoadWorker.LONG).renewals())
                        .as(token::toString)
                        .containsExactly(Status.OK);
                renewal.completed(Attempt.Outcome.OK);
                token.settled(sighting.stage(), task.attempt(), held);
                token.add(new Token.Act(
                        sighting.stage(), renewal, Token.Deed.RENEW, task.leaseId(), LoadWorker.LONG.toMillis()));
            }
        }
    }
}
