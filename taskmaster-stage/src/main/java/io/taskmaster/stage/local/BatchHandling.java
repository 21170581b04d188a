package io.taskmaster.stage.local;

import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.local.EventBatchHandler.Answer;
import io.taskmaster.stage.steering.Actuator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handling of events in batches of those that are there. Thread-safe if the handler is. */
final class BatchHandling<E> implements Handling<E> {

    private static final int MAX_BATCH = 10_000;

    private final EventBatchHandler<E> handler;
    private final StageCounters<E> stageCounters;
    private final Optional<Controller> controller;
    private volatile int maxBatch;

    /** @param controller the controller of the largest batch; absent: it stays at {@code maxBatch} */
    BatchHandling(
            EventBatchHandler<E> handler,
            int maxBatch,
            Optional<Controller> controller,
            StageCounters<E> stageCounters) {
        this.handler = handler;
        this.controller = controller;
        this.stageCounters = stageCounters;
        maxBatch(maxBatch);
    }

    /** Sets the largest batch from the next turn on. */
    private void maxBatch(int events) {
        Boundary.within("maxBatch", events, MAX_BATCH);
        maxBatch = events;
    }

    @Override
    public Optional<Actuator> batching() {
        return controller.map(decides -> new Actuator(decides, this::maxBatch));
    }

    @Override
    public int maxBatch() {
        return maxBatch;
    }

    @Override
    public boolean handleNext(Source<E> source) {
        // It is read once, since a controller may change it during the turn.
        int max = maxBatch;
        List<E> events = new ArrayList<>();
        while (events.size() < max) {
            E event = source.next();
            if (event == null) {
                break;
            }
            events.add(event);
        }
        if (events.isEmpty()) {
            return false;
        }
        handle(Collections.unmodifiableList(events));
        return true;
    }

    @SuppressWarnings("CatchingUnchecked") // A handler's exception must not end its worker.
    private void handle(List<E> events) {
        Answers answers = new Answers(events);
        try {
            handler.handle(events, answers);
            stageCounters.done(answers.end().size());
        } catch (Throwable thrown) {
            Handling.keepInterrupt(thrown);
            Drop drop = Drop.failed(Drop.Cause.FAILED, thrown);
            answers.end().forEach(event -> stageCounters.dropped(event, drop));
        }
    }

    /**
     * The handler's answers for the events of a batch; most often there are none. Single-threaded: owned by the worker.
     */
    private final class Answers implements Answer<E> {

        private final List<E> events;
        private @Nullable Set<E> open;

        Answers(List<E> events) {
            this.events = events;
        }

        /** Returns the events without an answer. Later answers are ignored. */
        List<E> end() {
            Set<E> remaining = open;
            open = Set.of();
            return remaining == null
                    ? events
                    : events.stream().filter(remaining::contains).toList();
        }

        /** Returns whether the event is of this batch, and this is its first answer. */
        private boolean close(E event) {
            if (open == null) {
                // Events of a batch may be equal to each other, so they are told apart by identity.
                open = Collections.newSetFromMap(new IdentityHashMap<>());
                open.addAll(events);
            }
            return !open.isEmpty() && open.remove(event);
        }

        @Override
        public void done(E event) {
            if (close(event)) {
                stageCounters.done(1);
            }
        }

        @Override
        public void drop(E event, @Nullable String reason) {
            if (close(event)) {
                stageCounters.dropped(event, Drop.of(Drop.Cause.UNWANTED, reason));
            }
        }
    }
}
