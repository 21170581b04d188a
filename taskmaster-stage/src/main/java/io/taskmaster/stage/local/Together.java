package io.taskmaster.stage.local;

import io.taskmaster.stage.local.EventBatchHandler.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Some events together, as many as there are. Thread-safe if the handler is. */
record Together<E>(EventBatchHandler<E> handler, int maxBatch, Ledger<E> ledger) implements Handling<E> {

    @Override
    public boolean turn(Source<E> source) {
        List<E> events = new ArrayList<>();
        while (events.size() < maxBatch) {
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

    @SuppressWarnings("CatchingUnchecked") // Whatever a handler throws, its worker goes on.
    private void handle(List<E> events) {
        Answers answers = new Answers();
        try {
            handler.handle(events, answers);
            ledger.done(answers.open(events).size());
        } catch (Throwable thrown) {
            Handling.keepInterrupt(thrown);
            Drop drop = Drop.failed(Drop.Cause.FAILED, thrown);
            answers.open(events).forEach(event -> ledger.dropped(event, drop));
        }
    }

    /** What the handler has said of its events so far: of none, most often. */
    private final class Answers implements Answer<E> {

        private @Nullable Set<E> answered;

        List<E> open(List<E> events) {
            Set<E> closed = answered;
            return closed == null
                    ? events
                    : events.stream().filter(event -> !closed.contains(event)).toList();
        }

        /** Whether nothing was said of the event yet. */
        boolean isFirst(E event) {
            if (answered == null) {
                answered = Collections.newSetFromMap(new IdentityHashMap<>());
            }
            return answered.add(event);
        }

        @Override
        public void done(E event) {
            if (isFirst(event)) {
                ledger.done(1);
            }
        }

        @Override
        public void drop(E event, String reason) {
            if (isFirst(event)) {
                ledger.dropped(event, Drop.of(Drop.Cause.UNWANTED, reason));
            }
        }
    }
}
