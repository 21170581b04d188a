package io.taskmaster.server.config;

import java.util.Optional;

/**
 * Where the data are if they are in Cloud Bigtable; the names of the tables are those of {@link HBaseConfig}. Immutable.
 *
 * @param project empty: none given
 * @param instance empty: none given
 * @param appProfile empty: the default one of the instance
 * @param emulator {@code host:port} of one that is asked instead of the service
 */
public record BigtableConfig(String project, String instance, Optional<String> appProfile, Optional<String> emulator) {}
