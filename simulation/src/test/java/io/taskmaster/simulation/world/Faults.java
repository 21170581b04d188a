package io.taskmaster.simulation.world;

/**
 * How bad a world is. Drawn per run, so that many runs are bad in few ways, and rare branches are common in some run. Probabilities
 * are per store operation unless they say otherwise. Immutable.
 *
 * @param latencyMicros what a store operation usually takes
 * @param slow takes many times longer
 * @param stuck takes up to seconds; its issuer may have given up on it, or be dead
 * @param refuse fails, and is never applied
 * @param lose fails with unknown outcome: applied, or not, or later
 * @param late of a read: what it has seen comes back long after; meanwhile others write
 * @param crash per event of a process: it dies
 * @param pause per event of a process: it stands still for long, and goes on as if nothing had been
 * @param rival per request of a client: another owner comes up although there is one
 * @param skewMillis how far the clocks of the owners differ
 */
public record Faults(
        long latencyMicros,
        double slow,
        double stuck,
        double refuse,
        double lose,
        double late,
        double crash,
        double pause,
        double rival,
        long skewMillis) {

    /** A world without faults, where the store is quick. */
    static final Faults NONE = new Faults(200, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static Faults draw(World world) {
        return new Faults(
                world.logUniform(100, 3_000),
                choice(world, 0, .05, .3),
                choice(world, 0, .01, .05),
                choice(world, 0, .01, .05),
                choice(world, 0, .005, .03),
                choice(world, 0, 0, .1, .5),
                choice(world, 0, .0005, .002, .006),
                choice(world, 0, .0005, .002),
                choice(world, 0, .01, .04),
                (long) choice(world, 0, 0, 0, 300));
    }

    /** The same for processes that have so many partitions, and as many times more events. */
    public Faults spread(int partitions) {
        return new Faults(
                latencyMicros,
                slow,
                stuck,
                refuse,
                lose / Math.sqrt(partitions),
                late,
                crash / partitions,
                pause / partitions,
                rival / 2,
                skewMillis);
    }

    private static double choice(World world, double... choices) {
        return choices[world.random.nextInt(choices.length)];
    }
}
