package io.taskmaster.stage.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of peers that make no progress while the memory of an endpoint is short, on a clock that only the test
 * advances.
 */
final class MemoryPressureTest {

    private static final Framing LARGE = Framing.lengthPrefixed(1 << 20);
    private static final int HALF = 50_000;

    /** A size above the common bytes of all connections, and below the bytes that make a connection clogged. */
    private static final int ALL = 55_000;

    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final Map<EmbeddedChannel, ByteBuf> arrived = new HashMap<>();
    private final EmbeddedChannel clock = channel();
    private final Endpoint endpoint = new Endpoint(
            "test",
            EndpointSettings.of(LARGE)
                    .maxConnections(10)
                    .maxMemoryBytes(100_000)
                    .clogged(60_000, Duration.ofSeconds(30)),
            message -> {
                message.answer(message.payload());
                return Taken.ACCEPTED;
            },
            clock.eventLoop(),
            clock.alloc());

    @AfterEach
    void end() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
        arrived.values().forEach(ByteBuf::release);
    }

    @Test
    void peersThatDoNotFinishTheirMessagesAreEndedIfOthersWait() {
        EmbeddedChannel stalled = halfMessage();
        EmbeddedChannel beyond = halfMessage();
        EmbeddedChannel small = connected();
        receive(small, 1_000);
        pass(Duration.ofHours(1));
        // One has exceeded the budget, and no other connection had to wait for that.
        assertThat(endpoint.status().connections()).isEqualTo(3);
        assertThat(endpoint.status().inputBytes()).isEqualTo(2 * HALF + 1_000 + 3 * 4);

        EmbeddedChannel waiting = halfMessage();
        assertThat(endpoint.status().waitingForMemory()).isEqualTo(1);
        assertThat(endpoint.status().paused()).isEqualTo(1);
        pass(Duration.ofSeconds(29));
        assertThat(endpoint.status().connections()).isEqualTo(4);
        pass(Duration.ofSeconds(10));
        assertThat(stalled.isOpen()).isFalse();
        assertThat(beyond.isOpen()).isFalse();
        assertThat(endpoint.status().ended(CloseReason.Cause.STALLED)).isEqualTo(2);
        // It holds only its own part; and the one that waited had no chance to send more.
        assertThat(small.isOpen()).isTrue();
        assertThat(waiting.isOpen()).isTrue();
        assertThat(endpoint.status().waitingForMemory()).isZero();
        pass(Duration.ofHours(1));
        assertThat(endpoint.status().connections()).isEqualTo(2);
    }

    @Test
    void peersThatDoNotReadLittleThatWaitsAreEndedIfOthersWait() {
        EmbeddedChannel slow = deaf();
        EmbeddedChannel other = connected();
        assertThat(connection(slow).send(Bytes.wrap(new byte[ALL])).isTaken()).isTrue();
        run();
        pass(Duration.ofHours(1));
        assertThat(slow.isOpen()).isTrue();

        assertThat(connection(other).send(Bytes.wrap(new byte[5_000])))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.cause()).isEqualTo(Admission.Cause.FULL));
        assertThat(connection(other).send(Bytes.wrap(new byte[1_000])).isTaken())
                .isTrue();
        for (int seconds = 0; seconds < 60 && slow.isOpen(); seconds++) {
            pass(Duration.ofSeconds(1));
            var _ = connection(other).send(Bytes.wrap(new byte[HALF]));
        }
        assertThat(endpoint.status().ended(CloseReason.Cause.CLOGGED)).isEqualTo(1);
        assertThat(connection(other).send(Bytes.wrap(new byte[HALF])).isTaken()).isTrue();
    }

    @Test
    void nothingIsGivenToTheSinkWhileAnswersHoldAll() {
        EmbeddedChannel slow = deaf();
        EmbeddedChannel other = connected();
        receiveAll(slow, ALL);
        receiveAll(other, 100);
        assertThat(endpoint.status().messagesIn()).isEqualTo(1);
        pass(Duration.ofSeconds(40));
        assertThat(endpoint.status().ended(CloseReason.Cause.CLOGGED)).isEqualTo(1);
        assertThat(endpoint.status().messagesIn()).isEqualTo(2);
        other.releaseOutbound();
    }

    @Test
    void oneThatDoesNotAcceptForWantOfDescriptorsTriesAgainAfterAWhile() {
        EmbeddedChannel listening = channel();
        listening.config().setAutoRead(false);
        listening.pipeline().addLast(new ConnectionAdmission(endpoint));
        listening.pipeline().fireChannelActive();
        assertThat(listening.config().isAutoRead()).isTrue();
        listening.pipeline().fireExceptionCaught(new IOException("Too many open files"));
        assertThat(listening.config().isAutoRead()).isFalse();
        assertThat(endpoint.status().acceptFailures()).isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(listening.config().isAutoRead()).isTrue();
        assertThat(endpoint.status().acceptStops()).isZero();
    }

    /** Returns a connection whose peer reads nothing. */
    private EmbeddedChannel deaf() {
        EmbeddedChannel channel = connected();
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                context.channel().closeFuture().addListener(_ -> promise.tryFailure(new ClosedChannelException()));
            }
        });
        return channel;
    }

    private void receiveAll(EmbeddedChannel channel, int bytes) {
        arrives(channel, Unpooled.buffer().writeInt(bytes).writeZero(bytes));
        run();
    }

    private EmbeddedChannel halfMessage() {
        EmbeddedChannel channel = connected();
        receive(channel, HALF);
        return channel;
    }

    /** Receives the first half of a message. */
    private void receive(EmbeddedChannel channel, int bytes) {
        arrives(channel, Unpooled.buffer().writeInt(2 * bytes).writeZero(bytes));
        run();
    }

    private void arrives(EmbeddedChannel channel, ByteBuf bytes) {
        arrived.put(channel, bytes);
    }

    /** Reads like a socket that has bytes available. */
    private void read(EmbeddedChannel channel, ByteBuf bytes) {
        while (bytes.isReadable()
                && channel.isOpen()
                && channel.pipeline().get(Traffic.class).isReadRequested()) {
            ByteBuf piece =
                    channel.config().getRecvByteBufAllocator().newHandle().allocate(channel.alloc());
            piece.writeBytes(bytes, Math.min(bytes.readableBytes(), piece.writableBytes()));
            channel.writeInbound(piece);
        }
    }

    private EmbeddedChannel connected() {
        EmbeddedChannel channel = channel();
        endpoint.begin(channel);
        channel.pipeline().fireChannelActive();
        return channel;
    }

    private static PeerConnection connection(EmbeddedChannel channel) {
        return channel.pipeline().get(ConnectionHandler.class).connection();
    }

    private EmbeddedChannel channel() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channels.add(channel);
        return channel;
    }

    private void pass(Duration time) {
        for (long seconds = time.toSeconds(); seconds > 0; seconds--) {
            channels.forEach(channel -> channel.advanceTimeBy(1, TimeUnit.SECONDS));
            run();
        }
    }

    private void run() {
        arrived.forEach(this::read);
        for (EmbeddedChannel channel : channels) {
            channel.runScheduledPendingTasks();
            channel.runPendingTasks();
        }
    }
}
