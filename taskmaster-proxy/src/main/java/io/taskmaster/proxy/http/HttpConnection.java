package io.taskmaster.proxy.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.access.Identity;
import io.taskmaster.proxy.config.Limits;
import java.io.ByteArrayOutputStream;
import java.security.cert.Certificate;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the HTTP port: reads a request, has it answered by {@link Exchange}, writes the answer, and reads the
 * next. {@link State} has the transitions.
 *
 * <p>One request is in flight at a time. What its client sends meanwhile (pipelining) waits in {@link #early}, and
 * auto-read is switched off then, so that no more than one read of the socket is held. Without pipelined requests the
 * connection is read while a request is in flight, so that its end is noticed.
 *
 * <p>Invariants: the share of a request is closed exactly once, by the write of its answer, by {@link #drop}, or by
 * {@link #channelInactive} if the request was never complete. A timer is set in every state but {@code ANSWERING},
 * where the deadline of the call bounds the wait.
 *
 * <p>Single-threaded: owned by its event loop; only {@link #isDisconnected} is called by other threads.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final Certificate[] NO_CERTIFICATES = {};
    private static final int BAD_REQUEST = 400;
    private static final int TOO_SLOW = 408;
    private static final int TOO_LARGE = 413;
    private static final int LINE_TOO_LONG = 414;
    private static final int EXPECTATION_FAILED = 417;
    private static final int HEADERS_TOO_LARGE = 431;
    private static final int VERSION_NOT_SUPPORTED = 505;

    /**
     * The states of a connection.
     *
     * <pre>{@code
     * state     | event                                     | next      | effect
     * HEAD      | head is valid, and admitted or bodiless   | BODY      | starts the timers of silence and of the body
     * HEAD      | head is invalid, or refused with a body   | LINGERING | sends the refusal
     * BODY      | part of the body                          | BODY      | keeps it; restarts the timer of silence
     * BODY      | last part of the body                     | ANSWERING | passes on the request, or sends its refusal
     * BODY      | too large, over budget, broken, too slow  | LINGERING | sends the refusal
     * ANSWERING | answer on the wire, keep-alive            | HEAD      | takes what came early
     * ANSWERING | answer on the wire, else; client gone     | closed    |
     * LINGERING | refusal on the wire                       | LINGERING | ends the output; discards input for a moment
     * LINGERING | linger timer                              | closed    |
     * any       | silence, write failure, connection lost   | closed    | releases what is held
     * ANSWERING | end of the input                          | ANSWERING | notes that the client is gone
     * others    | end of the input                          | closed    |
     * }</pre>
     *
     * <p>A connection that is closed while its peer may still be sending lingers: after an immediate close the kernel
     * would reset it, and the peer might never read the answer.
     */
    private enum State {
        HEAD,
        BODY,
        ANSWERING,
        LINGERING
    }

    /** A request whose head was read. Immutable. */
    private record Begun(HttpRequest head, ReceivedRequest request, Identity identity, ByteBudget.Share share) {}

    private final Exchange exchange;
    private final SocketChannel channel;
    private final Queue<HttpObject> early = new ArrayDeque<>();

    private State state = State.HEAD;
    private @Nullable Begun begun;

    /** The refusal of a request without a body, sent when the request has ended; null if it is not refused. */
    private @Nullable Response refusal;

    private boolean keepAlive;
    private boolean speaksOld;
    private ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable Future<?> deadline;

    /** The timer of {@link Limits#HTTP_BODY_MILLIS}. Unlike the other timer it is not restarted by each byte. */
    private @Nullable Future<?> bodyDeadline;

    private volatile boolean disconnected;

    HttpConnection(Exchange exchange, SocketChannel channel) {
        this.exchange = exchange;
        this.channel = channel;
    }

    /** Returns whether the peer disconnected, or has shut down its output. May be called by any thread. */
    boolean isDisconnected() {
        return disconnected;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        closeIn(Limits.HANDSHAKE_MILLIS);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var read = (HttpObject) message;
        if (state == State.LINGERING) {
            ReferenceCountUtil.release(read);
        } else if (state == State.ANSWERING || !early.isEmpty()) {
            early.add(read);
            channel.config().setAutoRead(false);
        } else {
            accept(read);
        }
    }

    private void accept(HttpObject read) {
        try {
            if (read instanceof HttpRequest head) {
                begin(head);
            }
            if (read instanceof HttpContent content && state == State.BODY) {
                onContent(content);
            }
        } catch (RefusedException refused) {
            refuse(refused.response());
        } catch (TaskMasterException overloaded) {
            refuse(Response.of(HttpFailure.of(overloaded)));
        } finally {
            ReferenceCountUtil.release(read);
        }
    }

    private void begin(HttpRequest head) throws RefusedException {
        keepAlive = false;
        speaksOld = head.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (head.decoderResult().isFailure()) {
            throw new RefusedException(malformed(head.decoderResult().cause()));
        }
        if (!speaksOld && !head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            throw new RefusedException(HttpFailure.ofTransport(
                    VERSION_NOT_SUPPORTED, "request: " + head.protocolVersion() + " (expected: HTTP/1.1)"));
        }
        RequestTarget requestTarget = RequestTarget.of(head)
                .orElseThrow(() -> new RefusedException(HttpFailure.ofTransport(
                        BAD_REQUEST, "request: malformed (expected: a request target and a Host header)")));
        boolean hasBody = HttpUtil.isTransferEncodingChunked(head) || HttpUtil.getContentLength(head, 0L) > 0;
        ReceivedRequest request = new ReceivedRequest(
                head.method(),
                requestTarget.path(),
                requestTarget.query(),
                head.headers(),
                requestTarget.authority(),
                channel.remoteAddress(),
                certificates(),
                this::isDisconnected);
        Identity identity;
        try {
            identity = exchange.admit(request);
        } catch (RefusedException refused) {
            // Without a body the connection is in step, so it can be kept after the refusal.
            if (hasBody) {
                throw refused;
            }
            refusal = refused.response();
            identity = Identity.UNKNOWN;
        }
        keepAlive = HttpUtil.isKeepAlive(head);
        begun = new Begun(head, request, identity, exchange.share());
        state = State.BODY;
        // A client that waits for 100-continue is refused here, before it sends a body that is too large. The request
        // is begun by now, so send() closes its share.
        if (HttpUtil.getContentLength(head, 0L) > Limits.JSON_BODY_BYTES) {
            throw tooLarge();
        }
        expect(head);
        closeIn(Limits.HTTP_SILENCE_MILLIS);
        bodyDeadline = channel.eventLoop().schedule(this::tooSlow, Limits.HTTP_BODY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tooSlow() {
        refuse(Response.of(HttpFailure.ofTransport(
                TOO_SLOW, "body: incomplete (expected: all of it within " + Limits.HTTP_BODY_MILLIS + " ms)")));
    }

    private void expect(HttpRequest head) throws RefusedException {
        if (HttpUtil.is100ContinueExpected(head)) {
            var _ = channel.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        } else if (!speaksOld && head.headers().contains(HttpHeaderNames.EXPECT)) {
            throw new RefusedException(
                    HttpFailure.ofTransport(EXPECTATION_FAILED, "expect: unknown (expected: 100-continue)"));
        }
    }

    private void onContent(HttpContent content) throws RefusedException {
        Begun request = begun;
        if (request == null) {
            return;
        }
        if (content.decoderResult().isFailure()) {
            throw new RefusedException(HttpFailure.of(TaskMasterException.withoutStackTrace(
                    ErrorCode.BAD_JSON, "body: truncated or malformed (expected: as its headers say)", null, null)));
        }
        int bytes = content.content().readableBytes();
        if (body.size() + (long) bytes > Limits.JSON_BODY_BYTES) {
            throw tooLarge();
        }
        // The budget is asked before the bytes are copied, so that it bounds the memory that they take.
        request.share.acquire(bytes);
        for (var buffer : content.content().nioBuffers()) {
            byte[] copy = new byte[buffer.remaining()];
            buffer.get(copy);
            body.writeBytes(copy);
        }
        closeIn(Limits.HTTP_SILENCE_MILLIS);
        if (content instanceof LastHttpContent) {
            ended(request);
        }
    }

    private void ended(Begun request) {
        cancelDeadlines();
        state = State.ANSWERING;
        byte[] content = body.toByteArray();
        body = new ByteArrayOutputStream();
        Response refused = refusal;
        refusal = null;
        if (refused != null) {
            send(refused);
            return;
        }
        exchange.answer(
                new ReceivedRequest.Admitted(request.request, request.identity, content, request.share),
                response -> onLoop(() -> send(response)),
                () -> onLoop(this::drop));
    }

    /** Runs a step on the event loop; called by threads that answer. */
    private void onLoop(Runnable step) {
        try {
            channel.eventLoop().execute(step);
        } catch (RejectedExecutionException closed) {
            LOG.debug("{}: the port is closed", channel.remoteAddress(), closed);
        }
    }

    private static RefusedException tooLarge() {
        return new RefusedException(HttpFailure.ofTransport(
                TOO_LARGE, "body: too large (expected: at most " + Limits.JSON_BODY_BYTES + " bytes)"));
    }

    private static HttpFailure malformed(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ ->
                HttpFailure.ofTransport(
                        LINE_TOO_LONG,
                        "request: first line too long (expected: at most " + Limits.HTTP_LINE_BYTES + " bytes)");
            case TooLongHttpHeaderException _ ->
                HttpFailure.ofTransport(
                        HEADERS_TOO_LARGE,
                        "request: headers too long (expected: at most " + Limits.HTTP_HEADER_BYTES + " bytes)");
            default -> HttpFailure.ofTransport(BAD_REQUEST, "request: malformed (expected: HTTP/1.1)");
        };
    }

    /**
     * Refuses a request before its end. The connection cannot go on: the start of the next request is not known, or not
     * worth reading up to.
     */
    private void refuse(Response response) {
        cancelDeadlines();
        keepAlive = false;
        body = new ByteArrayOutputStream();
        state = State.LINGERING;
        send(response);
    }

    private void send(Response response) {
        Begun request = begun;
        begun = null;
        FullHttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(response.status()),
                Unpooled.wrappedBuffer(response.body()));
        SecurityHeaders.addTo(answer.headers());
        response.headers().forEach(answer.headers()::set);
        if (response.status() != HttpResponseStatus.NOT_MODIFIED.code()) {
            HttpUtil.setContentLength(answer, response.body().length);
        }
        if (!keepAlive || disconnected) {
            answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (speaksOld) {
            answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        closeIn(Limits.HTTP_SILENCE_MILLIS);
        channel.writeAndFlush(answer).addListener((ChannelFuture written) -> {
            if (request != null) {
                request.share.close();
            }
            if (!written.isSuccess()) {
                close();
            } else {
                sent();
            }
        });
    }

    /** Closes the connection of a request whose client disconnected, and releases the memory of its body. */
    private void drop() {
        Begun request = begun;
        begun = null;
        if (request != null) {
            request.share.close();
        }
        close();
    }

    private void sent() {
        if (state == State.LINGERING) {
            linger();
        } else if (!keepAlive || disconnected) {
            close();
        } else {
            next();
        }
    }

    private void linger() {
        closeIn(Limits.HTTP_LINGER_MILLIS);
        early.forEach(ReferenceCountUtil::release);
        early.clear();
        if (channel.pipeline().get(SslHandler.class) == null) {
            var _ = channel.shutdownOutput();
        }
        channel.config().setAutoRead(true);
    }

    private void next() {
        state = State.HEAD;
        closeIn(Limits.HTTP_SILENCE_MILLIS);
        // Early objects may be several requests: each is answered before the next is taken, and none after a refusal.
        while (!early.isEmpty() && state != State.ANSWERING) {
            HttpObject read = early.remove();
            if (state == State.LINGERING) {
                ReferenceCountUtil.release(read);
            } else {
                accept(read);
            }
        }
        if (early.isEmpty()) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            disconnected = true;
            // A client may have shut down its output alone: a call that is answered soon still gets its answer (see
            // DisconnectWatcher).
            if (state != State.ANSWERING) {
                close();
            }
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        disconnected = true;
        cancelDeadlines();
        early.forEach(ReferenceCountUtil::release);
        early.clear();
        // In ANSWERING the thread that answers still has the share: send or drop closes it.
        if (begun != null && state == State.BODY) {
            begun.share.close();
            begun = null;
        }
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("{}: {}", channel.remoteAddress(), cause.toString());
        close();
    }

    private Certificate[] certificates() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return NO_CERTIFICATES;
        }
        try {
            return tls.engine().getSession().getPeerCertificates();
        } catch (SSLPeerUnverifiedException none) {
            return NO_CERTIFICATES;
        }
    }

    private void close() {
        var _ = channel.close();
    }

    private void closeIn(long millis) {
        cancel(deadline);
        deadline = channel.eventLoop().schedule(this::close, millis, TimeUnit.MILLISECONDS);
    }

    private void cancelDeadlines() {
        cancel(deadline);
        cancel(bodyDeadline);
        deadline = null;
        bodyDeadline = null;
    }

    private static void cancel(@Nullable Future<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
