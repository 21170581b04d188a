package io.taskmaster.server.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a node, one record for each part of it; {@link Setting} describes each setting. Created by
 * {@link SettingsReader}. The defaults are those of {@link Setting}, and each record validates its own values. Only the
 * assembly of a server sees this record: a part is passed its own. Immutable.
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

    public ServerConfig {
        // Without an access file there are no principals that a certificate could identify.
        Optional<Path> clientCa = listen.tls().flatMap(TlsConfig::clientCa);
        if (access.file().isEmpty() && clientCa.isPresent()) {
            throw TlsConfig.uselessClientCa(clientCa.get());
        }
    }

    static ServerConfig of(SettingValues values) {
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
