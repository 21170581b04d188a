package io.taskmaster.harness.fault;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A script of faults with their times. The same seed, kinds and length make the same script. Immutable.
 *
 * <p>Each part of the system (server, network, workers, store) has one fault at a time and a pause after it. The pause
 * is mostly long enough to recover, and one time in five too short. Parts are independent of each other, so their
 * faults overlap. All faults end within the length.
 *
 * @param seed the seed from which it was drawn
 * @param length the time from its beginning until everything works again
 * @param episodes in the order of their beginning
 */
public record FaultScript(long seed, Duration length, List<Episode> episodes) {

    /** The shortest pause that is meant for recovery. */
    static final Duration REAL_PAUSE = Duration.ofMillis(1_500);

    /**
     * A fault with its beginning and end.
     *
     * @param begin since the beginning of the script
     * @param end since the beginning of the script
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

    /**
     * Draws a script with faults of these kinds. Each kind of a part occurs before another of the same part occurs
     * twice.
     */
    public static FaultScript draw(long seed, Set<FaultKind> kinds, Duration length) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Episode> episodes = Arrays.stream(FaultKind.Part.values())
                .flatMap(part -> {
                    // Split in any case, so that the faults of one part do not depend on which other parts have faults.
                    SplittableRandom own = random.split();
                    List<FaultKind> ofPart = kinds.stream()
                            .filter(kind -> kind.part().alternatingPart() == part)
                            .sorted()
                            .toList();
                    return new Drawing(own, ofPart, length).draw().stream();
                })
                .sorted(Comparator.comparing(Episode::begin))
                .toList();
        return new FaultScript(seed, length, episodes);
    }
}
