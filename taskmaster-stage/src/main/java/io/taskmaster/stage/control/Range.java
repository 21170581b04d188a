package io.taskmaster.stage.control;

/** What a setting may be. Immutable. */
record Range(int least, int most) {

    Range {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "range: %d to %d (expected: 1 or more, and no less at its end)".formatted(least, most));
        }
    }

    int clamp(double setting) {
        return (int) Math.clamp(setting, least, most);
    }
}
