package io.taskmaster.proxy;

import io.taskmaster.proxy.config.AccessConfig;
import io.taskmaster.proxy.config.InFlightLimits;
import io.taskmaster.proxy.config.ListenConfig;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.SettingValues;
import io.taskmaster.proxy.config.SettingsReader;
import java.util.List;

/** The settings of ports, for tests: free ones. Immutable. */
public record TestPorts(ListenConfig listen, AccessConfig access, InFlightLimits inFlight) {

    public static TestPorts free() {
        return reader().read();
    }

    /** Returns a reader for more settings on top. */
    public static SettingsReader<TestPorts> reader() {
        return new SettingsReader<>(List.of(PortSetting.values()), 1L << 30, TestPorts::of)
                .set("listen", "127.0.0.1:0")
                .set("http", "127.0.0.1:0");
    }

    private static TestPorts of(SettingValues values) {
        return new TestPorts(ListenConfig.of(values), AccessConfig.of(values), InFlightLimits.of(values));
    }
}
