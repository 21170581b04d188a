package io.taskmaster.bench.workload;

import java.util.SplittableRandom;

/**
 * A random choice, with a given probability, of the updates that collide. Single-threaded: owned by the event loop of
 * one connection.
 */
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
