package io.taskmaster.simulation.judge;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.server.engine.naive.NaiveQueues;
import io.taskmaster.simulation.world.Holder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * The times at which a command may have been decided, on the clock of its owner: between its invocation and its answer,
 * at instants at which the owner did anything, and, if it changes anything, not before the previous decision. Of times
 * that make no difference to the result only the first is tried. Stateless.
 */
final class Times {

    private Times() {}

    static List<Long> ofAnswered(Call call, NaiveQueues state, long notBefore) {
        Holder owner = call.owner();
        long invoked = owner.earliestMillis(call.invokedMicros(), call.answeredMicros());
        // A read may use the time at which it began.
        long from = call.needsTheLog() ? Math.max(notBefore, invoked) : invoked;
        long to = owner.latestMillis(call.answeredMicros());
        if (call.reply().orElseThrow() instanceof Reply.Leased leased
                && call.command() instanceof Command.Lease request
                && !leased.tasks().isEmpty()) {
            // The expiry of the lease reveals the time of the decision.
            long granted = leased.tasks().getFirst().expiresMillis() - request.leaseMillis();
            return from <= granted && granted <= to ? List.of(granted) : List.of();
        }
        boolean setsExpiry = (call.reply().orElseThrow() instanceof Reply.Updated updated
                        && updated.renewals().contains(Status.OK))
                || (state.forgets() && hasRequestId(call.command()));
        return between(call, from, to, setsExpiry, state);
    }

    static List<Long> ofOpen(Call call, long untilMicros, NaiveQueues state, long notBefore) {
        Holder owner = call.owner();
        long from = Math.max(notBefore, owner.earliestMillis(call.invokedMicros(), untilMicros));
        boolean setsExpiry = switch (call.command()) {
            case Command.Update update -> !update.renewals().isEmpty() || (state.forgets() && hasRequestId(update));
            case Command.Lease lease -> true;
            default -> false;
        };
        return between(call, from, owner.latestMillis(untilMicros), setsExpiry, state);
    }

    /** Returns whether the time of the update starts a dedup window. */
    private static boolean hasRequestId(Command command) {
        return command instanceof Command.Update update && update.requestId().isPresent();
    }

    /** Returns the instants of the command at which its effect may change. */
    private static List<Long> instantsIn(Command command) {
        return command instanceof Command.Update update
                ? Stream.concat(
                                update.enqueues().stream().map(Command.Enqueue::notBeforeMillis),
                                update.releases().stream().map(Command.Release::notBeforeMillis))
                        .filter(millis -> millis > 0)
                        .toList()
                : List.of();
    }

    private static List<Long> between(Call call, long from, long to, boolean setsExpiry, NaiveQueues state) {
        SortedSet<Long> active = call.owner().activeMillis(from, to);
        if (active.isEmpty() || setsExpiry) {
            return List.copyOf(active);
        }
        LinkedHashSet<Long> times = new LinkedHashSet<>(List.of(active.first()));
        // Between two instants at which a lease or a delay expires, the result does not depend on the time.
        for (long instant : state.instants(active.first(), active.last())) {
            times.add(active.tailSet(instant).first());
        }
        for (long instant : instantsIn(call.command())) {
            active.stream().filter(millis -> millis >= instant).findFirst().ifPresent(times::add);
        }
        return List.copyOf(times);
    }
}
