package io.taskmaster.server.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.taskmaster.server.engine.flow.FamilyPattern;
import io.taskmaster.server.engine.pattern.BadPatternException;
import io.taskmaster.server.engine.pattern.NamePattern;
import java.util.Optional;

/**
 * The choice of queues with a history, and of families. Immutable.
 *
 * @param queues the maximum number of queues with a history
 * @param pattern queues whose whole name matches have priority; empty: none has
 * @param families the families as the operator defines them; empty: as they are detected
 */
public record HistoryConfig(int queues, Optional<NamePattern> pattern, Optional<FamilyPattern> families) {

    static final int MAX_QUEUES = 1_000;

    public HistoryConfig {
        Setting.HISTORY_QUEUES.checkWithin(queues, 0, MAX_QUEUES);
    }

    static HistoryConfig of(SettingValues values) {
        return new HistoryConfig(
                values.integer(Setting.HISTORY_QUEUES),
                values.given(Setting.HISTORY_PATTERN).map(HistoryConfig::compile),
                values.given(Setting.FLOW_FAMILY).map(HistoryConfig::families));
    }

    private static NamePattern compile(String pattern) {
        try {
            return NamePattern.compile(pattern);
        } catch (BadPatternException e) {
            throw ConfigException.of(Setting.HISTORY_PATTERN.key(), pattern, e.expected());
        }
    }

    private static FamilyPattern families(String pattern) {
        try {
            return new FamilyPattern(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            throw ConfigException.of(Setting.FLOW_FAMILY.key(), pattern, "RE2 syntax; " + e.getDescription());
        } catch (IllegalArgumentException e) {
            throw ConfigException.of(Setting.FLOW_FAMILY.key(), pattern, String.valueOf(e.getMessage()));
        }
    }
}
