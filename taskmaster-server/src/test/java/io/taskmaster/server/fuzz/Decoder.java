package io.taskmaster.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Something that reads stored bytes: whatever they are, it reads them or refuses them by the one exception that it has for that, and
 * does not allocate out of proportion to them.
 *
 * @param refusal what it throws about bytes that nobody wrote
 */
public record Decoder(String name, Class<? extends RuntimeException> refusal, Function<byte[], Object> decode) {

    /** Enough for the exception and for what classes allocate when they are used first. */
    private static final long ALLOWED_BYTES = 1L << 20;

    /** An object for every byte, and its place in a list that grew. */
    private static final long ALLOWED_PER_BYTE = 256;

    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Tries them all on stored bytes that were changed, and on bytes of no meaning; fails if one does anything else. */
    public static void tryOnWhatNobodyWrote(List<Decoder> decoders) throws IOException {
        var samples = new StoredSamples();

        long tried = Fuzzing.run(random -> {
            byte[] bytes = samples.mutated(random);
            decoders.forEach(decoder -> decoder.tryOn(bytes));
        });

        assertThat(tried).isGreaterThan(100);
    }

    private void tryOn(byte[] bytes) {
        long before = THREAD.getCurrentThreadAllocatedBytes();
        try {
            assertThat(decode.apply(bytes)).isNotNull();
        } catch (RuntimeException e) {
            if (!refusal.isInstance(e)) {
                throw new AssertionError(name + " of " + Arrays.toString(bytes), e);
            }
        }
        assertThat(THREAD.getCurrentThreadAllocatedBytes() - before)
                .as("bytes that %s allocated for %d", name, bytes.length)
                .isLessThan(ALLOWED_BYTES + ALLOWED_PER_BYTE * bytes.length);
    }
}
