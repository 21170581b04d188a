package io.taskmaster.server.config;

import io.taskmaster.server.engine.pattern.BadPatternException;
import io.taskmaster.server.engine.pattern.NamePattern;
import java.util.Optional;

/**
 * Which queues have a history. Immutable.
 *
 * @param queues how many
 * @param pattern queues whose whole name matches come before all others; empty: none do
 */
public record HistoryConfig(int queues, Optional<NamePattern> pattern) {

    static final int MAX_QUEUES = 1_000;

    static HistoryConfig of(int queues, Optional<String> pattern) {
        return new HistoryConfig(queues, pattern.map(HistoryConfig::compile));
    }

    private static NamePattern compile(String pattern) {
        try {
            return NamePattern.compile(pattern);
        } catch (BadPatternException e) {
            throw ConfigException.of(Setting.HISTORY_PATTERN.key(), pattern, e.expected());
        }
    }
}
