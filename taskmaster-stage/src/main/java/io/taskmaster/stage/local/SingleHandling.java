package io.taskmaster.stage.local;

/** The handling of events one by one. Thread-safe if the handler is. */
record SingleHandling<E>(EventHandler<E> handler, StageCounters<E> stageCounters) implements Handling<E> {

    @Override
    public boolean handleNext(Source<E> source) {
        E event = source.next();
        if (event == null) {
            return false;
        }
        handle(event);
        return true;
    }

    @Override
    public int maxBatch() {
        return 1;
    }

    @SuppressWarnings("CatchingUnchecked") // A handler's exception must not reach its caller.
    void handle(E event) {
        try {
            handler.handle(event);
            stageCounters.done(1);
        } catch (Throwable thrown) {
            Handling.keepInterrupt(thrown);
            stageCounters.dropped(event, Drop.failed(Drop.Cause.FAILED, thrown));
        }
    }
}
