package io.taskmaster.examples.conversion.converter;

/** The documents that converters of the demo fail at for a time, so that there is something to wait for. Pure. */
public final class InjectedFailures {

    private static final int ONE_IN = 20;
    private static final int MOST = 3;

    private InjectedFailures() {}

    /** How often in a row this document fails before it can be converted; of twenty documents three do. */
    public static int of(String document) {
        int place = Math.floorMod(document.hashCode(), ONE_IN);
        return place < MOST ? place + 1 : 0;
    }
}
