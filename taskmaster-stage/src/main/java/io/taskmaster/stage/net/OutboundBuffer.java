package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.net.memory.Share;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The output of one connection: bytes that wait for its peer. Thread-safe.
 *
 * <p>Any thread adds messages. The thread of the connection gathers them into buffers and writes those, as long as the
 * channel does not have much already; messages beyond that wait without being copied.
 */
final class OutboundBuffer {

    /** A listener for the results of writes, on the thread of the connection. */
    interface Listener {

        void sent(int messages, int bytes);

        void failed(Throwable cause);
    }

    /** The size up to which messages are gathered into one buffer; a larger message has a buffer of its own. */
    private static final int MAX_GATHERED_BYTES = 64 << 10;

    private final Framing framing;
    private final long maxBytes;
    private final Share share;
    private final Queue<Bytes> queue = new ConcurrentLinkedQueue<>();

    /** The bytes of messages in the queue, and of those that are handed to the channel and not sent. */
    private final AtomicLong waitingBytes = new AtomicLong();

    /**
     * The bytes that are handed to the channel and not sent. Single-threaded: owned by the thread of the connection.
     */
    private long handedBytes;

    /**
     * The bytes of buffers that were sent completely, or have failed. Single-threaded: owned by the thread of the
     * connection.
     */
    private long sentBytes;

    OutboundBuffer(Framing framing, long maxBytes, Share share) {
        this.framing = framing;
        this.maxBytes = maxBytes;
        this.share = share;
    }

    boolean fits(Bytes message) {
        return framing.fits(message);
    }

    /**
     * Appends a message. If nothing waits here and memory is left, any message is taken.
     *
     * @param always whether it is taken even beyond the bounds
     * @return false if it is refused for want of space here or of memory of the endpoint
     */
    boolean add(Bytes message, boolean always) {
        int size = framing.sizeOf(message);
        for (; ; ) {
            long before = waitingBytes.get();
            long after = before + size;
            // A refused message must not be counted here even for a moment. The connection could take it for unread
            // bytes, and would not check again when it is subtracted.
            boolean fits = always || before == 0 || after <= maxBytes;
            if (!fits || !share.tryGrowOutput(before, after, always)) {
                return false;
            }
            if (waitingBytes.compareAndSet(before, after)) {
                queue.add(message);
                return true;
            }
            share.onOutputReleased(/* before= */ after, /* after= */ before);
        }
    }

    private void released(int bytes) {
        long before = waitingBytes.getAndAdd(-bytes);
        share.onOutputReleased(before, before - bytes);
    }

    long waitingBytes() {
        return waitingBytes.get();
    }

    boolean isEmpty() {
        return waitingBytes.get() == 0;
    }

    /** Returns whether there are messages that are not handed to the channel. */
    boolean hasMore() {
        return !queue.isEmpty();
    }

    /** Writes what has gathered. On the thread of the connection. */
    void write(Channel channel, Listener listener) {
        boolean any = false;
        // Only this much is with the channel at a time; what is added meanwhile gathers for the next buffer.
        for (Bytes next = queue.peek(); next != null && handedBytes < MAX_GATHERED_BYTES; next = queue.peek()) {
            int size = framing.sizeOf(next);
            ByteBuf buffer = channel.alloc().directBuffer((int)
                    Math.max(size, Math.min(MAX_GATHERED_BYTES, waitingBytes.get() - handedBytes)));
            int messages = 0;
            do {
                framing.write(next, buffer);
                queue.remove();
                messages++;
                next = queue.peek();
            } while (next != null && framing.sizeOf(next) <= MAX_GATHERED_BYTES - buffer.readableBytes());
            write(channel, buffer, messages, listener);
            any = true;
        }
        if (any) {
            channel.flush();
        }
    }

    private void write(Channel channel, ByteBuf buffer, int messages, Listener listener) {
        int bytes = buffer.readableBytes();
        handedBytes += bytes;
        channel.write(buffer).addListener(written -> {
            handedBytes -= bytes;
            released(bytes);
            sentBytes += bytes;
            if (written.isSuccess()) {
                listener.sent(messages, bytes);
            } else {
                listener.failed(written.cause());
            }
        });
    }

    /**
     * The number of bytes that the channel has sent, those of a buffer that is sent in part included; never decreases.
     * On the thread of the connection.
     */
    long sentBytes(Channel channel) {
        ChannelOutboundBuffer handed = channel.unsafe().outboundBuffer();
        return sentBytes + (handed == null ? 0 : handed.currentProgress());
    }

    /** The number of bytes that will have been sent when all that waits now is. On the thread of the connection. */
    long acceptedBytes() {
        return sentBytes + waitingBytes.get();
    }

    /** Drops messages that are not handed to the channel. */
    void clear() {
        for (Bytes next = queue.poll(); next != null; next = queue.poll()) {
            released(framing.sizeOf(next));
        }
    }
}
