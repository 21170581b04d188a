package io.taskmaster.testkit.relay;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One direction of one connection: one thread reads, another writes, and what is on its way between them is bounded, so that a sender
 * meets the same back pressure as on a slow network. Bytes keep their order, and none is lost but by a cut.
 */
final class Pipe {

    private static final int BUFFER_BYTES = 1 << 14;
    private static final int MAX_CHUNKS = 256;

    /** Some bytes on their way; none: the sender has nothing more to say. */
    private record Chunk(ByteBuffer bytes, long dueNanos) {}

    private final Flow flow;
    private final Socket from;
    private final Socket to;
    private final Weather weather;
    private final BlockingQueue<Chunk> way = new ArrayBlockingQueue<>(MAX_CHUNKS);

    Pipe(Flow flow, Socket from, Socket to, Weather weather) {
        this.flow = flow;
        this.from = from;
        this.to = to;
        this.weather = weather;
    }

    /** Takes in what comes, until its end. */
    void read() throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int count = from.getInputStream().read(buffer);
        while (count >= 0) {
            way.put(new Chunk(ByteBuffer.wrap(Arrays.copyOf(buffer, count)), weather.dueNanos()));
            count = from.getInputStream().read(buffer);
        }
        way.put(new Chunk(ByteBuffer.allocate(0), weather.dueNanos()));
    }

    /** Hands on what came in, as the weather permits, until its end. */
    void write() throws IOException, InterruptedException {
        Chunk chunk = way.take();
        while (chunk.bytes().hasRemaining()) {
            weather.awaitPassage(flow, chunk.dueNanos());
            to.getOutputStream().write(chunk.bytes().array());
            chunk = way.take();
        }
        weather.awaitPassage(flow, chunk.dueNanos());
        to.shutdownOutput();
    }
}
