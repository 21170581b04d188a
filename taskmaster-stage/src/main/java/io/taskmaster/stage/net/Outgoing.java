package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.taskmaster.model.Bytes;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits for the peer of one connection. Anybody adds to it; the thread of the connection takes what has gathered, puts it into one buffer, and
 * writes that, as long as the channel has not much of it already: what waits longer is not copied. Thread-safe.
 */
final class Outgoing {

    /** Hears, on the thread of the connection, what became of a buffer. */
    interface Hears {

        void sent(int messages, int bytes);

        void failed(Throwable cause);
    }

    /** Messages are gathered into a buffer until it has so much; a larger one has a buffer of its own. */
    private static final int GATHERED_BYTES = 64 << 10;

    private final Framing framing;
    private final long maxBytes;
    private final Share share;
    private final Queue<Bytes> queue = new ConcurrentLinkedQueue<>();

    /** Of messages in the queue, and of those that are handed to the channel and not sent. */
    private final AtomicLong waitingBytes = new AtomicLong();

    /** Of these, those that are handed to the channel. Single-threaded: owned by the thread of the connection. */
    private long handedBytes;

    /** Of buffers that are sent as a whole. Single-threaded: owned by the thread of the connection. */
    private long sentBytes;

    Outgoing(Framing framing, long maxBytes, Share share) {
        this.framing = framing;
        this.maxBytes = maxBytes;
        this.share = share;
    }

    boolean fits(Bytes message) {
        return framing.fits(message);
    }

    /**
     * @param always whether it is taken even if there is no room
     * @return false: no room, here or in the memory of the endpoint. If nothing waits here, and something is left of that, there is room for any message
     */
    boolean add(Bytes message, boolean always) {
        int size = framing.sizeOf(message);
        for (; ; ) {
            long before = waitingBytes.get();
            long after = before + size;
            // Never counted here if it is refused, not even for a moment: nobody would look again when it is taken
            // back.
            boolean isRoom = always || before == 0 || after <= maxBytes;
            if (!isRoom || !share.outputGrows(before, after, always)) {
                return false;
            }
            if (waitingBytes.compareAndSet(before, after)) {
                queue.add(message);
                return true;
            }
            share.outputFell(/* before= */ after, /* after= */ before);
        }
    }

    private void fell(int bytes) {
        long before = waitingBytes.getAndAdd(-bytes);
        share.outputFell(before, before - bytes);
    }

    long waitingBytes() {
        return waitingBytes.get();
    }

    boolean isEmpty() {
        return waitingBytes.get() == 0;
    }

    /** Whether there is something that is not handed to the channel. */
    boolean hasMore() {
        return !queue.isEmpty();
    }

    /** On the thread of the connection. */
    void write(Channel channel, Hears hears) {
        boolean any = false;
        for (Bytes next = queue.peek(); next != null && handedBytes < GATHERED_BYTES; next = queue.peek()) {
            int size = framing.sizeOf(next);
            ByteBuf buffer = channel.alloc().directBuffer((int)
                    Math.max(size, Math.min(GATHERED_BYTES, waitingBytes.get() - handedBytes)));
            int messages = 0;
            do {
                framing.write(next, buffer);
                queue.remove();
                messages++;
                next = queue.peek();
            } while (next != null && framing.sizeOf(next) <= GATHERED_BYTES - buffer.readableBytes());
            write(channel, buffer, messages, hears);
            any = true;
        }
        if (any) {
            channel.flush();
        }
    }

    private void write(Channel channel, ByteBuf buffer, int messages, Hears hears) {
        int bytes = buffer.readableBytes();
        handedBytes += bytes;
        ChannelFuture _ = channel.write(buffer).addListener(written -> {
            handedBytes -= bytes;
            fell(bytes);
            sentBytes += bytes;
            if (written.isSuccess()) {
                hears.sent(messages, bytes);
            } else {
                hears.failed(written.cause());
            }
        });
    }

    /** How many bytes the channel has got rid of, also of a buffer that is not sent as a whole; never fewer than before. On the thread of the connection. */
    long sentBytes(Channel channel) {
        ChannelOutboundBuffer handed = channel.unsafe().outboundBuffer();
        return sentBytes + (handed == null ? 0 : handed.currentProgress());
    }

    /** How many bytes it will have got rid of when all that waits is sent. On the thread of the connection. */
    long goalBytes() {
        return sentBytes + waitingBytes.get();
    }

    /** Nobody gets it. */
    void clear() {
        for (Bytes next = queue.poll(); next != null; next = queue.poll()) {
            fell(framing.sizeOf(next));
        }
    }
}
