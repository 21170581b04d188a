package io.taskmaster.server.config;

import io.taskmaster.proxy.config.SettingValues;
import java.time.Duration;

/**
 * The bounds on the commit log of all partitions. Immutable.
 *
 * @param rowsInFlight the number of rows on their way to the store; beyond it, each partition has one at most
 * @param maxWait the time that a command may wait for the log
 */
public record CommitLogConfig(int rowsInFlight, Duration maxWait) {

    static final int MAX_ROWS_IN_FLIGHT = 64;
    static final Duration MIN_WAIT = Duration.ofMillis(1);
    static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private static final Duration LOCAL_WAIT = Duration.ofMillis(10);
    private static final Duration SHARED_WAIT = Duration.ofMillis(250);

    public CommitLogConfig {
        NodeSetting.LOG_ROWS_IN_FLIGHT.checkWithin(rowsInFlight, 1, MAX_ROWS_IN_FLIGHT);
        NodeSetting.LOG_WAIT.checkWithin(maxWait, MIN_WAIT, MAX_WAIT);
    }

    static CommitLogConfig of(SettingValues values, StoreKind store) {
        return new CommitLogConfig(
                values.integer(NodeSetting.LOG_ROWS_IN_FLIGHT),
                values.isAuto(NodeSetting.LOG_WAIT) ? defaultWait(store) : values.duration(NodeSetting.LOG_WAIT));
    }

    /**
     * Returns the default bound on the wait. The latency of HBase varies by more than its mean, so a narrow bound would
     * refuse most requests.
     */
    private static Duration defaultWait(StoreKind store) {
        return store.isShared() ? SHARED_WAIT : LOCAL_WAIT;
    }
}
