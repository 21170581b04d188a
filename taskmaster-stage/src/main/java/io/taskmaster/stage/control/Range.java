package io.taskmaster.stage.control;

/** What a setting may be. Immutable. */
public record Range(int least, int most) {

    /** Nobody knows. */
    public static final Range ANY = new Range(1, Integer.MAX_VALUE);

    public Range {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "range: %d to %d (expected: 1 or more, and no less at its end)".formatted(least, most));
        }
    }

    /** What is set and stays. */
    public static Range only(int setting) {
        return new Range(setting, setting);
    }

    int clamp(double setting) {
        return (int) Math.clamp(setting, least, most);
    }
}
