package io.taskmaster.stage.worker.task;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Outcome.HandOff;
import io.taskmaster.stage.Outcome.Refusal;
import io.taskmaster.stage.Scope;
import io.taskmaster.trace.TraceHeaders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An outcome, with its hand-off encoded. It is made on the handler's thread, because payloads may be large. An invalid
 * outcome becomes a retry: the next version of the handler may be right. Immutable.
 *
 * @param enqueues one for each task of a hand-off, in order
 * @param cause the exception of the handler or the codec; absent if none was thrown
 */
@SuppressWarnings("CatchingUnchecked") // Whatever is thrown where, the task must not be left without a conclusion.
public record HandlerResult(Outcome outcome, List<Enqueue> enqueues, Optional<Throwable> cause) {

    public HandlerResult {
        enqueues = List.copyOf(enqueues);
    }

    /**
     * Encodes the outcome of a task. Never throws: a failure becomes a retry.
     *
     * @param trace the trace that the hand-off carries on
     * @param outcome null if the handler reported none
     */
    static HandlerResult of(LeasedTask task, TaskTrace trace, @Nullable Outcome outcome) {
        try {
            return switch (outcome) {
                case HandOff handOff -> new HandlerResult(handOff, enqueues(task, trace, handOff), Optional.empty());
                case Outcome.Done done -> plain(done);
                case Outcome.Retry retry -> plain(retry);
                case Outcome.Hold hold -> plain(hold);
                case Outcome.Postpone postpone -> plain(postpone);
                case Outcome.Dead dead -> plain(dead);
                case null -> retry("handler: no outcome (expected: one for each task)");
            };
        } catch (Throwable wrong) {
            return failed(wrong);
        }
    }

    /** Asks the author of a hand-off for another outcome, after an enqueue refused the update. Never throws. */
    @SuppressWarnings("try") // A scope has its effect by being open.
    public static HandlerResult afterRefusal(LeasedTask task, TaskTrace trace, HandOff handOff, UpdateResult refusal) {
        if (handOff.otherwise().isEmpty()) {
            return retry(
                    "hand-off: rejected, a PID is already queued (expected: a new PID, or an outcome for the rejection)");
        }
        try (Scope scope = trace.enter()) {
            return of(task, trace, handOff.otherwise().get().apply(refusalOf(task, handOff, refusal)));
        } catch (Throwable wrong) {
            return failed(wrong);
        }
    }

    private static Refusal refusalOf(LeasedTask task, HandOff handOff, UpdateResult refusal) {
        List<NewTask<?>> conflicting = new ArrayList<>();
        Set<Pid> pids = new HashSet<>();
        for (int i = 0; i < handOff.tasks().size(); i++) {
            Status status = refusal.enqueues().get(i);
            if (status == Status.ALREADY_EXISTS || status == Status.LEASED) {
                conflicting.add(handOff.tasks().get(i));
                handOff.tasks().get(i).pid(task.pid()).ifPresent(pids::add);
            }
        }
        return new Refusal(conflicting, pids);
    }

    /** Returns the retry for a handler, or a codec, that threw. */
    public static HandlerResult failed(Throwable error) {
        return new HandlerResult(Outcome.retry(textOf(error)), List.of(), Optional.of(error));
    }

    /** Returns the text of an exception. Never throws, although its {@code toString} may. */
    public static String textOf(Throwable error) {
        try {
            return error.toString();
        } catch (Throwable silent) {
            return error.getClass().getName();
        }
    }

    public static HandlerResult retry(String reason) {
        return plain(Outcome.retry(reason));
    }

    static HandlerResult plain(Outcome outcome) {
        return new HandlerResult(outcome, List.of(), Optional.empty());
    }

    private static List<Enqueue> enqueues(LeasedTask task, TaskTrace trace, HandOff handOff) {
        Map<String, String> own = trace.headers();
        Map<String, String> carried = own.isEmpty() ? task.headers() : own;
        List<Enqueue> enqueues = new ArrayList<>();
        Set<Target> targets = new HashSet<>();
        for (NewTask<?> handedOn : handOff.tasks()) {
            Enqueue plain = handedOn.enqueue(task.pid());
            Enqueue enqueue = plain.headers(TraceHeaders.with(plain.headers(), carried));
            if (enqueue.pid().isPresent()
                    && !targets.add(new Target(enqueue.queue(), enqueue.pid().get()))) {
                throw new IllegalArgumentException("hand-off: two tasks for queue %s with PID %s (expected: a PID each)"
                        .formatted(enqueue.queue(), enqueue.pid().get()));
            }
            enqueues.add(enqueue);
        }
        return enqueues;
    }

    private record Target(QueueName queue, Pid pid) {}
}
