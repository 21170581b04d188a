package io.taskmaster.server.simulation;

import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.engine.Reply.Status;
import io.taskmaster.server.engine.naive.NaiveQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * When a command may have been decided, on the clock of its owner: between its invocation and its answer, and not before the
 * command that was decided last. Of times that make no difference only the first is tried.
 */
final class Times {

    private Times() {}

    static List<Long> ofAnswered(Call call, NaiveQueues state, long notBefore) {
        OwnerProcess owner = call.owner();
        long from = Math.max(notBefore, owner.clockMillisAt(call.invokedMicros()));
        long to = owner.clockMillisAt(call.answeredMicros());
        if (call.reply().orElseThrow() instanceof Reply.Leased leased
                && call.command() instanceof Command.Lease request
                && !leased.tasks().isEmpty()) {
            // The expiry tells.
            long told = leased.tasks().getFirst().expiresMillis() - request.leaseMillis();
            return from <= told && told <= to ? List.of(told) : List.of();
        }
        boolean setsExpiry = call.reply().orElseThrow() instanceof Reply.Updated updated
                && updated.renewals().contains(Status.OK);
        return between(from, to, setsExpiry, state);
    }

    static List<Long> ofOpen(Call call, long untilMicros, NaiveQueues state, long notBefore) {
        OwnerProcess owner = call.owner();
        long from = Math.max(notBefore, owner.clockMillisAt(call.invokedMicros()));
        boolean setsExpiry = switch (call.command()) {
            case Command.Update update -> !update.renewals().isEmpty();
            case Command.Lease lease -> true;
            default -> false;
        };
        return between(from, owner.clockMillisAt(untilMicros), setsExpiry, state);
    }

    private static List<Long> between(long from, long to, boolean setsExpiry, NaiveQueues state) {
        if (from > to) {
            return List.of();
        }
        List<Long> times = new ArrayList<>(List.of(from));
        if (setsExpiry) {
            LongStream.iterate(from + World.TICK_MILLIS, time -> time <= to, time -> time + World.TICK_MILLIS)
                    .forEach(times::add);
        } else {
            for (long expiry : state.expiries(from, to)) {
                long tick = from + (expiry - from + World.TICK_MILLIS - 1) / World.TICK_MILLIS * World.TICK_MILLIS;
                if (tick <= to && tick != times.getLast()) {
                    times.add(tick);
                }
            }
        }
        return times;
    }
}
