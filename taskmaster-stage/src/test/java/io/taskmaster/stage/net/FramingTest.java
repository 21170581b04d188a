package io.taskmaster.stage.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests that the sink gets the same messages, each once and in order, however the bytes are cut, and whether or not the
 * sink refuses some.
 */
final class FramingTest {

    private static final int WORLDS = 300;

    @Test
    void messagesAreTheSameHoweverTheirBytesAreCut() {
        for (int seed = 0; seed < WORLDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int size = 1 + random.nextInt(50);
            Framing framing = switch (seed % 3) {
                case 0 -> Framing.fixed(size);
                case 1 -> Framing.lengthPrefixed(size);
                default -> Framing.lines(size);
            };
            List<Bytes> messages = messages(random, seed % 3 == 0, size);
            assertThat(arrived(random, framing, messages)).as("seed %d", seed).isEqualTo(messages);
        }
    }

    private static List<Bytes> messages(SplittableRandom random, boolean isFixed, int size) {
        List<Bytes> messages = new ArrayList<>();
        for (int count = random.nextInt(30); count > 0; count--) {
            byte[] bytes = new byte[isFixed ? size : random.nextInt(size + 1)];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = bytes[i] == '\n' || bytes[i] == '\r' ? (byte) '.' : bytes[i];
            }
            messages.add(Bytes.wrap(bytes));
        }
        return messages;
    }

    private static List<Bytes> arrived(SplittableRandom random, Framing framing, List<Bytes> messages) {
        List<Bytes> arrived = new ArrayList<>();
        Sink<Message> sink = message -> {
            if (random.nextInt(4) == 0) {
                return new Refused(Cause.FULL, Duration.ZERO);
            }
            arrived.add(message.payload());
            message.done();
            return Taken.ACCEPTED;
        };
        EmbeddedChannel channel = open(framing, sink, 1 + random.nextInt(3));
        ByteBuf stream = Unpooled.buffer();
        messages.forEach(message -> framing.write(message, stream));
        while (stream.isReadable()) {
            channel.writeInbound(stream.readBytes(Math.min(stream.readableBytes(), 1 + random.nextInt(70))));
            channel.runPendingTasks();
        }
        stream.release();
        for (int i = 0; i < 1_000 && arrived.size() < messages.size(); i++) {
            channel.runPendingTasks();
            channel.runScheduledPendingTasks();
        }
        channel.finishAndReleaseAll();
        return arrived;
    }

    private static EmbeddedChannel open(Framing framing, Sink<Message> sink, int maxInFlight) {
        EmbeddedChannel channel = new EmbeddedChannel();
        Endpoint endpoint = new Endpoint(
                "test",
                EndpointSettings.of(framing).maxInHand(maxInFlight),
                sink,
                channel.eventLoop(),
                channel.alloc());
        endpoint.begin(channel);
        channel.pipeline().fireChannelActive();
        return channel;
    }

    @Test
    void tooLongMessageEndsTheConnection() {
        for (Framing framing : List.of(Framing.lengthPrefixed(10), Framing.lines(10))) {
            ByteBuf stream = Unpooled.buffer();
            framing.write(Bytes.of("short"), stream);
            framing.write(Bytes.of("much too long"), stream);
            List<Bytes> arrived = new ArrayList<>();
            EmbeddedChannel channel = open(
                    framing,
                    message -> {
                        arrived.add(message.payload());
                        return Taken.ACCEPTED;
                    },
                    10);
            PeerConnection connection =
                    channel.pipeline().get(ConnectionHandler.class).connection();
            channel.writeInbound(stream);
            assertThat(arrived).containsExactly(Bytes.of("short"));
            assertThat(connection.ended().join().cause()).isEqualTo(CloseReason.Cause.TOO_LONG);
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void whatIsNoMessageIsNotSent() {
        assertThat(Framing.lengthPrefixed(3).fits(Bytes.of("long"))).isFalse();
        assertThat(Framing.lines(3).fits(Bytes.of("long"))).isFalse();
        assertThat(Framing.fixed(3).fits(Bytes.of("long"))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Framing.fixed(3).fits(Bytes.of("ab")))
                .withMessage("message: 2 bytes (expected: 3)");
        assertThatIllegalArgumentException().isThrownBy(() -> Framing.lines(3).fits(Bytes.of("a\n")));
        assertThatIllegalArgumentException().isThrownBy(() -> Framing.lines(0));
    }

    @Test
    void nothingIsSentOverAConnectionThatHasEnded() {
        EmbeddedChannel channel = open(Framing.lengthPrefixed(10), _ -> Taken.ACCEPTED, 10);
        PeerConnection connection =
                channel.pipeline().get(ConnectionHandler.class).connection();
        channel.writeInbound(Unpooled.buffer().writeInt(-1));
        assertThat(connection.ended().join().cause()).isEqualTo(CloseReason.Cause.TOO_LONG);
        Admission admission = connection.send(Bytes.of("x"));
        assertThat(admission)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.cause()).isEqualTo(Cause.CLOSED));
        channel.finishAndReleaseAll();
    }
}
