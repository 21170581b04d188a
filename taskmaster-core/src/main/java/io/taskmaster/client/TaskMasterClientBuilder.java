package io.taskmaster.client;

import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.ManagedChannel;
import io.taskmaster.time.Deadlines;
import io.taskmaster.wire.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** A builder of a {@link TaskMasterClient}; each setting has a default. Single-threaded: owned by its caller. */
public final class TaskMasterClientBuilder {

    private static final int MAX_RETRY_SHARE = 10;

    private final String target;
    private final Transport transport = new Transport();
    private Duration deadline = Duration.ofSeconds(30);
    private String worker = "java " + ProcessHandle.current().pid();
    private Duration attemptDeadline = Duration.ofSeconds(10);
    private int maxRetries = Integer.MAX_VALUE;
    private double retryShare = 0.1;
    private RequestIds requestIds = RequestIds.WHERE_NEEDED;
    private Duration dedupWindow = Duration.ofMinutes(2);
    private int maxInboundBytes = 40 << 20;
    private Duration keepAlive = Duration.ofMinutes(5);
    private Duration drain = Duration.ofSeconds(5);
    private Executor executor = MoreExecutors.directExecutor();

    TaskMasterClientBuilder(String target) {
        this.target = target;
    }

    /** Sets the deadline of a call, retries included; that of a long poll is extended by its wait. Default 30 s. */
    public TaskMasterClientBuilder deadline(Duration span) {
        deadline = positive("deadline", span);
        return this;
    }

    /** Sets the name of this worker, for people. Default: {@code java} and the process id. */
    public TaskMasterClientBuilder worker(String name) {
        worker = name;
        return this;
    }

    /** Sets the maximum number of safe retries of one call within its deadline; 0: none. Default: no limit. */
    public TaskMasterClientBuilder maxRetries(int retries) {
        if (retries < 0) {
            throw new IllegalArgumentException("maxRetries: %d (expected: 0 or more)".formatted(retries));
        }
        maxRetries = retries;
        return this;
    }

    /**
     * Sets the timeout of one attempt of a call that can be repeated; after it the attempt is cancelled, and repeated
     * while the deadline allows. Other calls (leases, deletes, updates without a request id that are not idempotent)
     * have the whole deadline for each attempt. Default 10 s.
     */
    public TaskMasterClientBuilder attemptDeadline(Duration span) {
        attemptDeadline = positive("attemptDeadline", span);
        return this;
    }

    /**
     * Sets the budget of retries after signs of overload (refusals with {@code RESOURCE_EXHAUSTED}, attempts that timed
     * out, reads that failed), as a share of all calls of this client, 0 to 10. There are 10 a second besides, and a
     * burst of 100. A call beyond the budget fails at once, with its error. Default 0.1: an overloaded server gets at
     * most a tenth more.
     */
    public TaskMasterClientBuilder retryBudget(double share) {
        if (!(share >= 0 && share <= MAX_RETRY_SHARE)) {
            throw new IllegalArgumentException("retryBudget: %s (expected: 0 to %d)".formatted(share, MAX_RETRY_SHARE));
        }
        retryShare = share;
        return this;
    }

    /**
     * Sets the updates to which the client assigns a request id, so that they can be repeated. Default: where needed.
     */
    public TaskMasterClientBuilder requestIds(RequestIds policy) {
        requestIds = policy;
        return this;
    }

    /**
     * Sets the time that the server remembers a request id. Later than that after its first attempt, an update that may
     * have been applied is not repeated. It must not be longer than the server's setting. Default 2 min, as the
     * server's.
     */
    public TaskMasterClientBuilder dedupWindow(Duration span) {
        dedupWindow = positive("dedupWindow", span);
        return this;
    }

    /** Sets the maximum size of a reply, in bytes. Default 40 MiB, more than any reply within the server's limits. */
    public TaskMasterClientBuilder maxInboundBytes(int bytes) {
        maxInboundBytes = bytes;
        return this;
    }

    /** Sets the time without traffic after which the client checks the connection. Default 5 min. */
    public TaskMasterClientBuilder keepAlive(Duration span) {
        keepAlive = positive("keepAlive", span);
        return this;
    }

    /** Sets the time that {@link TaskMasterClient#close()} waits for calls in flight. Default 5 s. */
    public TaskMasterClientBuilder drain(Duration span) {
        drain = span;
        return this;
    }

    /**
     * Sets the executor on which futures complete. Default: the network thread, which is the fastest and must not be
     * blocked.
     */
    public TaskMasterClientBuilder executor(Executor callbackExecutor) {
        executor = callbackExecutor;
        return this;
    }

    /** Uses TLS 1.3 or 1.2, with a server whose certificate the JVM trusts. Default: plain text. */
    public TaskMasterClientBuilder tls() {
        transport.useTls();
        return this;
    }

    /**
     * Uses TLS, with a server whose certificate these authorities signed, and no others.
     *
     * @param authorities certificates in a PEM file
     */
    public TaskMasterClientBuilder tls(Path authorities) {
        transport.trust(authorities);
        return this;
    }

    /**
     * Uses TLS with a client certificate.
     *
     * @param chain the certificate and those between it and its authority, in a PEM file
     * @param key its private key: PKCS #8 without a password, in a PEM file
     */
    public TaskMasterClientBuilder clientCertificate(Path chain, Path key) {
        transport.present(chain, key);
        return this;
    }

    /**
     * Sends this token with each call. Only over TLS or to a server on the loopback address; otherwise {@link #build()}
     * throws.
     */
    public TaskMasterClientBuilder token(String token) {
        String checked = Credentials.checked(token);
        return token(() -> checked);
    }

    /**
     * Sends a token that may change during the life of the client.
     *
     * @param source called for each attempt, on the thread that makes it, so it must not block; if it throws, the call
     *     fails
     */
    public TaskMasterClientBuilder token(Supplier<String> source) {
        transport.send(source);
        return this;
    }

    /**
     * Records all updates of this client in the server's audit log, whatever they change. For actions of
     * administrators, not for workers.
     *
     * @param action the action in a word: 1 to 100 printable ASCII characters, no spaces
     */
    public TaskMasterClientBuilder action(String action) {
        transport.logPlainText(action);
        return this;
    }

    /**
     * Builds a client that connects with its first call. Reads the files of the settings.
     *
     * @throws IllegalArgumentException if a file is not readable, or a token would be sent in plain text over a network
     */
    public TaskMasterClient build() {
        ManagedChannel channel = transport
                .open(target)
                .executor(executor)
                .maxInboundMessageSize(maxInboundBytes)
                .keepAliveTime(Deadlines.nanos(keepAlive), TimeUnit.NANOSECONDS)
                // The client has its own retry rule, and gRPC's would cost every call.
                .disableRetry()
                .disableServiceConfigLookUp()
                .build();
        return build(
                new Wire(channel),
                Timer.SYSTEM,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Builds a client with a simulated channel, clock and random numbers, for tests. Other callers use
     * {@link #build()}.
     *
     * @param random returns numbers from 0 to 1, for the jitter of retries
     */
    public TaskMasterClient build(Wire wire, Timer timer, DoubleSupplier random) {
        RetryRule rule =
                new RetryRule(maxRetries, Deadlines.nanos(attemptDeadline), Deadlines.nanos(dedupWindow), random);
        RetryBudget budget = new RetryBudget(retryShare, timer.nanoTime());
        return new TaskMasterClient(
                new Connection(wire.channel(), timer, rule, budget, drain),
                deadline,
                worker,
                RequestIdRule.of(requestIds));
    }

    private static Duration positive(String name, Duration span) {
        if (span.isZero() || span.isNegative()) {
            throw new IllegalArgumentException("%s: %s (expected: more than zero)".formatted(name, span));
        }
        return span;
    }
}
