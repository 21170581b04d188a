package io.taskmaster.server.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;

/**
 * Which queues have a history. Immutable.
 *
 * @param queues how many
 * @param pattern queues whose whole name matches come before all others; empty: none do
 */
public record HistoryConfig(int queues, Optional<Pattern> pattern) {

    static final int MAX_QUEUES = 1_000;

    static HistoryConfig of(int queues, Optional<String> pattern) {
        return new HistoryConfig(queues, pattern.map(HistoryConfig::compile));
    }

    private static Pattern compile(String pattern) {
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw ConfigException.of(Setting.HISTORY_PATTERN.key(), pattern, "RE2 syntax; " + e.getDescription());
        }
    }
}
