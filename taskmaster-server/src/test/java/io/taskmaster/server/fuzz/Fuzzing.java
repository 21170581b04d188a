package io.taskmaster.server.fuzz;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A fuzzing loop over inputs from seeds 0, 1, 2 …, for {@code -Dtaskmaster.fuzz.seconds} (default 2). A failure names
 * its seed, from which alone its input comes; {@code -Dtaskmaster.fuzz.seed} sets the first seed.
 */
public final class Fuzzing {

    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("taskmaster.fuzz.seconds", 2));
    private static final long FIRST_SEED = Long.getLong("taskmaster.fuzz.seed", 0);

    /** An attempt: creates an input and tries it. */
    public interface Attempt {

        void with(SplittableRandom random) throws Exception;
    }

    private Fuzzing() {}

    /** Runs attempts. Returns the number of inputs that were tried. */
    public static long run(Attempt attempt) {
        long end = System.nanoTime() + LENGTH.toNanos();
        long seed = FIRST_SEED;
        do {
            try {
                attempt.with(new SplittableRandom(seed));
            } catch (Exception | AssertionError | StackOverflowError | OutOfMemoryError e) {
                throw new AssertionError("taskmaster.fuzz.seed=" + seed, e);
            }
            seed++;
        } while (System.nanoTime() < end);
        return seed - FIRST_SEED;
    }

    /** Returns a mutation: cut, extended, overwritten, with boundary values. */
    public static byte[] mutated(byte[] bytes, SplittableRandom random) {
        byte[] mutated = bytes.clone();
        for (int i = random.nextInt(5); i > 0; i--) {
            mutated = switch (random.nextInt(6)) {
                case 0 -> Arrays.copyOf(mutated, random.nextInt(mutated.length + 1));
                case 1 -> Arrays.copyOf(mutated, mutated.length + random.nextInt(20));
                case 2 -> spliced(mutated, random);
                default -> overwritten(mutated, random);
            };
        }
        return mutated;
    }

    private static byte[] overwritten(byte[] bytes, SplittableRandom random) {
        if (bytes.length > 0) {
            byte[] edges = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff, '"', '{', '['};
            bytes[random.nextInt(bytes.length)] =
                    random.nextBoolean() ? edges[random.nextInt(edges.length)] : (byte) random.nextInt();
        }
        return bytes;
    }

    /** Repeats a part of the bytes at another place. */
    private static byte[] spliced(byte[] bytes, SplittableRandom random) {
        int from = random.nextInt(bytes.length + 1);
        int length = random.nextInt(Math.min(40, bytes.length - from) + 1);
        int at = random.nextInt(bytes.length + 1);
        byte[] spliced = new byte[bytes.length + length];
        System.arraycopy(bytes, 0, spliced, 0, at);
        System.arraycopy(bytes, from, spliced, at, length);
        System.arraycopy(bytes, at, spliced, at + length, bytes.length - at);
        return spliced;
    }
}
