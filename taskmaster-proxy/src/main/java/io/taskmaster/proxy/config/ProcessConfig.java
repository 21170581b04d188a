package io.taskmaster.proxy.config;

import java.time.Duration;

/**
 * The settings of the server as a process: its log lines and its end. Immutable.
 *
 * @param logFormat the format of log lines
 * @param shutdownTimeout the time that a shutdown waits for requests in flight
 */
public record ProcessConfig(LogFormat logFormat, Duration shutdownTimeout) {

    static final Duration MAX_SHUTDOWN_TIMEOUT = Duration.ofHours(1);

    public ProcessConfig {
        PortSetting.SHUTDOWN_TIMEOUT.checkWithin(shutdownTimeout, Duration.ZERO, MAX_SHUTDOWN_TIMEOUT);
    }

    /** Returns the validated values. */
    public static ProcessConfig of(SettingValues values) {
        return new ProcessConfig(
                values.oneOf(PortSetting.LOG_FORMAT, LogFormat.class), values.duration(PortSetting.SHUTDOWN_TIMEOUT));
    }
}
