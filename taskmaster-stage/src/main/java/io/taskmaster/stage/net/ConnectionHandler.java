package io.taskmaster.stage.net;

import static java.util.Objects.requireNonNullElseGet;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.net.memory.ReadRequests;
import io.taskmaster.stage.net.memory.Share;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one connection, from its first byte to its end. Single-threaded: owned by one event loop. Other threads
 * may call the queries and the actions, which do not block: an action changes atomic fields or schedules a step on the
 * event loop. Output and messages that are done call a {@link #turn}, one for all that has gathered.
 *
 * <p>A message is <i>in flight</i> from when the sink has taken it until it is answered or done.
 *
 * <p>Reading is by request. The socket is read when the decoder has no whole message left, the sink has taken the
 * previous message, fewer than {@link EndpointSettings#maxInHand} messages are in flight, the peer reads what it gets
 * ({@link SlowPeerGuard}), and there is memory ({@link Share}). So at most one message, and the bytes of one read, are
 * held here. Otherwise TCP exerts backpressure on the peer.
 *
 * <p>A message that the sink refuses waits in the {@link WaitQueue} of the event loop, in which connections are served
 * first come, first served.
 *
 * <p>Before the socket is closed in order, messages in flight are answered and all bytes are sent. Then the connection
 * lingers ({@link Linger}).
 *
 * <pre>{@code
 * state   | event                              | next state | effect
 * OPEN    | a message, and nothing in the way  | OPEN       | offered to the sink; the next one is decoded
 * OPEN    | close, drain, the sink is closed   | LEAVING    | no more is read; a held message is dropped
 * OPEN    | the peer ends its side             | LEAVING    | held messages are still offered
 * OPEN    | the peer ends within a message     | LEAVING    | the ending is CUT
 * LEAVING | nothing in flight, all is sent     | OVER       | output is shut down; the socket is closed after the
 *         |                                    |            | linger time, or at once if the peer has ended its side
 * OPEN,   | abort, deadline, idle, clogged,    | OVER       | the socket is closed at once
 * LEAVING | stalled, broken, too long, failed  |            |
 * any     | the socket is closed               | GONE       | memory is returned; the future of the ending completes
 * }</pre>
 *
 * {@code OPEN}: {@link #leaving} and {@link #closeReason} are null. {@code LEAVING}: {@link #leaving} has the ending,
 * or {@link #inputOver} is set. {@code OVER}: {@link #closeReason} is set, and nothing is taken or sent any more.
 * {@code GONE}: {@link #ended} is complete.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter implements OutboundBuffer.Hears {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

    private static final Refused CLOSED = new Refused(Admission.Cause.CLOSED, Duration.ofMillis(100));
    private static final Refused FULL = new Refused(Admission.Cause.FULL, Duration.ofMillis(100));
    private static final Refused TOO_LARGE = new Refused(Admission.Cause.TOO_LARGE, Duration.ofMillis(100));

    private final Endpoint endpoint;
    private final EndpointSettings settings;
    private final EndpointCounters endpointCounters;
    private final Channel channel;
    private final Decoder decoder;
    private final Traffic traffic;
    private final WaitQueue line;
    private final Share share;
    private final OutboundBuffer outboundBuffer;
    private final SlowPeerGuard slowPeerGuard;
    private final StallDetector stallDetector;
    private final PeerConnection connection = new PeerConnection(this);
    private final CompletableFuture<CloseReason> ended = new CompletableFuture<>();
    private final MessagesInFlight inFlight;
    private final AtomicBoolean isCalled = new AtomicBoolean();

    private volatile @Nullable CloseReason closeReason;
    private @Nullable CloseReason leaving;
    private final HeldMessages held = new HeldMessages();
    private boolean inputOver;
    private boolean proceeding;
    private boolean paused;

    ConnectionHandler(Endpoint endpoint, Channel channel, Decoder decoder, Traffic traffic, WaitQueue line) {
        this.endpoint = endpoint;
        this.settings = endpoint.settings();
        this.endpointCounters = endpoint.endpointCounters();
        this.channel = channel;
        this.decoder = decoder;
        this.traffic = traffic;
        this.line = line;
        this.share = new Share(endpoint.budget(), () -> execute(this::takeTurn));
        this.outboundBuffer = new OutboundBuffer(settings.writes(), settings.maxWaitingBytes(), share);
        this.slowPeerGuard = new SlowPeerGuard(settings, outboundBuffer, channel, this::endAsClogged);
        this.inFlight = new MessagesInFlight(settings.maxInHand());
        this.stallDetector = new StallDetector(settings, share, outboundBuffer, channel);
    }

    // Queries. Any thread may call them.

    PeerConnection connection() {
        return connection;
    }

    SocketAddress peer() {
        return channel.remoteAddress();
    }

    CompletableFuture<CloseReason> ended() {
        return ended.copy();
    }

    long waitingBytes() {
        return outboundBuffer.waitingBytes();
    }

    long inputBytes() {
        return share.inputBytes();
    }

    int inHand() {
        return inFlight.count();
    }

    boolean isOver() {
        return closeReason != null;
    }

    // Actions. Any thread may call them.

    Admission send(Bytes message, boolean always) {
        if (!outboundBuffer.fits(message)) {
            return TOO_LARGE;
        }
        if (isOver()) {
            return CLOSED;
        }
        if (!outboundBuffer.add(message, always)) {
            return FULL;
        }
        call(this::turnCalled);
        return Taken.ACCEPTED;
    }

    /** Counts a message that is not in flight any more, and calls those that wait for that. */
    void freed() {
        if (inFlight.end()) {
            call(this::turnCalled);
        }
        endpoint.freed();
    }

    void dropped(Message message, String reason) {
        endpoint.dropped(message, reason);
    }

    /** Ends it in order. */
    void close(CloseReason why) {
        execute(() -> leave(why));
    }

    /** Ends it at once. */
    void abort(CloseReason why) {
        execute(() -> end(why));
    }

    /** Ends it if it holds much while memory is short and its peer makes no progress. */
    void look(long shortSinceNanos) {
        execute(() -> {
            if (!isOver()) {
                stallDetector.look(shortSinceNanos).ifPresent(this::end);
            }
        });
    }

    private void call(Runnable turn) {
        if (isCalled.compareAndSet(false, true)) {
            execute(turn);
        }
    }

    private void execute(Runnable step) {
        try {
            channel.eventLoop().execute(step);
        } catch (RejectedExecutionException gone) {
            LOG.debug("{}: the sockets are closed", connection, gone);
        }
    }

    // Steps on its event loop.

    private void turnCalled() {
        // Cleared first, so that whatever is added from now on calls another turn.
        isCalled.set(false);
        turn();
    }

    private void turn() {
        if (isOver()) {
            outboundBuffer.clear();
            return;
        }
        outboundBuffer.write(channel, this);
        slowPeerGuard.look();
        proceed();
        endIfAllIsSaid();
    }

    /** Goes on reading once the budget has memory for what the peer has sent. */
    private void takeTurn() {
        share.begin();
        proceed();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel.config().setRecvByteBufAllocator(ReadRequests.of(share));
        // From now on the channel remembers the address, even when it is closed.
        peer();
        endpoint.opened(this);
        proceed();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        if (isOver() || leaving != null || !(frame instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(frame);
            return;
        }
        try {
            Message message = new Message(this, Bytes.wrap(ByteBufUtil.getBytes(bytes)));
            held.add(message);
            stallDetector.completes();
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        stallDetector.reads();
        proceed();
    }

    /** Brings messages to the sink as long as nothing is in the way, then asks for a read. */
    void proceed() {
        // Decoding calls back into this handler, which would begin another loop.
        if (proceeding) {
            return;
        }
        proceeding = true;
        try {
            boolean wantsMore = false;
            while (!wantsMore && mayGoOn()) {
                wantsMore = held.isEmpty() && !decodeNext();
                if (!held.isEmpty() && !bring()) {
                    break;
                }
            }
            share.inputIs(held.bytes() + decoder.heldBytes());
            if (isLeaving()) {
                share.readsNoMore();
            } else if (wantsMore && !inputOver) {
                askForMore();
            }
            pause((!wantsMore || share.isWaiting()) && !isOver() && leaving == null);
        } finally {
            proceeding = false;
        }
        endIfAllIsSaid();
    }

    private boolean mayGoOn() {
        // If the peer reads too little, either a turn was called that will see it, or one has seen it.
        return !isOver() && leaving == null && !slowPeerGuard.isTried() && inFlight.hasRoom();
    }

    private void askForMore() {
        if (!traffic.isAsked() && share.mayRead()) {
            decode(decoder::trim);
            stallDetector.asks(decoder.heldBytes() > 0);
            traffic.ask(channel);
        }
    }

    /** Decodes the next message, which is held from then on. Returns false if the decoder has none. */
    private boolean decodeNext() {
        decode(decoder::next);
        return !held.isEmpty();
    }

    private void decode(Decoder.Step step) {
        try {
            decoder.run(channel, step);
        } catch (Exception e) {
            broken(e);
        }
    }

    /** Offers the held message to the sink. Returns false if it has to wait in line. */
    private boolean bring() {
        // Connections that wait in line go first.
        if (line.isEmpty() && offer().isEmpty()) {
            return true;
        }
        line.join(this);
        return false;
    }

    /**
     * Offers the held message to the sink.
     *
     * @return empty if there is nothing left to offer; otherwise the time after which it may be worth another try
     */
    Optional<Duration> offer() {
        Message message = held.first();
        if (message == null) {
            return Optional.empty();
        }
        if (!share.mayAsk()) {
            return Optional.of(FULL.retryAfter());
        }
        inFlight.begin();
        Admission said = ask(message);
        if (said instanceof Refused(Admission.Cause cause, Duration retryAfter)) {
            inFlight.takeBack();
            boolean isNever = cause == Admission.Cause.CLOSED || cause == Admission.Cause.TOO_LARGE;
            if (!isNever) {
                return Optional.of(retryAfter);
            }
            leave(new CloseReason(CloseReason.Cause.UNWANTED, "the sink refuses a message: " + cause));
            return Optional.empty();
        }
        held.removeFirst();
        share.messageTaken();
        endpointCounters.messagesIn.increment();
        if (said == Taken.SPILLED) {
            message.done();
        }
        return Optional.empty();
    }

    @SuppressWarnings("CatchingUnchecked") // A sink's exception must not affect other connections.
    private Admission ask(Message message) {
        try {
            return endpoint.sink().offer(message);
        } catch (Throwable e) {
            LOG.warn("endpoint {}: its sink failed", endpoint.name(), e);
            end(new CloseReason(CloseReason.Cause.FAILED, "the sink failed: " + e));
            return CLOSED;
        }
    }

    private void pause(boolean now) {
        if (now != paused) {
            paused = now;
            endpointCounters.paused(now);
        }
    }

    @Override
    public void sent(int messages, int bytes) {
        endpointCounters.messagesOut.add(messages);
        endpointCounters.bytesOut.add(bytes);
        if (slowPeerGuard.isRunning() || leaving != null || inputOver || outboundBuffer.hasMore()) {
            call(this::turnCalled);
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (cause instanceof IOException) {
            end(new CloseReason(CloseReason.Cause.BROKEN, String.valueOf(cause.getMessage())));
        } else {
            LOG.warn("{}: failed", connection, cause);
            end(new CloseReason(CloseReason.Cause.FAILED, String.valueOf(cause)));
        }
    }

    private void endAsClogged() {
        end(CloseReason.clogged(outboundBuffer.waitingBytes(), settings.cloggedAfter()));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        switch (event) {
            case Framing.Cut cut
            when leaving == null ->
                leaving = new CloseReason(CloseReason.Cause.CUT, "the peer closed in the middle of a message");
            case ChannelInputShutdownEvent shutdown when isOver() -> shut();
            case ChannelInputShutdownEvent shutdown -> {
                inputOver = true;
                inFlight.awaitEnds();
                proceed();
            }
            case IdleStateEvent idle when inFlight.count() == 0 && held.isEmpty() -> endUnlessItReads();
            default -> context.fireUserEventTriggered(event);
        }
    }

    /**
     * Ends an idle connection: no byte has come for the idle time, and no buffer was sent. A buffer that is being sent
     * may be a large one, for a peer that reads slowly.
     */
    private void endUnlessItReads() {
        if (outboundBuffer.isEmpty()) {
            end(CloseReason.idle(settings.idle().orElseThrow()));
        } else {
            slowPeerGuard.lookAtLastWords(true);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broken(cause);
    }

    private void broken(Throwable cause) {
        switch (cause) {
            case TooLongFrameException e ->
                end(new CloseReason(CloseReason.Cause.TOO_LONG, String.valueOf(e.getMessage())));
            default -> failed(cause);
        }
    }

    private void leave(CloseReason why) {
        if (leaving == null) {
            leaving = why;
        }
        inFlight.awaitEnds();
        held.clear();
        line.leave(this);
        turn();
    }

    private boolean isLeaving() {
        return leaving != null || (inputOver && held.isEmpty());
    }

    private void endIfAllIsSaid() {
        if (isOver()) {
            return;
        }
        boolean isAnswered = isLeaving() && inFlight.count() == 0;
        slowPeerGuard.lookAtLastWords(isAnswered);
        if (!isAnswered || !outboundBuffer.isEmpty()) {
            return;
        }
        CloseReason why = requireNonNullElseGet(leaving, CloseReason::byPeer);
        if (inputOver || !(channel instanceof DuplexChannel socket)) {
            end(why);
            return;
        }
        closeReason = why;
        share.end();
        Linger.on(socket, decoder);
    }

    private void end(CloseReason why) {
        if (!isOver()) {
            closeReason = why;
        }
        shut();
    }

    private void shut() {
        var unused = channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        CloseReason why = requireNonNullElseGet(closeReason, CloseReason::byPeer);
        closeReason = why;
        held.clear();
        share.end();
        outboundBuffer.clear();
        line.leave(this);
        pause(false);
        slowPeerGuard.end();
        endpoint.ended(this, why);
        ended.complete(why);
    }
}
