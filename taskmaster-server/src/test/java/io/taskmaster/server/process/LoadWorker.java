package io.taskmaster.server.process;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.process.Token.Act;
import io.taskmaster.server.process.Token.Deed;
import io.taskmaster.server.process.Token.Leased;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that performs all operations on tasks, at random, and records the answers. Runs until it is stopped, or
 * until it gets an answer that no fault explains. Single-threaded.
 */
public final class LoadWorker implements Runnable {

    static final Duration LONG = Duration.ofHours(2);

    /** The longest lease but for {@link #LONG}. */
    static final Duration MAX_SHORT_LEASE = Duration.ofMillis(500);

    private static final int ENOUGH_LIVE = 4_000;

    private final BlockingClient client;
    private final List<GroupName> groups;
    private final TokenLedger tokens;
    private final SplittableRandom random;
    private final AtomicBoolean stop;
    private final AtomicLong acknowledged;

    public LoadWorker(
            BlockingClient client,
            List<GroupName> groups,
            TokenLedger tokens,
            SplittableRandom random,
            AtomicBoolean stop,
            AtomicLong acknowledged) {
        this.client = client;
        this.groups = groups;
        this.tokens = tokens;
        this.random = random;
        this.stop = stop;
        this.acknowledged = acknowledged;
    }

    @Override
    public void run() {
        while (!stop.get()) {
            GroupName group = groups.get(random.nextInt(groups.size()));
            int choice = random.nextInt(100);
            if (choice < 35 && tokens.live().size() < ENOUGH_LIVE) {
                enqueue(group);
            } else if (choice < 97) {
                lease(group);
            } else {
                peek(group);
            }
        }
    }

    private void enqueue(GroupName group) {
        UpdateBuilder update = Update.in(group);
        Attempt attempt = new Attempt();
        for (int i = random.nextInt(5); i >= 0; i--) {
            Token token = tokens.make(group);
            token.add(new Token.Enqueued(0, attempt));
            update.enqueue(anywhere(0, token));
        }
        send(update.build(), attempt, List.of());
    }

    private Enqueue anywhere(int stage, Token token) {
        QueueName queue = Token.STAGES.get(stage);
        return random.nextInt(3) == 0
                ? Enqueue.fifo(queue, Token.data(token.label))
                : Enqueue.of(
                        queue, Pid.of(Integer.toHexString(random.nextInt()) + token.label), Token.data(token.label));
    }

    private void lease(GroupName group) {
        QueueSelector queues = random.nextInt(4) == 0
                ? QueueSelector.matching(group, "(in|mid|out)")
                : QueueSelector.of(group, Token.STAGES.get(random.nextInt(Token.STAGES.size())));
        int max = 1 + random.nextInt(8);
        Duration length = random.nextInt(8) == 0
                ? Duration.ofMillis(100 + random.nextLong(MAX_SHORT_LEASE.toMillis() - 100))
                : LONG;
        List<LeasedTask> leased;
        Attempt attempt = new Attempt();
        try {
            leased = client.lease(LeaseRequest.from(queues)
                    .maxTasks(max)
                    .length(length)
                    .maxWait(random.nextInt(3) == 0 ? Duration.ofMillis(50) : Duration.ZERO));
            attempt.completed(Attempt.Outcome.OK);
        } catch (TaskMasterException error) {
            attempt.failed(error);
            if (attempt.isUnknown()) {
                tokens.perhapsLeased(group, max);
            }
            return;
        }
        acknowledged.incrementAndGet();
        List<Leased> ownLeases = new ArrayList<>();
        for (LeasedTask task : leased) {
            Token token = tokens.of(task.data());
            Leased lease = new Leased(Token.stageOf(task.queue()), attempt, task);
            token.add(lease);
            ownLeases.add(lease);
        }
        work(group, ownLeases);
    }

    /** Does something with each lease, and now and then ends several in one update. */
    private void work(GroupName group, List<Leased> leases) {
        List<Leased> together = new ArrayList<>();
        for (Leased lease : leases) {
            int choice = random.nextInt(100);
            if (choice < 70) {
                together.add(lease);
                if (random.nextBoolean()) {
                    end(group, together);
                    together.clear();
                }
            } else if (choice < 80) {
                one(lease, Deed.RELEASE, Duration.ZERO);
            } else if (choice < 92) {
                one(lease, Deed.RENEW, LONG);
                if (random.nextBoolean()) {
                    end(group, List.of(lease));
                }
            }
            // Otherwise the lease is abandoned.
        }
        if (!together.isEmpty()) {
            end(group, together);
        }
    }

    private void end(GroupName group, List<Leased> leases) {
        UpdateBuilder update = Update.in(group);
        Attempt attempt = new Attempt();
        for (Leased lease : leases) {
            LeasedTask task = lease.task();
            Token token = tokens.of(task.data());
            boolean last = lease.stage() == Token.STAGES.size() - 1;
            Deed deed = last || random.nextInt(3) == 0 ? Deed.DEQUEUE : Deed.HAND_OFF;
            token.add(new Act(lease.stage(), attempt, deed, task.leaseId(), 0));
            update.dequeue(task);
            if (deed == Deed.HAND_OFF) {
                update.enqueue(anywhere(lease.stage() + 1, token));
            }
        }
        if (random.nextInt(10) == 0) {
            Token token = tokens.make(group);
            token.add(new Token.Enqueued(0, attempt));
            update.enqueue(anywhere(0, token));
        }
        send(update.build(), attempt, leases);
    }

    private void one(Leased lease, Deed deed, Duration length) {
        LeasedTask task = lease.task();
        Attempt attempt = new Attempt();
        tokens.of(task.data()).add(new Act(lease.stage(), attempt, deed, task.leaseId(), length.toMillis()));
        UpdateBuilder update = Update.in(task.queue().group());
        send((deed == Deed.RENEW ? update.renew(task, length) : update.release(task)).build(), attempt, List.of(lease));
    }

    /**
     * Sends an update, and records the answer.
     *
     * @param leases the leases that the update names, in its order
     */
    private void send(Update update, Attempt attempt, List<Leased> leases) {
        if (stop.get()) {
            attempt.completed(Attempt.Outcome.NOT_DONE);
            return;
        }
        try {
            UpdateResult result = client.update(update);
            acknowledged.incrementAndGet();
            List<Status> statuses = new ArrayList<>(result.dequeues());
            statuses.addAll(result.releases());
            statuses.addAll(result.renewals());
            boolean lost = statuses.stream().anyMatch(status -> status != Status.OK);
            attempt.completed(lost ? Attempt.Outcome.NOT_DONE : Attempt.Outcome.OK);
            for (int i = 0; i < statuses.size(); i++) {
                if (statuses.get(i) != Status.OK && statuses.get(i) != Status.ABORTED) {
                    refused(leases.get(i));
                }
            }
            if (result.enqueues().stream().anyMatch(status -> status != Status.OK && status != Status.ABORTED)) {
                throw new AssertionError(update + ": " + result);
            }
        } catch (TaskMasterException error) {
            attempt.failed(error);
        }
    }

    private void refused(Leased lease) {
        Attempt refusal = new Attempt();
        refusal.completed(Attempt.Outcome.REFUSED);
        LeasedTask task = lease.task();
        tokens.of(task.data()).add(new Act(lease.stage(), refusal, Deed.DEQUEUE, task.leaseId(), 0));
    }

    private void peek(GroupName group) {
        try {
            client.describe(DescribeRequest.of(QueueSelector.allIn(group)).leasedSample(3));
            client.list(ListRequest.of(QueueSelector.all()));
        } catch (TaskMasterException error) {
            new Attempt().failed(error);
        }
    }
}
