package io.taskmaster.bench.workload;

import java.util.SplittableRandom;

/** Says for each update whether it is to collide, with a given probability. Single-threaded: owned by one connection. */
final class CollisionPicker {

    private final SplittableRandom random;
    private final int percent;

    CollisionPicker(int percent, long seed) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("collision percentage: " + percent + " (expected: 0 to 100)");
        }
        this.percent = percent;
        this.random = new SplittableRandom(seed);
    }

    boolean collides() {
        return random.nextInt(100) < percent;
    }
}
