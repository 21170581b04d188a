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

/** The settings of a {@link TaskMasterClient}, each with a default. Single-threaded: owned by whoever builds. */
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

    /** How long a call may take, retries included; a long poll has its wait on top. Default 30 s. */
    public TaskMasterClientBuilder deadline(Duration span) {
        deadline = positive("deadline", span);
        return this;
    }

    /** Who leases, for humans. Default: {@code java} and the id of the process. */
    public TaskMasterClientBuilder worker(String name) {
        worker = name;
        return this;
    }

    /** How often one call may be retried within its deadline, where that is safe; 0: never. Default: no limit. */
    public TaskMasterClientBuilder maxRetries(int retries) {
        if (retries < 0) {
            throw new IllegalArgumentException("maxRetries: %d (expected: 0 or more)".formatted(retries));
        }
        maxRetries = retries;
        return this;
    }

    /**
     * How long one attempt may take of a call that can be repeated; then it is given up, and sent again while the deadline allows.
     * What cannot be repeated (leases, deletes, updates without a request id that are not idempotent) has the whole deadline for
     * each attempt. Default 10 s.
     */
    public TaskMasterClientBuilder attemptDeadline(Duration span) {
        attemptDeadline = positive("attemptDeadline", span);
        return this;
    }

    /**
     * How many retries there may be after signs of overload (refusals with {@code RESOURCE_EXHAUSTED}, attempts that took too long,
     * reads that failed), as a share of all calls of this client, from 0. Besides, there are 10 a second, and 100 at first. A call
     * over it fails at once, with the error it has. Default 0.1: an overloaded server gets at most a tenth more.
     */
    public TaskMasterClientBuilder retryBudget(double share) {
        if (!(share >= 0 && share <= MAX_RETRY_SHARE)) {
            throw new IllegalArgumentException("retryBudget: %s (expected: 0 to %d)".formatted(share, MAX_RETRY_SHARE));
        }
        retryShare = share;
        return this;
    }

    /** Which updates get a request id from the client, so that they can be repeated. Default: where needed. */
    public TaskMasterClientBuilder requestIds(RequestIds which) {
        requestIds = which;
        return this;
    }

    /**
     * How long the server remembers a request id; later than that after its first attempt, an update that may have been applied is
     * not repeated. Not longer than the server is set to. Default 2 min, as the server's.
     */
    public TaskMasterClientBuilder dedupWindow(Duration span) {
        dedupWindow = positive("dedupWindow", span);
        return this;
    }

    /** How large a reply may be. Default 40 MiB, more than any reply within the server's limits. */
    public TaskMasterClientBuilder maxInboundBytes(int bytes) {
        maxInboundBytes = bytes;
        return this;
    }

    /** After how long a silence of the network the server is asked whether it is still there. Default 5 min. */
    public TaskMasterClientBuilder keepAlive(Duration span) {
        keepAlive = positive("keepAlive", span);
        return this;
    }

    /** How long {@link TaskMasterClient#close()} waits for calls in flight. Default 5 s. */
    public TaskMasterClientBuilder drain(Duration span) {
        drain = span;
        return this;
    }

    /** Where futures complete. Default: on the network thread, which is fastest, and must not be blocked. */
    public TaskMasterClientBuilder executor(Executor where) {
        executor = where;
        return this;
    }

    /** Speaks TLS 1.3 or 1.2 with a server whose certificate the JVM trusts. Default: plain text. */
    public TaskMasterClientBuilder tls() {
        transport.useTls();
        return this;
    }

    /**
     * Speaks TLS with a server whose certificate these authorities vouch for, and no others.
     *
     * @param authorities certificates in a PEM file
     */
    public TaskMasterClientBuilder tls(Path authorities) {
        transport.trust(authorities);
        return this;
    }

    /**
     * Speaks TLS, and shows the server who we are.
     *
     * @param chain our certificate and those between it and its authority, in a PEM file
     * @param key its private key: PKCS #8 without a password, in a PEM file
     */
    public TaskMasterClientBuilder clientCertificate(Path chain, Path key) {
        transport.present(chain, key);
        return this;
    }

    /** Sends this token with every call. Only over TLS or to a server on the loopback address; otherwise no client is built. */
    public TaskMasterClientBuilder token(String token) {
        String checked = Credentials.checked(token);
        return token(() -> checked);
    }

    /**
     * The same with a token that may change while the client lives.
     *
     * @param source asked for each attempt, on the thread that makes it, so it must not block; a failure of it fails the call
     */
    public TaskMasterClientBuilder token(Supplier<String> source) {
        transport.send(source);
        return this;
    }

    /**
     * Puts all updates of this client on record in the server's audit log, whatever they change: for what an administrator does, not for workers.
     *
     * @param action what is done, in a word: 1 to 100 printable ASCII characters, no spaces
     */
    public TaskMasterClientBuilder action(String action) {
        transport.say(action);
        return this;
    }

    /** A client that connects with its first call. Reads the files that it was given. */
    public TaskMasterClient build() {
        ManagedChannel channel = transport
                .open(target)
                .executor(executor)
                .maxInboundMessageSize(maxInboundBytes)
                .keepAliveTime(Deadlines.nanos(keepAlive), TimeUnit.NANOSECONDS)
                // We have our own retry rule, and gRPC's would cost every call.
                .disableRetry()
                .disableServiceConfigLookUp()
                .build();
        return build(
                new Wire(channel),
                Timer.SYSTEM,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * A client for a test that owns the way to the server, time and chance; everybody else asks for one that {@linkplain #build() connects}.
     *
     * @param random from 0 to 1: by how much pauses between attempts vary
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
