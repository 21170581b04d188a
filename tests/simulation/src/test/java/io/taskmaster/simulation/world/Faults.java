package io.taskmaster.simulation.world;

/**
 * The faults of a run. Drawn per run, so that many runs have few kinds of faults, and rare branches are common in some
 * run. Probabilities are per store operation unless they say otherwise. Immutable.
 *
 * @param latencyMicros the usual latency of a store operation, in microseconds
 * @param slow the probability that it takes many times longer
 * @param stuck the probability that it takes up to seconds; its issuer may have given up on it, or have crashed
 * @param refuse the probability that it fails and is never applied
 * @param lose the probability that it fails with an unknown outcome: applied, or not, or later
 * @param late the probability that the result of a read returns long after the read, while others write
 * @param crash the probability, per event of a process, that it crashes
 * @param pause the probability, per event of a process, that it stops for a long time and then goes on as if nothing
 *     had happened
 * @param rival the probability, per check of the supervisor, that another owner starts although there is one
 * @param skewMillis the bound on the skew of the owners' clocks
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

    /** A run without faults and with a fast store. */
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

    /** Returns these faults for processes with this number of partitions, which have as many times more events. */
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
