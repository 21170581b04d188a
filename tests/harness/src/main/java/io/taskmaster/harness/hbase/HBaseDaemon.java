package io.taskmaster.harness.hbase;

import io.taskmaster.harness.process.DaemonJvm;
import io.taskmaster.harness.process.JvmCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** A process of {@link HBaseDaemons}, which outlives this one. Immutable. */
record HBaseDaemon(Member member, JvmCommand command, DaemonJvm jvm, Path log) implements Startable {

    /** The size from which a log is rotated at a start; one older log is kept. */
    private static final long LARGE_LOG_BYTES = 16 << 20;

    static HBaseDaemon of(HBaseSetup setup, Member member) {
        HBaseFolder folder = setup.folder();
        Path log = folder.log(member.name());
        return new HBaseDaemon(member, setup.command(member), jvm(folder, member), log);
    }

    static DaemonJvm jvm(HBaseFolder folder, Member member) {
        return new DaemonJvm(member.name(), folder.run(), folder.log(member.name()));
    }

    @Override
    public void start() {
        try {
            if (!isAlive() && log.toFile().length() > LARGE_LOG_BYTES) {
                Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        jvm.start(command);
    }

    @Override
    public boolean isAlive() {
        return jvm.isAlive();
    }

    @Override
    public void kill() throws InterruptedException {
        jvm.kill();
    }

    @Override
    public String lastOutput() {
        return jvm.lastOutput();
    }

    /** Stops it; returns true if it ended by itself, or did not run. */
    boolean stop(Duration limit) throws InterruptedException {
        return jvm.stop(limit);
    }
}
