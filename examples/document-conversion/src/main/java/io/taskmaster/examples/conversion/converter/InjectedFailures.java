package io.taskmaster.examples.conversion.converter;

/** The documents at which the converters of the demo fail for a time, so that there are retries. Pure. */
public final class InjectedFailures {

    private static final int ONE_IN = 20;
    private static final int MOST = 3;

    private InjectedFailures() {}

    /**
     * Returns the number of consecutive failures before a document can be converted; three of twenty documents have
     * some.
     */
    public static int of(String document) {
        int place = Math.floorMod(document.hashCode(), ONE_IN);
        return place < MOST ? place + 1 : 0;
    }
}
