package io.taskmaster.stage.control;

/** A range of settings. Immutable. */
public record Range(int least, int most) {

    /** The range of a controller that does not say one. */
    public static final Range ANY = new Range(1, Integer.MAX_VALUE);

    public Range {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "range: %d to %d (expected: 1 or more, in ascending order)".formatted(least, most));
        }
    }

    /** Returns the range of a fixed setting. */
    public static Range only(int setting) {
        return new Range(setting, setting);
    }

    int clamp(double setting) {
        return (int) Math.clamp(setting, least, most);
    }
}
