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
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, from its first byte to its end. Owned by one thread of the sockets; what others do to it is written down, and a {@link #turn} of that
 * thread is called, one for all that has gathered.
 *
 * <p>Reading is by request: the socket is read when the decoder has no whole message left, the one before it was taken by the sink, fewer messages are in
 * hand than may be, and the peer reads what it gets. So at most one message, and what one read of the socket brought, waits here.
 *
 * <p>It ends in order when it is to be closed, or its peer sends no more: nothing is read, what is in hand is answered, the answers are sent. Then we end
 * our side, and throw away what still comes until the peer ends its own, for a while: closing a socket with unread bytes would reset it, and the peer might lose
 * its answers.
 *
 * <table>
 *   <caption>Its life</caption>
 *   <tr><td>talking</td><td>{@link #leaving} and {@link #ending} are null</td></tr>
 *   <tr><td>leaving in order</td><td>{@link #leaving} says why, or {@link #inputOver}</td></tr>
 *   <tr><td>over: nothing is taken or sent any more</td><td>{@link #ending} says why</td></tr>
 *   <tr><td>gone</td><td>{@link #ended} is complete</td></tr>
 * </table>
 */
final class Conversation extends ChannelInboundHandlerAdapter implements Outgoing.Hears {

    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    private static final Refused CLOSED = new Refused(Admission.Cause.CLOSED, Duration.ofMillis(100));
    private static final Refused FULL = new Refused(Admission.Cause.FULL, Duration.ofMillis(100));
    private static final Refused TOO_LARGE = new Refused(Admission.Cause.TOO_LARGE, Duration.ofMillis(100));

    /** How long what still comes is thrown away after our last word. */
    private static final long LINGER_MILLIS = 1_000;

    private final Endpoint endpoint;
    private final EndpointSettings settings;
    private final Tally tally;
    private final Channel channel;
    private final Decoder decoder;
    private final Traffic traffic;
    private final WaitingLine line;
    private final Share share;
    private final Outgoing outgoing;
    private final Patience patience;
    private final Standstill standstill;
    private final Connection connection = new Connection(this);
    private final CompletableFuture<Ending> ended = new CompletableFuture<>();
    private final AtomicInteger inHand = new AtomicInteger();
    private final AtomicBoolean isCalled = new AtomicBoolean();

    /** Whether it is told when a message is done. */
    private volatile boolean awaitsDone;

    private volatile @Nullable Ending ending;
    private @Nullable Ending leaving;
    private final Deque<Message> held = new ArrayDeque<>(1);
    private long heldBytes;
    private boolean inputOver;
    private boolean proceeding;
    private boolean paused;

    Conversation(Endpoint endpoint, Channel channel, Decoder decoder, Traffic traffic, WaitingLine line) {
        this.endpoint = endpoint;
        this.settings = endpoint.settings();
        this.tally = endpoint.tally();
        this.channel = channel;
        this.decoder = decoder;
        this.traffic = traffic;
        this.line = line;
        this.share = new Share(endpoint.budget(), () -> execute(this::takeTurn));
        this.outgoing = new Outgoing(settings.writes(), settings.maxWaitingBytes(), share);
        this.patience = new Patience(settings, outgoing, channel, this::endAsClogged);
        this.standstill = new Standstill(settings, share, outgoing, channel);
    }

    // What anybody may ask.

    Connection connection() {
        return connection;
    }

    SocketAddress peer() {
        return channel.remoteAddress();
    }

    CompletableFuture<Ending> ended() {
        return ended.copy();
    }

    long waitingBytes() {
        return outgoing.waitingBytes();
    }

    long inputBytes() {
        return share.inputBytes();
    }

    int inHand() {
        return inHand.get();
    }

    boolean isOver() {
        return ending != null;
    }

    // What anybody may do.

    Admission send(Bytes message, boolean always) {
        if (!outgoing.fits(message)) {
            return TOO_LARGE;
        }
        if (isOver()) {
            return CLOSED;
        }
        if (!outgoing.add(message, always)) {
            return FULL;
        }
        call(this::turnCalled);
        return Taken.ACCEPTED;
    }

    /** A message is not in hand any more. */
    void freed() {
        inHand.decrementAndGet();
        if (awaitsDone) {
            call(this::turnCalled);
        }
        endpoint.freed();
    }

    void dropped(Message message, String reason) {
        tally.dropped.increment();
        endpoint.tell(() -> settings.watcher().dropped(message, reason));
    }

    /** Ends it in order. */
    void close(Ending why) {
        execute(() -> leave(why));
    }

    /** Ends it at once. */
    void abort(Ending why) {
        execute(() -> end(why));
    }

    /** Ends it if it holds much and its peer does not move, while memory is short. */
    void look(long shortSinceNanos) {
        execute(() -> {
            if (!isOver()) {
                standstill.look(shortSinceNanos).ifPresent(this::end);
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

    // What its own thread does.

    private void turnCalled() {
        isCalled.set(false);
        turn();
    }

    private void turn() {
        if (isOver()) {
            outgoing.clear();
            return;
        }
        outgoing.write(channel, this);
        patience.look();
        proceed();
        endIfAllIsSaid();
    }

    /** There is memory for what its peer has sent. */
    private void takeTurn() {
        share.begin();
        proceed();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        var _ = channel.config().setRecvByteBufAllocator(Reads.of(share));
        // The channel remembers it from now on, also when it is closed.
        SocketAddress _ = peer();
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
            heldBytes += message.payload().size();
            standstill.completes();
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        standstill.reads();
        proceed();
    }

    /** Brings what is there to the sink, as long as nothing is in the way; then asks for more. */
    void proceed() {
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
            share.inputIs(heldBytes + decoder.heldBytes());
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
        // If the peer reads too little, either a turn is called that sees it, or one has seen it.
        return !isOver() && leaving == null && !patience.isTried() && hasHands();
    }

    private boolean hasHands() {
        if (inHand.get() < settings.maxInHand()) {
            return true;
        }
        awaitsDone = true;
        // Who was done before it saw that we wait has told nobody.
        return inHand.get() < settings.maxInHand();
    }

    private void askForMore() {
        if (!traffic.isAsked() && share.mayRead()) {
            decode(decoder::trim);
            standstill.asks(decoder.heldBytes() > 0);
            traffic.ask(channel);
        }
    }

    /** Whether the decoder had another message, which is held now. */
    private boolean decodeNext() {
        decode(decoder::next);
        return !held.isEmpty();
    }

    private interface Decoding {

        void in(ChannelHandlerContext context) throws Exception;
    }

    private void decode(Decoding step) {
        ChannelHandlerContext context = channel.pipeline().context(decoder.handler());
        if (context != null) {
            try {
                step.in(context);
            } catch (Exception e) {
                broken(e);
            }
        }
    }

    /** False: it has to wait for room. */
    private boolean bring() {
        if (line.isEmpty() && offer().isEmpty()) {
            return true;
        }
        line.join(this);
        return false;
    }

    /** Offers what it holds. Empty: there is nothing left to offer; otherwise it may be worth another try after that. */
    Optional<Duration> offer() {
        Message message = held.peek();
        if (message == null) {
            return Optional.empty();
        }
        if (!share.mayAsk()) {
            return Optional.of(FULL.retryAfter());
        }
        inHand.incrementAndGet();
        Admission said = ask(message);
        if (said instanceof Refused(Admission.Cause cause, Duration retryAfter)) {
            inHand.decrementAndGet();
            boolean isNever = cause == Admission.Cause.CLOSED || cause == Admission.Cause.TOO_LARGE;
            if (!isNever) {
                return Optional.of(retryAfter);
            }
            leave(new Ending(Ending.Cause.UNWANTED, "the sink refuses a message: " + cause));
            return Optional.empty();
        }
        held.poll();
        heldBytes -= message.payload().size();
        share.messageTaken();
        tally.messagesIn.increment();
        if (said == Taken.SPILLED) {
            message.done();
        }
        return Optional.empty();
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a sink throws, the other connections go on.
    private Admission ask(Message message) {
        try {
            return endpoint.sink().offer(message);
        } catch (Throwable e) {
            LOG.warn("endpoint {}: its sink failed", endpoint.name(), e);
            end(new Ending(Ending.Cause.FAILED, "the sink failed: " + e));
            return CLOSED;
        }
    }

    private void pause(boolean now) {
        if (now != paused) {
            paused = now;
            if (now) {
                tally.pause();
            } else {
                tally.resume();
            }
        }
    }

    // The way out.

    @Override
    public void sent(int messages, int bytes) {
        tally.messagesOut.add(messages);
        tally.bytesOut.add(bytes);
        if (patience.isRunning() || leaving != null || inputOver || outgoing.hasMore()) {
            call(this::turnCalled);
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (cause instanceof IOException) {
            end(new Ending(Ending.Cause.BROKEN, String.valueOf(cause.getMessage())));
        } else {
            LOG.warn("{}: failed", connection, cause);
            end(new Ending(Ending.Cause.FAILED, String.valueOf(cause)));
        }
    }

    private void endAsClogged() {
        end(new Ending(
                Ending.Cause.CLOGGED,
                "%d bytes wait for the peer, for %s (expected: that it reads)"
                        .formatted(outgoing.waitingBytes(), settings.cloggedAfter())));
    }

    // The end.

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        switch (event) {
            case Framing.Cut _
            when leaving == null ->
                leaving = new Ending(Ending.Cause.CUT, "the peer closed in the middle of a message");
            case ChannelInputShutdownEvent _ when isOver() -> shut();
            case ChannelInputShutdownEvent _ -> {
                inputOver = true;
                awaitsDone = true;
                proceed();
            }
            case IdleStateEvent _ when inHand.get() == 0 && held.isEmpty() -> endUnlessItReads();
            default -> context.fireUserEventTriggered(event);
        }
    }

    /** Nothing has come for so long, and no buffer has gone. One that is on its way may be a large one, for a peer that reads slowly. */
    private void endUnlessItReads() {
        if (outgoing.isEmpty()) {
            end(new Ending(
                    Ending.Cause.IDLE,
                    "nothing went over it for %s".formatted(settings.idle().orElseThrow())));
        } else {
            patience.lookAtLastWords(true);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broken(cause);
    }

    private void broken(Throwable cause) {
        switch (cause) {
            case TooLongFrameException e -> end(new Ending(Ending.Cause.TOO_LONG, String.valueOf(e.getMessage())));
            default -> failed(cause);
        }
    }

    private void leave(Ending why) {
        if (leaving == null) {
            leaving = why;
        }
        awaitsDone = true;
        forgetHeld();
        line.leave(this);
        turn();
    }

    private void forgetHeld() {
        held.clear();
        heldBytes = 0;
    }

    private boolean isLeaving() {
        return leaving != null || (inputOver && held.isEmpty());
    }

    private void endIfAllIsSaid() {
        if (isOver()) {
            return;
        }
        boolean isAnswered = isLeaving() && inHand.get() == 0;
        patience.lookAtLastWords(isAnswered);
        if (!isAnswered || !outgoing.isEmpty()) {
            return;
        }
        Ending why = requireNonNullElseGet(leaving, () -> new Ending(Ending.Cause.PEER, "the peer closed"));
        if (inputOver || !(channel instanceof DuplexChannel socket)) {
            end(why);
            return;
        }
        ending = why;
        var _ = channel.pipeline().remove(decoder.handler());
        share.end();
        var _ = socket.shutdownOutput();
        var _ = channel.config().setAutoRead(true);
        var _ = channel.eventLoop().schedule(this::shut, LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void end(Ending why) {
        if (!isOver()) {
            ending = why;
        }
        shut();
    }

    private void shut() {
        var _ = channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Ending why = requireNonNullElseGet(ending, () -> new Ending(Ending.Cause.PEER, "the peer closed"));
        ending = why;
        forgetHeld();
        share.end();
        outgoing.clear();
        line.leave(this);
        pause(false);
        patience.end();
        endpoint.ended(this, why);
        ended.complete(why);
    }
}
