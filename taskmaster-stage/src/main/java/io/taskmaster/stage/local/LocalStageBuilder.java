package io.taskmaster.stage.local;

import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.local.BlockingCircle.Place;
import io.taskmaster.stage.local.BlockingCircle.Way;
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

/** The settings of one local stage. Single-threaded: owned by whoever builds. */
public final class LocalStageBuilder<E> {

    private static final Logger LOG = LoggerFactory.getLogger(LocalStage.class);

    private final String name;
    private final Set<String> next = new LinkedHashSet<>();
    private @Nullable Function<Ledger<E>, Handling<E>> handling;
    private Optional<Boundary<E>> boundary = Optional.empty();
    private BiConsumer<? super E, Drop> listener = (_, _) -> {};
    private @Nullable EventTimes times;
    private boolean traced;

    LocalStageBuilder(String name) {
        this.name = name;
    }

    /** What it does with an event. */
    public LocalStageBuilder<E> handler(EventHandler<E> each) {
        handling = ledger -> new OneByOne<>(traced ? entering(each) : each, ledger);
        return this;
    }

    /** What it does with some events together, at most so many: with what is there, without waiting for more. It needs a boundary. */
    public LocalStageBuilder<E> batchHandler(int max, EventBatchHandler<E> together) {
        return batchHandler(max, Optional.empty(), together);
    }

    /** What it does with some events together: at most as many as a controller says, such as {@link Controller#batching}. It needs a boundary. */
    public LocalStageBuilder<E> batchHandler(Controller max, EventBatchHandler<E> together) {
        return batchHandler(max.setting(), Optional.of(max), together);
    }

    private LocalStageBuilder<E> batchHandler(int max, Optional<Controller> decides, EventBatchHandler<E> together) {
        handling = ledger -> new Together<>(together, max, decides, ledger);
        return this;
    }

    /** A finite queue between it and those that offer it events. */
    public LocalStageBuilder<E> boundary(int capacity, UnaryOperator<Boundary<E>> settings) {
        boundary = Optional.of(settings.apply(Boundary.of(capacity)));
        return this;
    }

    /** Hears of each event that it drops; an event that is {@link io.taskmaster.stage.Answerable} hears of it by itself. Does not block. */
    public LocalStageBuilder<E> onDrop(BiConsumer<? super E, Drop> hears) {
        listener = hears;
        return this;
    }

    /** Hears of each event how long it waited and was handled, which costs some looks at the clock. */
    public LocalStageBuilder<E> timed(EventTimes hears) {
        times = hears;
        return this;
    }

    /**
     * What belongs to an event that is {@link Answerable} is current while the handler has it: the span of a {@link io.taskmaster.stage.Flight}.
     * Not for a batch handler, whose events belong to many; that one enters them itself.
     */
    public LocalStageBuilder<E> traced() {
        traced = true;
        return this;
    }

    private static <E> EventHandler<E> entering(EventHandler<E> each) {
        return event -> {
            if (event instanceof Answerable awaited) {
                try (Scope _ = awaited.enter()) {
                    each.handle(event);
                }
            } else {
                each.handle(event);
            }
        };
    }

    /**
     * Where its events go on to, by name; such a stage may be added later. It moves no event: it is for the picture, to find a circle that blocks, and to
     * {@linkplain LocalStages#close close} the stages in an order in which none is handed what it takes no more.
     */
    public LocalStageBuilder<E> to(String... stages) {
        next.addAll(List.of(stages));
        return this;
    }

    Place place() {
        Way way = boundary.map(has -> switch (has.overflow()) {
                    case Overflow.Block<E> _ -> Way.BLOCK;
                    case Overflow.Degrade<E> _ -> Way.CALL;
                    case Overflow.Reject<E> _, Overflow.Shed<E> _, Overflow.Spill<E> _ -> Way.FREE;
                })
                .orElse(Way.CALL);
        return new Place(boundary.isPresent(), way, Set.copyOf(next));
    }

    LocalStage<E> build(Workshop workshop) {
        Ledger<E> ledger =
                new Ledger<>(name, listener, times, new Warnings("local stage " + name, LOG, workshop.timer()));
        if (handling == null) {
            throw wrong("no handler", "one");
        }
        Handling<E> chosen = handling.apply(ledger);
        if (boundary.isPresent() && boundary.get().shedsAlike()) {
            throw wrong("sheds, but all events are alike", "a serviceClass");
        }
        if (boundary.isPresent()) {
            return new BoundedStage<>(name, boundary.get(), chosen, ledger, workshop);
        }
        return switch (chosen) {
            case OneByOne<E> each -> new FusedStage<>(name, each, ledger, workshop.timer());
            case Together<E> _ -> throw wrong("a batch handler, but no boundary", "a boundary, where events gather");
        };
    }

    private IllegalArgumentException wrong(String what, String expected) {
        return new IllegalArgumentException("stage %s: %s (expected: %s)".formatted(name, what, expected));
    }
}
