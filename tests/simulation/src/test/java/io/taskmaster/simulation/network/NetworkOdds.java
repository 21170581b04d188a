package io.taskmaster.simulation.network;

import io.taskmaster.simulation.world.World;
import java.util.List;

/**
 * The faults of the network between clients and nodes, and of whole nodes. Drawn per run; probabilities are per message
 * unless they say otherwise. Immutable.
 *
 * @param latencyMicros the usual latency of a message, in microseconds
 * @param slow the probability that a message takes many times longer
 * @param loseRequest the probability that a request is lost
 * @param loseReply the probability that a reply is lost, after the request was executed
 * @param duplicate the probability that a repeatable request arrives twice
 * @param shortTimeout the probability, per call, that the client gives up soon
 * @param shutdown the probability, per check of the supervisor, that a node is shut down in order
 * @param clockSet the probability, per check of the supervisor, that the clock of a node is set, ahead or back
 * @param maxStepMillis the bound on such a step of a clock
 * @param maxDrift the bound on the drift of a clock, as a fraction
 */
public record NetworkOdds(
        long latencyMicros,
        double slow,
        double loseRequest,
        double loseReply,
        double duplicate,
        double shortTimeout,
        double shutdown,
        double clockSet,
        long maxStepMillis,
        double maxDrift) {

    static final NetworkOdds NONE = new NetworkOdds(100, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    public static NetworkOdds draw(World world) {
        return new NetworkOdds(
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
