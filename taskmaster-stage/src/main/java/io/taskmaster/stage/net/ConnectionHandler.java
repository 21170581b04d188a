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
 * event loop. Output and messages that are done call a {@link #process}, one for all that has gathered.
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
 * {@code OPEN}: {@link #closing} and {@link #closeReason} are null. {@code LEAVING}: {@link #closing} has the ending,
 * or {@link #inputClosed} is set. {@code OVER}: {@link #closeReason} is set, and nothing is taken or sent any more.
 * {@code GONE}: {@link #ended} is complete.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter implements OutboundBuffer.Listener {

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
    private final WaitQueue waitQueue;
    private final Share share;
    private final OutboundBuffer outboundBuffer;
    private final SlowPeerGuard slowPeerGuard;
    private final StallDetector stallDetector;
    private final PeerConnection connection = new PeerConnection(this);
    private final CompletableFuture<CloseReason> ended = new CompletableFuture<>();
    private final MessagesInFlight inFlight;
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    private volatile @Nullable CloseReason closeReason;
    private @Nullable CloseReason closing;
    private final HeldMessages held = new HeldMessages();
    private boolean inputClosed;
    private boolean reading;
    private boolean paused;

    ConnectionHandler(Endpoint endpoint, Channel channel, Decoder decoder, Traffic traffic, WaitQueue waitQueue) {
        this.endpoint = endpoint;
        this.settings = endpoint.settings();
        this.endpointCounters = endpoint.endpointCounters();
        this.channel = channel;
        this.decoder = decoder;
        this.traffic = traffic;
        this.waitQueue = waitQueue;
        this.share = new Share(endpoint.budget(), () -> execute(this::onMemoryGranted));
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

    int inFlightMessages() {
        return inFlight.count();
    }

    boolean isEnded() {
        return closeReason != null;
    }

    // Actions. Any thread may call them.

    Admission send(Bytes message, boolean always) {
        if (!outboundBuffer.fits(message)) {
            return TOO_LARGE;
        }
        if (isEnded()) {
            return CLOSED;
        }
        if (!outboundBuffer.add(message, always)) {
            return FULL;
        }
        executeOnce(this::runScheduled);
        return Taken.ACCEPTED;
    }

    /** Counts a message that is not in flight any more, and calls those that wait for that. */
    void freed() {
        if (inFlight.end()) {
            executeOnce(this::runScheduled);
        }
        endpoint.freed();
    }

    void dropped(Message message, String reason) {
        endpoint.dropped(message, reason);
    }

    /** Ends it in order. */
    void close(CloseReason reason) {
        execute(() -> beginClose(reason));
    }

    /** Ends it at once. */
    void abort(CloseReason reason) {
        execute(() -> end(reason));
    }

    /** Ends it if it holds much while memory is short and its peer makes no progress. */
    void checkMemory(long shortSinceNanos) {
        execute(() -> {
            if (!isEnded()) {
                stallDetector.check(shortSinceNanos).ifPresent(this::end);
            }
        });
    }

    private void executeOnce(Runnable task) {
        if (isScheduled.compareAndSet(false, true)) {
            execute(task);
        }
    }

    private void execute(Runnable step) {
        try {
            channel.eventLoop().execute(step);
        } catch (RejectedExecutionException closed) {
            LOG.debug("{}: the sockets are closed", connection, closed);
        }
    }

    // Steps on its event loop.

    private void runScheduled() {
        // Cleared first, so that whatever is added from now on calls another turn.
        isScheduled.set(false);
        process();
    }

    private void process() {
        if (isEnded()) {
            outboundBuffer.clear();
            return;
        }
        outboundBuffer.write(channel, this);
        slowPeerGuard.checkClogged();
        readMessages();
        endIfComplete();
    }

    /** Goes on reading once the budget has memory for what the peer has sent. */
    private void onMemoryGranted() {
        share.begin();
        readMessages();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel.config().setRecvByteBufAllocator(ReadRequests.of(share));
        // From now on the channel remembers the address, even when it is closed.
        peer();
        endpoint.opened(this);
        readMessages();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        if (isEnded() || closing != null || !(frame instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(frame);
            return;
        }
        try {
            Message message = new Message(this, Bytes.wrap(ByteBufUtil.getBytes(bytes)));
            held.add(message);
            stallDetector.onMessage();
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        stallDetector.onRead();
        readMessages();
    }

    /** Brings messages to the sink as long as nothing is in the way, then asks for a read. */
    void readMessages() {
        // Decoding calls back into this handler, which would begin another loop.
        if (reading) {
            return;
        }
        reading = true;
        try {
            boolean needsInput = false;
            while (!needsInput && canRead()) {
                needsInput = held.isEmpty() && !decodeNext();
                if (!held.isEmpty() && !offerOrWait()) {
                    break;
                }
            }
            share.setInput(held.bytes() + decoder.heldBytes());
            if (isClosing()) {
                share.stopReading();
            } else if (needsInput && !inputClosed) {
                requestRead();
            }
            pause((!needsInput || share.isWaiting()) && !isEnded() && closing == null);
        } finally {
            reading = false;
        }
        endIfComplete();
    }

    private boolean canRead() {
        // If the peer reads too little, either a turn was called that will see it, or one has seen it.
        return !isEnded() && closing == null && !slowPeerGuard.isSlow() && inFlight.hasCapacity();
    }

    private void requestRead() {
        if (!traffic.isReadRequested() && share.mayRead()) {
            decode(decoder::trim);
            stallDetector.onReadRequested(decoder.heldBytes() > 0);
            traffic.requestRead(channel);
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
    private boolean offerOrWait() {
        // Connections that wait in line go first.
        if (waitQueue.isEmpty() && offer().isEmpty()) {
            return true;
        }
        waitQueue.join(this);
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
        if (!share.mayOffer()) {
            return Optional.of(FULL.retryAfter());
        }
        inFlight.begin();
        Admission admission = offerToSink(message);
        if (admission instanceof Refused(Admission.Cause cause, Duration retryAfter)) {
            inFlight.cancel();
            boolean isFinal = cause == Admission.Cause.CLOSED || cause == Admission.Cause.TOO_LARGE;
            if (!isFinal) {
                return Optional.of(retryAfter);
            }
            beginClose(new CloseReason(CloseReason.Cause.UNWANTED, "the sink refused a message: " + cause));
            return Optional.empty();
        }
        held.removeFirst();
        share.onMessageTaken();
        endpointCounters.messagesIn.increment();
        if (admission == Taken.SPILLED) {
            message.done();
        }
        return Optional.empty();
    }

    @SuppressWarnings("CatchingUnchecked") // A sink's exception must not affect other connections.
    private Admission offerToSink(Message message) {
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
        if (slowPeerGuard.isRunning() || closing != null || inputClosed || outboundBuffer.hasMore()) {
            executeOnce(this::runScheduled);
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
            when closing == null ->
                closing = new CloseReason(
                        CloseReason.Cause.CUT, "the peer closed the connection in the middle of a message");
            case ChannelInputShutdownEvent shutdown when isEnded() -> closeChannel();
            case ChannelInputShutdownEvent shutdown -> {
                inputClosed = true;
                inFlight.awaitCompletion();
                readMessages();
            }
            case IdleStateEvent idle when inFlight.count() == 0 && held.isEmpty() -> endIfIdle();
            default -> context.fireUserEventTriggered(event);
        }
    }

    /**
     * Ends an idle connection: no byte has come for the idle time, and no buffer was sent. A buffer that is being sent
     * may be a large one, for a peer that reads slowly.
     */
    private void endIfIdle() {
        if (outboundBuffer.isEmpty()) {
            end(CloseReason.idle(settings.idle().orElseThrow()));
        } else {
            slowPeerGuard.watchFinalWrites(true);
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

    private void beginClose(CloseReason reason) {
        if (closing == null) {
            closing = reason;
        }
        inFlight.awaitCompletion();
        held.clear();
        waitQueue.remove(this);
        process();
    }

    private boolean isClosing() {
        return closing != null || (inputClosed && held.isEmpty());
    }

    private void endIfComplete() {
        if (isEnded()) {
            return;
        }
        boolean isComplete = isClosing() && inFlight.count() == 0;
        slowPeerGuard.watchFinalWrites(isComplete);
        if (!isComplete || !outboundBuffer.isEmpty()) {
            return;
        }
        CloseReason reason = requireNonNullElseGet(closing, CloseReason::byPeer);
        if (inputClosed || !(channel instanceof DuplexChannel socket)) {
            end(reason);
            return;
        }
        closeReason = reason;
        share.end();
        Linger.on(socket, decoder);
    }

    private void end(CloseReason reason) {
        if (!isEnded()) {
            closeReason = reason;
        }
        closeChannel();
    }

    private void closeChannel() {
        var unused = channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        CloseReason reason = requireNonNullElseGet(closeReason, CloseReason::byPeer);
        closeReason = reason;
        held.clear();
        share.end();
        outboundBuffer.clear();
        waitQueue.remove(this);
        pause(false);
        slowPeerGuard.end();
        endpoint.ended(this, channel, reason);
        ended.complete(reason);
    }
}
