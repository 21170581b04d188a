package io.taskmaster.server.engine.naive;

import io.taskmaster.command.Command.Delete;
import io.taskmaster.command.Command.Describe;
import io.taskmaster.command.Command.ListQueues;
import io.taskmaster.command.Command.Peek;
import io.taskmaster.command.Reply.Deleted;
import io.taskmaster.command.Reply.Described;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.Reply.LeaseSample;
import io.taskmaster.command.Reply.Listed;
import io.taskmaster.command.Reply.Peeked;
import io.taskmaster.command.Reply.PeekedTask;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.naive.NaiveTask.NaiveLease;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rules of list, describe, peek and delete. Sizes are exact; rates and means are not checked. */
final class ReadRules {

    private ReadRules() {}

    static void checkDelete(NaiveQueues state, Delete delete, Deleted reply, long nowMillis) {
        List<Summary> expected =
                summaries(state, state.chosen(delete.selector()).keySet(), nowMillis);
        mustBe(expected, holdingTasks(reply.queues().stream()), "deleted", nowMillis);
        expected.forEach(summary -> state.drop(summary.queue()));
    }

    static void checkList(NaiveQueues state, ListQueues list, Listed reply, long nowMillis) {
        List<Summary> all = summaries(state, state.shown(list.selector()), nowMillis).stream()
                .filter(summary -> list.after().isEmpty()
                        || summary.queue().compareTo(list.after().get()) > 0)
                .filter(summary -> summary.total() >= list.minTasks() && summary.available() >= list.minAvailable())
                .toList();
        mustBe(all.stream().limit(list.maxQueues()).toList(), reply.queues(), "listed", nowMillis);
        Unexplained.unless(reply.more() == (all.size() > list.maxQueues()), "more: %s, of %s", reply.more(), all);
    }

    static void checkDescribe(NaiveQueues state, Describe describe, Described reply, long nowMillis) {
        List<Summary> all = summaries(state, state.chosen(describe.selector()).keySet(), nowMillis);
        List<Summary> seen = holdingTasks(reply.queues().stream().map(Description::summary));
        Unexplained.unless(reply.queues().size() <= describe.maxQueues(), "described more than asked for: %s", reply);
        if (reply.queues().size() < describe.maxQueues()) {
            mustBe(all, seen, "described", nowMillis);
        } else {
            Unexplained.unless(all.containsAll(seen), "described %s at %d, where there was %s", seen, nowMillis, all);
        }
        Summary total = reply.total().summary();
        Unexplained.unless(
                total.available() == all.stream().mapToLong(Summary::available).sum()
                        && total.leased()
                                == all.stream().mapToLong(Summary::leased).sum()
                        && total.delayed()
                                == all.stream().mapToLong(Summary::delayed).sum()
                        && reply.matched() >= all.size(),
                "described %s of %d in all at %d, where there was %s",
                total,
                reply.matched(),
                nowMillis,
                all);
        for (Description description : reply.queues()) {
            if (state.queues.containsKey(description.summary().queue())) {
                checkSample(state, description, describe.leasedSample(), nowMillis);
            }
        }
        for (Description description : reply.queues()) {
            checkGeneration(state, description);
        }
    }

    private static void checkSample(NaiveQueues state, Description description, int limit, long nowMillis) {
        QueueKey queue = description.summary().queue();
        List<LeaseSample> samples = description.leasedSample();
        Unexplained.unless(
                samples.size() <= limit
                        && samples.stream().map(LeaseSample::pid).distinct().count() == samples.size(),
                "sampled %s (limit %d)",
                samples,
                limit);
        for (LeaseSample sample : samples) {
            NaiveTask task = Unexplained.unlessPresent(
                    state.tasks(queue).get(sample.pid()), "sampled what is not there: %s", sample);
            Unexplained.unless(task.isLeased(nowMillis), "sampled %s, there was %s", sample, task);
            NaiveLease lease = task.lease().orElseThrow();
            Unexplained.unless(
                    sample.equals(new LeaseSample(
                            sample.pid(),
                            lease.id() == NaiveLease.UNKNOWN_TIME ? sample.leaseId() : lease.id(),
                            lease.worker(),
                            lease.address(),
                            lease.leasedMillis(),
                            lease.expiresMillis(),
                            task.attempt())),
                    "sampled %s, there was %s",
                    sample,
                    task);
        }
    }

    /** Checks that a queue stays of one generation as long as it holds tasks. */
    private static void checkGeneration(NaiveQueues state, Description description) {
        QueueKey queue = description.summary().queue();
        if (state.queues.containsKey(queue)) {
            Long known = state.generations.putIfAbsent(queue, description.generation());
            Unexplained.unless(
                    known == null || known == description.generation(),
                    "%s is of generation %d, and was of %d",
                    queue,
                    description.generation(),
                    known);
        }
    }

    static void checkPeek(NaiveQueues state, Peek peek, Peeked reply, long nowMillis) {
        Iterator<Map.Entry<Pid, NaiveTask>> remaining =
                state.tasks(peek.queue()).tailMap(peek.from()).entrySet().iterator();
        Unexplained.unless(reply.tasks().size() <= peek.maxTasks(), "peeked at more than asked for: %s", reply);
        long bytes = reply.tasks().stream().mapToLong(PeekedTask::dataBytes).sum();
        Unexplained.unless(
                !peek.withData() || reply.tasks().size() <= 1 || bytes <= peek.maxBytes(), "peeked %s", reply);
        for (PeekedTask seen : reply.tasks()) {
            Unexplained.unless(remaining.hasNext(), "peeked %s, where there was nothing: %s", seen, state);
            Map.Entry<Pid, NaiveTask> entry = remaining.next();
            Unexplained.unless(
                    entry.getKey().equals(seen.pid()), "peeked %s, where there was %s", seen, entry.getKey());
            entry.getValue().requireEqual(seen, peek.withData(), nowMillis);
        }
        if (remaining.hasNext()) {
            Pid next = remaining.next().getKey();
            Unexplained.unless(
                    !reply.tasks().isEmpty()
                            && reply.next().isPresent()
                            && reply.next()
                                            .get()
                                            .compareTo(reply.tasks().getLast().pid())
                                    > 0
                            && reply.next().get().compareTo(next) <= 0,
                    "peeked %s, but %s comes behind",
                    reply,
                    next);
        }
    }

    private static List<Summary> summaries(NaiveQueues state, Collection<QueueKey> queues, long nowMillis) {
        return queues.stream().map(queue -> state.summary(queue, nowMillis)).toList();
    }

    private static List<Summary> holdingTasks(Stream<Summary> summaries) {
        return summaries.filter(summary -> summary.total() > 0).toList();
    }

    private static void mustBe(List<Summary> expected, List<Summary> actual, String what, long nowMillis) {
        Unexplained.unless(
                expected.equals(actual), "%s %s at %d, where there was %s", what, actual, nowMillis, expected);
    }
}
