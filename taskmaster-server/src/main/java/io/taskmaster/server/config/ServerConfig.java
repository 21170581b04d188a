package io.taskmaster.server.config;

import io.taskmaster.proxy.config.AccessConfig;
import io.taskmaster.proxy.config.InFlightLimits;
import io.taskmaster.proxy.config.ListenConfig;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.ProcessConfig;
import io.taskmaster.proxy.config.SettingValues;
import io.taskmaster.proxy.config.SettingsReader;

/**
 * The settings of a node, one record for each part of it; {@link PortSetting} and {@link NodeSetting} describe each
 * setting. Created by a {@link #reader}. The defaults are those of the settings, and each record validates its own
 * values. Only the assembly of a server sees this record: a part is passed its own. Immutable.
 *
 * @param inFlight the limits on requests in flight
 * @param log the bounds on the commit log
 * @param history the queues with a history, and families
 */
public record ServerConfig(
        ListenConfig listen,
        AccessConfig access,
        InFlightLimits inFlight,
        StoreConfig store,
        MemoryConfig memory,
        CommitLogConfig log,
        HistoryConfig history,
        ProcessConfig process) {

    /**
     * Returns a reader of these settings, with the defaults.
     *
     * @param heapBytes the size of the heap, of which settings in percent are a share
     */
    public static SettingsReader<ServerConfig> reader(long heapBytes) {
        return new SettingsReader<>(NodeSetting.all(), heapBytes, ServerConfig::of);
    }

    private static ServerConfig of(SettingValues values) {
        StoreConfig store = StoreConfig.of(values);
        return new ServerConfig(
                ListenConfig.of(values),
                AccessConfig.of(values),
                InFlightLimits.of(values),
                store,
                MemoryConfig.of(values),
                CommitLogConfig.of(values, store.kind()),
                HistoryConfig.of(values),
                ProcessConfig.of(values));
    }
}
