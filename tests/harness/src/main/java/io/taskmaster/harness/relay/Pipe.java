package io.taskmaster.harness.relay;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A direction of a connection: one thread reads, another writes. The bytes in flight between them are bounded, so that
 * a sender meets the same backpressure as on a slow network. Bytes keep their order, and none is lost except by a cut.
 */
final class Pipe {

    private static final int BUFFER_BYTES = 1 << 14;
    private static final int MAX_CHUNKS = 256;

    /** Some bytes in flight; none mark the end of the direction. */
    private record Chunk(ByteBuffer bytes, long dueNanos) {}

    private final ByteFlow byteFlow;
    private final Socket from;
    private final Socket to;
    private final LinkConditions linkConditions;
    private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(MAX_CHUNKS);

    Pipe(ByteFlow byteFlow, Socket from, Socket to, LinkConditions linkConditions) {
        this.byteFlow = byteFlow;
        this.from = from;
        this.to = to;
        this.linkConditions = linkConditions;
    }

    /** Reads until the end of the input. */
    void read() throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int count = from.getInputStream().read(buffer);
        while (count >= 0) {
            chunks.put(new Chunk(ByteBuffer.wrap(Arrays.copyOf(buffer, count)), linkConditions.dueNanos()));
            count = from.getInputStream().read(buffer);
        }
        chunks.put(new Chunk(ByteBuffer.allocate(0), linkConditions.dueNanos()));
    }

    /** Writes each chunk when the network lets it pass, until the end. */
    void write() throws IOException, InterruptedException {
        Chunk chunk = chunks.take();
        while (chunk.bytes().hasRemaining()) {
            linkConditions.awaitPassage(byteFlow, chunk.dueNanos());
            to.getOutputStream().write(chunk.bytes().array());
            chunk = chunks.take();
        }
        linkConditions.awaitPassage(byteFlow, chunk.dueNanos());
        to.shutdownOutput();
    }
}
