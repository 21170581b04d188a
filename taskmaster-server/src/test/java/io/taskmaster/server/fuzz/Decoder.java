package io.taskmaster.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A decoder of stored bytes under test. Whatever the bytes, it must decode them or throw its own exception, and not
 * allocate out of proportion to them.
 *
 * @param name for messages
 * @param refusal the exception for bytes that are invalid
 * @param decode the decoder
 */
public record Decoder(String name, Class<? extends RuntimeException> refusal, Function<byte[], Object> decode) {

    /** The fixed allocation: enough for the exception and for what classes allocate on first use. */
    private static final long ALLOWED_BYTES = 1L << 20;

    /** The allocation per input byte: an object for each, and its place in a list that grew. */
    private static final long ALLOWED_PER_BYTE = 256;

    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * Runs all decoders on mutated stored bytes and on random bytes. Fails if one does anything else than decode or
     * refuse them.
     */
    public static void tryOnRandomBytes(List<Decoder> decoders) throws IOException {
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
