package io.taskmaster.simulation.network;

import io.taskmaster.simulation.world.World;
import java.util.List;

/**
 * How bad the network between clients and nodes is, and what else happens to nodes as a whole. Drawn per run; probabilities are per
 * message unless they say otherwise. Immutable.
 *
 * @param latencyMicros what a message usually takes
 * @param slow takes many times longer
 * @param loseRequest it never gets there
 * @param loseReply likewise, though all is done
 * @param duplicate a request that may be repeated comes twice
 * @param impatience per call: the client gives up soon
 * @param shutdown per look of the supervisor: a node is told to end in good order
 * @param clockSet per look of the supervisor: somebody sets the clock of a node, ahead or back
 * @param maxStepMillis by how much at most
 * @param maxDrift how much faster or slower a clock goes
 */
public record NetworkFaults(
        long latencyMicros,
        double slow,
        double loseRequest,
        double loseReply,
        double duplicate,
        double impatience,
        double shutdown,
        double clockSet,
        long maxStepMillis,
        double maxDrift) {

    static final NetworkFaults NONE = new NetworkFaults(100, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    public static NetworkFaults draw(World world) {
        return new NetworkFaults(
                world.logUniform(50, 2_000),
                world.oneOf(CHANCES),
                world.oneOf(CHANCES),
                world.oneOf(CHANCES),
                world.oneOf(CHANCES),
                world.oneOf(CHANCES),
                world.chance(.5) ? .01 : 0,
                world.chance(.3) ? .02 : 0,
                world.oneOf(STEPS_MILLIS),
                world.chance(.3) ? .01 : 0);
    }

    private static final List<Long> STEPS_MILLIS = List.of(2_000L, 60_000L, 14_400_000L);

    private static final List<Double> CHANCES = List.of(0.0, 0.0, .02, .1);
}
