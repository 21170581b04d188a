package io.taskmaster.server.store;

/**
 * How much more a store can take. Immutable.
 *
 * @param why what is short, for people; empty where nothing is
 */
public record Room(Level level, String why) {

    public static final Room AMPLE = new Room(Level.AMPLE, "");

    /** What there is room for. */
    public enum Level {
        /** Everything. */
        AMPLE,
        /** What is taken out and what is moved, but nothing that stays. */
        LOW,
        /** Nothing that writes. */
        NONE
    }

    /** Whether there is room for a request. */
    public boolean takes(boolean writes, boolean bringsTasks) {
        return switch (level) {
            case AMPLE -> true;
            case LOW -> !bringsTasks;
            case NONE -> !writes;
        };
    }
}
