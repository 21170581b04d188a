package io.taskmaster.client;

import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The settings of a {@link TaskMasterClient}, each with a default. Single-threaded: owned by whoever builds. */
public final class TaskMasterClientBuilder {

    private final String target;
    private Duration deadline = Duration.ofSeconds(30);
    private String worker = "java " + ProcessHandle.current().pid();
    private int maxRetries = Integer.MAX_VALUE;
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

    /** A client that connects, in plain text, with its first call. */
    public TaskMasterClient build() {
        var channel = NettyChannelBuilder.forTarget(target)
                .usePlaintext()
                .executor(executor)
                .maxInboundMessageSize(maxInboundBytes)
                .keepAliveTime(keepAlive.toNanos(), TimeUnit.NANOSECONDS)
                // We have our own retry rule, and gRPC's would cost every call.
                .disableRetry()
                .disableServiceConfigLookUp()
                .build();
        RetryRule rule =
                new RetryRule(maxRetries, () -> ThreadLocalRandom.current().nextDouble());
        return new TaskMasterClient(new Connection(channel, Timer.SYSTEM, rule, drain), deadline, worker);
    }

    private static Duration positive(String name, Duration span) {
        if (span.isZero() || span.isNegative()) {
            throw new IllegalArgumentException("%s: %s (expected: more than zero)".formatted(name, span));
        }
        return span;
    }
}
