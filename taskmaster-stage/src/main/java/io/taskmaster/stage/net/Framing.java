package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.net.Decoder.Remainder;
import java.util.List;

/** The framing of messages in a stream of bytes. Immutable. */
public abstract sealed class Framing {

    /** The largest message that may be allowed. */
    public static final int MAX_BYTES = 1 << 30;

    private static final int PREFIX_BYTES = 4;

    /** The event in the pipeline of a connection whose peer ends in the middle of a message. */
    enum Cut {
        SHORT
    }

    private final int maxBytes;

    private Framing(int maxBytes) {
        if (maxBytes < 1 || maxBytes > MAX_BYTES) {
            throw new IllegalArgumentException("bytes: %d (expected: 1 to %d)".formatted(maxBytes, MAX_BYTES));
        }
        this.maxBytes = maxBytes;
    }

    /** Messages of a fixed length. */
    public static Framing fixed(int bytes) {
        return new Fixed(bytes);
    }

    /** Messages with their length before them, in four bytes, big-endian. */
    public static Framing lengthPrefixed(int maxBytes) {
        return new LengthPrefixed(maxBytes);
    }

    /**
     * Messages that are lines. A line ends with a line feed, which, with a carriage return before it, is not part of
     * the message.
     */
    public static Framing lines(int maxBytes) {
        return new Lines(maxBytes);
    }

    /** The size of the largest message, in bytes. */
    public final int maxBytes() {
        return maxBytes;
    }

    /** Makes a decoder, which finds one message at each call. */
    abstract Decoder decoder();

    /**
     * Returns whether a message is not too large.
     *
     * @throws IllegalArgumentException if it is not a message of this framing
     */
    boolean fits(Bytes message) {
        return message.size() <= maxBytes;
    }

    /** The number of bytes that a message takes with its framing. */
    abstract int sizeOf(Bytes message);

    abstract void write(Bytes message, ByteBuf to);

    private static <D extends ByteToMessageDecoder & Remainder> Decoder oneByOne(D decoder) {
        Cumulation cumulation = new Cumulation();
        decoder.setSingleDecode(true);
        decoder.setCumulator(cumulation);
        return new Decoder(decoder, decoder, cumulation);
    }

    private static void fireIfCut(ChannelHandlerContext context, ByteBuf remaining) {
        if (remaining.isReadable()) {
            context.fireUserEventTriggered(Cut.SHORT);
        }
    }

    private static final class Fixed extends Framing {

        private Fixed(int bytes) {
            super(bytes);
        }

        @Override
        Decoder decoder() {
            return oneByOne(new FixedDecoder(maxBytes()));
        }

        @Override
        boolean fits(Bytes message) {
            if (message.size() < maxBytes()) {
                throw new IllegalArgumentException(
                        "message: %d bytes (expected: %d)".formatted(message.size(), maxBytes()));
            }
            return super.fits(message);
        }

        @Override
        int sizeOf(Bytes message) {
            return message.size();
        }

        @Override
        void write(Bytes message, ByteBuf to) {
            to.writeBytes(message.unsafeArray());
        }
    }

    private static final class LengthPrefixed extends Framing {

        private LengthPrefixed(int maxBytes) {
            super(maxBytes);
        }

        @Override
        Decoder decoder() {
            // Netty counts the prefix as a part of the frame.
            int max = maxBytes() + PREFIX_BYTES;
            return oneByOne(new PrefixDecoder(max));
        }

        @Override
        int sizeOf(Bytes message) {
            return PREFIX_BYTES + message.size();
        }

        @Override
        void write(Bytes message, ByteBuf to) {
            to.writeInt(message.size()).writeBytes(message.unsafeArray());
        }
    }

    private static final class Lines extends Framing {

        private Lines(int maxBytes) {
            super(maxBytes);
        }

        @Override
        Decoder decoder() {
            return oneByOne(new LineDecoder(maxBytes()));
        }

        @Override
        boolean fits(Bytes message) {
            for (byte one : message.unsafeArray()) {
                if (one == '\n') {
                    throw new IllegalArgumentException("message: has a line feed (expected: one line)");
                }
            }
            return super.fits(message);
        }

        @Override
        int sizeOf(Bytes message) {
            return message.size() + 1;
        }

        @Override
        void write(Bytes message, ByteBuf to) {
            to.writeBytes(message.unsafeArray()).writeByte('\n');
        }
    }

    private static final class FixedDecoder extends FixedLengthFrameDecoder implements Remainder {

        FixedDecoder(int bytes) {
            super(bytes);
        }

        @Override
        protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            super.decodeLast(context, in, out);
            fireIfCut(context, in);
        }

        @Override
        public ByteBuf remainder() {
            return internalBuffer();
        }
    }

    private static final class PrefixDecoder extends LengthFieldBasedFrameDecoder implements Remainder {

        PrefixDecoder(int maxBytes) {
            super(maxBytes, 0, PREFIX_BYTES, 0, PREFIX_BYTES);
        }

        @Override
        protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            super.decodeLast(context, in, out);
            fireIfCut(context, in);
        }

        @Override
        public ByteBuf remainder() {
            return internalBuffer();
        }
    }

    private static final class LineDecoder extends LineBasedFrameDecoder implements Remainder {

        LineDecoder(int maxBytes) {
            // The last argument has a line fail once it is too long, and not only at its end, which may never come.
            super(maxBytes, true, true);
        }

        @Override
        protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            super.decodeLast(context, in, out);
            fireIfCut(context, in);
        }

        @Override
        public ByteBuf remainder() {
            return internalBuffer();
        }
    }
}
