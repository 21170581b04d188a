package io.taskmaster.bench.target;

import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.testkit.FreePort;
import io.taskmaster.testkit.Health;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The echo service in a process of its own, so that it shares the cores with the load generator just as the server
 * does.
 */
public final class EchoProcess implements Target {

    private static final String LOGGING = "-Dlogback.configurationFile=io/taskmaster/bench/echo-logback.xml";
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final InetSocketAddress address;
    private final ChildJvm process;

    private EchoProcess(InetSocketAddress address, ChildJvm process) {
        this.address = address;
        this.process = process;
    }

    /** Starts the service and waits until it answers. Blocks. */
    public static EchoProcess startIn(Path folder) throws InterruptedException {
        return FreePort.open(address -> startIn(folder, address));
    }

    private static EchoProcess startIn(Path folder, InetSocketAddress address)
            throws FreePort.TakenException, InterruptedException {
        JvmCommand command = JvmCommand.of(EchoServer.class.getName(), List.of(String.valueOf(address.getPort())))
                .withFlags(List.of(LOGGING));
        ChildJvm process = ChildJvm.start(command, folder.resolve("echo.log"));
        if (!Health.awaitServing(address, START_LIMIT, process::isAlive)) {
            String output = process.lastOutput();
            process.close();
            FreePort.throwIfTaken(output);
            throw new IllegalStateException("the echo service did not start: " + output);
        }
        return new EchoProcess(address, process);
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.close();
    }
}
