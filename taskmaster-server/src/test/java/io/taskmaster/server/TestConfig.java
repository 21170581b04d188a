package io.taskmaster.server;

import io.taskmaster.proxy.config.SettingsReader;
import io.taskmaster.server.config.ServerConfig;

/** Settings for tests: a store in memory, and free ports. */
public final class TestConfig {

    private TestConfig() {}

    public static ServerConfig freePorts() {
        return reader().read();
    }

    /** Returns a reader for more settings on top. */
    public static SettingsReader<ServerConfig> reader() {
        return ServerConfig.reader(1L << 30)
                .set("listen", "127.0.0.1:0")
                .set("http", "127.0.0.1:0")
                .set("store", "memory");
    }
}
