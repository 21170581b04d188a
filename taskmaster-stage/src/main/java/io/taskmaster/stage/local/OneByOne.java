package io.taskmaster.stage.local;

/** Events one by one. Thread-safe if the handler is. */
record OneByOne<E>(EventHandler<E> handler, Ledger<E> ledger) implements Handling<E> {

    @Override
    public boolean turn(Source<E> source) {
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

    @SuppressWarnings("CatchingUnchecked") // Whatever a handler throws, who called it goes on.
    void handle(E event) {
        try {
            handler.handle(event);
            ledger.done(1);
        } catch (Throwable thrown) {
            Handling.keepInterrupt(thrown);
            ledger.dropped(event, Drop.failed(Drop.Cause.FAILED, thrown));
        }
    }
}
