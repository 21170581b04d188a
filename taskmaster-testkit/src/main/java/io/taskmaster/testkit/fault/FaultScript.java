package io.taskmaster.testkit.fault;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What goes wrong, when and for how long. The same seed, kinds and length make the same script. Immutable.
 *
 * <p>Each part of the system (server, network, workers, store) has one fault at a time and a pause after it, mostly long enough to recover,
 * and now and then too short; the parts are independent of each other, so their faults overlap. All faults end within the length.
 *
 * @param seed what it was drawn from
 * @param length from its begin until everything works again
 * @param episodes in the order of their begin
 */
public record FaultScript(long seed, Duration length, List<Episode> episodes) {

    /** A pause of this length is one to recover in. */
    static final Duration REAL_PAUSE = Duration.ofMillis(1_500);

    /**
     * A fault from begin to end.
     *
     * @param begin since that of the script
     * @param end since the begin of the script
     */
    public record Episode(Duration begin, Duration end, Fault fault) {
        public Episode {
            if (begin.isNegative() || end.compareTo(begin) < 0) {
                throw new IllegalArgumentException("end: %s (expected: not before begin, %s)".formatted(end, begin));
            }
        }
    }

    public FaultScript {
        episodes = List.copyOf(episodes);
    }

    /** Draws a script with faults of these kinds; each kind comes up before any of the same part comes twice. */
    public static FaultScript draw(long seed, Set<FaultKind> kinds, Duration length) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Episode> episodes = Arrays.stream(FaultKind.Part.values())
                .flatMap(part -> {
                    // Drawn in any case, so that what happens to one part does not depend on which others have faults.
                    SplittableRandom own = random.split();
                    List<FaultKind> ofPart = kinds.stream()
                            .filter(kind -> kind.part().turn() == part)
                            .sorted()
                            .toList();
                    return new Drawing(own, ofPart, length).draw().stream();
                })
                .sorted(Comparator.comparing(Episode::begin))
                .toList();
        return new FaultScript(seed, length, episodes);
    }
}
