package io.taskmaster.server;

import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.config.SettingsReader;

/** Settings for tests: a store in memory, and free ports. */
public final class TestConfig {

    private TestConfig() {}

    public static ServerConfig freePorts() {
        return reader().read();
    }

    /** Returns a reader for more settings on top. */
    public static SettingsReader reader() {
        return new SettingsReader(1L << 30)
                .set("listen", "127.0.0.1:0")
                .set("http", "127.0.0.1:0")
                .set("store", "memory");
    }
}
