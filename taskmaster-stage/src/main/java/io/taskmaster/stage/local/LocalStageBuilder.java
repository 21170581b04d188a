package io.taskmaster.stage.local;

import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.local.BlockingCycle.Place;
import io.taskmaster.stage.local.BlockingCycle.Way;
import io.taskmaster.stage.local.pool.SharedExecutors;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A builder of one local stage. Single-threaded: owned by its caller. */
public final class LocalStageBuilder<E> {

    private static final Logger LOG = LoggerFactory.getLogger(LocalStage.class);

    private final String name;
    private final Set<String> next = new LinkedHashSet<>();
    private @Nullable Function<StageCounters<E>, Handling<E>> handling;
    private Optional<Boundary<E>> boundary = Optional.empty();
    private BiConsumer<? super E, Drop> listener = (event, drop) -> {};
    private @Nullable EventTimes times;
    private boolean traced;

    LocalStageBuilder(String name) {
        this.name = name;
    }

    /** Sets the handler of single events. */
    public LocalStageBuilder<E> handler(EventHandler<E> each) {
        handling = stageCounters -> new SingleHandling<>(traced ? entering(each) : each, stageCounters);
        return this;
    }

    /**
     * Sets a handler of batches: of the events that are there, at most {@code max}, without waiting for more. It needs
     * a boundary.
     */
    public LocalStageBuilder<E> batchHandler(int max, EventBatchHandler<E> together) {
        return batchHandler(max, Optional.empty(), together);
    }

    /**
     * Sets a handler of batches whose largest size a controller decides, such as {@link Controller#batching}. It needs
     * a boundary.
     */
    public LocalStageBuilder<E> batchHandler(Controller max, EventBatchHandler<E> together) {
        return batchHandler(max.setting(), Optional.of(max), together);
    }

    private LocalStageBuilder<E> batchHandler(int max, Optional<Controller> decides, EventBatchHandler<E> together) {
        handling = stageCounters -> new BatchHandling<>(together, max, decides, stageCounters);
        return this;
    }

    /** Puts a finite queue between the stage and its producers. */
    public LocalStageBuilder<E> boundary(int capacity, UnaryOperator<Boundary<E>> settings) {
        boundary = Optional.of(settings.apply(Boundary.of(capacity)));
        return this;
    }

    /**
     * Sets a listener for events that are dropped; it must not block. Waiters of {@link io.taskmaster.stage.Answerable}
     * events are notified without it.
     */
    public LocalStageBuilder<E> onDrop(BiConsumer<? super E, Drop> dropListener) {
        listener = dropListener;
        return this;
    }

    /** Sets a listener for the times that events wait and are handled, which costs some reads of the clock for each. */
    public LocalStageBuilder<E> timed(EventTimes listener) {
        times = listener;
        return this;
    }

    /**
     * Makes the context of an {@link Answerable} event current while the handler has it: the span of a
     * {@link io.taskmaster.stage.Flight}. It has no effect on a batch handler, whose events have many contexts; such a
     * handler enters them itself.
     */
    public LocalStageBuilder<E> traced() {
        traced = true;
        return this;
    }

    @SuppressWarnings("try") // A scope has its effect by being open.
    private static <E> EventHandler<E> entering(EventHandler<E> each) {
        return event -> {
            if (event instanceof Answerable awaited) {
                try (Scope scope = awaited.enter()) {
                    each.handle(event);
                }
            } else {
                each.handle(event);
            }
        };
    }

    /**
     * Names the stages that this one hands events on to; they may be added later. This moves no event: it serves the
     * graph, the search for circles that block, and the order in which {@linkplain LocalStages#close closing} drains
     * stages, so that none hands on to one that is closed.
     */
    public LocalStageBuilder<E> to(String... stages) {
        next.addAll(List.of(stages));
        return this;
    }

    Place place() {
        Way way = boundary.map(has -> switch (has.overflow()) {
                    case Overflow.Block<E> block -> Way.BLOCK;
                    case Overflow.Degrade<E> degrade -> Way.CALL;
                    case Overflow.Reject<E> reject -> Way.FREE;
                    case Overflow.Shed<E> shed -> Way.FREE;
                    case Overflow.Spill<E> spill -> Way.FREE;
                })
                .orElse(Way.CALL);
        return new Place(boundary.isPresent(), way, Set.copyOf(next));
    }

    LocalStage<E> build(SharedExecutors sharedExecutors) {
        StageCounters<E> stageCounters = new StageCounters<>(
                name, listener, times, new Warnings("local stage " + name, LOG, sharedExecutors.timer()));
        if (handling == null) {
            throw invalid("no handler", "one handler");
        }
        Handling<E> chosen = handling.apply(stageCounters);
        if (boundary.isPresent() && boundary.get().shedsAlike()) {
            throw invalid("sheds, but all events have one service class", "serviceClass(...)");
        }
        if (boundary.isPresent()) {
            return new BoundedStage<>(name, boundary.get(), chosen, stageCounters, sharedExecutors);
        }
        return switch (chosen) {
            case SingleHandling<E> each -> new FusedStage<>(name, each, stageCounters, sharedExecutors.timer());
            case BatchHandling<E> batch ->
                throw invalid("a batch handler, but no boundary", "a boundary, where batches are gathered");
        };
    }

    private IllegalArgumentException invalid(String actual, String expected) {
        return new IllegalArgumentException("stage %s: %s (expected: %s)".formatted(name, actual, expected));
    }
}
