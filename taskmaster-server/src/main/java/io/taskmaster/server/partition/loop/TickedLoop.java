package io.taskmaster.server.partition.loop;

import io.taskmaster.proxy.heap.OutOfMemory;
import java.util.function.Consumer;

/**
 * A partition's view of its loop: its ticks, their time, and a guard around each task. Single-threaded: owned by the
 * partition's loop, except that {@link #compute} may be called from any thread.
 *
 * <p>A tick is one or more tasks and then its end, in which everything goes out together that has gathered in them: log
 * rows, point reads, admissions. The end of a tick follows every task by construction, whatever the task did, so no
 * part of the partition has to remember to ask for it. Only the end itself, where it leaves work for later, requests
 * another tick ({@link #scheduleTick}, {@link #recheckLater}).
 *
 * <p>An unexpected exception of a task ends the partition, and not the loop, which others share. A partition with a
 * broken invariant must not serve; recovery starts from what is durable.
 *
 * <p>Time never goes back within an epoch, whatever the clock does: an expired lease stays expired.
 */
public final class TickedLoop implements PartitionLoop {

    /**
     * The interval at which a waiter for memory checks whether there is some: other partitions release it, too, and
     * notify no partition of that.
     */
    private static final long RECHECK_MILLIS = 10;

    private final PartitionLoop loop;
    private final Runnable onTickEnd;
    private final Consumer<Throwable> onFailure;

    private long nowMillis;
    private boolean tickScheduled;
    private boolean recheckScheduled;
    private boolean stopped;

    /**
     * Creates the view.
     *
     * @param onTickEnd called at the end of each tick
     * @param onFailure receives the exception of a task
     */
    public TickedLoop(PartitionLoop loop, Runnable onTickEnd, Consumer<Throwable> onFailure) {
        this.loop = loop;
        this.onTickEnd = onTickEnd;
        this.onFailure = onFailure;
    }

    /** The time, in milliseconds since 1970; never less than before. */
    @Override
    public long nowMillis() {
        nowMillis = Math.max(nowMillis, loop.nowMillis());
        return nowMillis;
    }

    /** The time that {@link #nowMillis} returned last: that at which the current request is decided. */
    public long lastNowMillis() {
        return nowMillis;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(() -> run(task));
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        loop.schedule(delayMillis, () -> run(task));
    }

    @Override
    public void offload(Runnable task) {
        loop.offload(() -> run(task));
    }

    /** Offloads work; an exception of it is reported on the loop. */
    @Override
    public void compute(Runnable work) {
        loop.compute(() -> guard(work, invariant -> loop.execute(() -> onFailure.accept(invariant))));
    }

    /** Runs a task at once, as all tasks of the loop are run. Returns false if it threw. */
    public boolean run(Runnable task) {
        boolean completed = guard(task, onFailure);
        scheduleTick();
        return completed;
    }

    /**
     * Runs a task at once that leaves nothing for the end of a tick. Eviction is one: the end of a tick is what asks
     * for it, so a tick after it would ask again, and for ever where memory stays short.
     */
    public void runWithoutTick(Runnable task) {
        guard(task, onFailure);
    }

    /** Requests the end of a tick: for work that the end of this one leaves to the next. */
    public void scheduleTick() {
        if (!tickScheduled && !stopped) {
            tickScheduled = true;
            loop.execute(this::endTick);
        }
    }

    /** Requests the end of a tick after a short delay: a waiter needs what other partitions may release meanwhile. */
    public void recheckLater() {
        if (!recheckScheduled && !stopped) {
            recheckScheduled = true;
            // The task has nothing else to do: the end of a tick follows it.
            schedule(RECHECK_MILLIS, () -> recheckScheduled = false);
        }
    }

    private void endTick() {
        // Before the end runs, so that the end itself can ask for another tick.
        tickScheduled = false;
        if (!stopped) {
            guard(onTickEnd, onFailure);
        }
    }

    /** Ends no tick any more. Tasks still run. */
    public void stop() {
        stopped = true;
    }

    /**
     * Runs a task. Errors are caught as well: a class that could not be loaded never will be, and the code that needs
     * it cannot continue.
     */
    private static boolean guard(Runnable task, Consumer<Throwable> onFailure) {
        try {
            task.run();
            return true;
        } catch (RuntimeException | Error invariant) {
            OutOfMemory.notice(invariant);
            onFailure.accept(invariant);
            return false;
        }
    }
}
