package io.taskmaster.server.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.taskmaster.command.pattern.BadPatternException;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.SettingValues;
import io.taskmaster.server.engine.flow.FamilyPattern;
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
        NodeSetting.HISTORY_QUEUES.checkWithin(queues, 0, MAX_QUEUES);
    }

    static HistoryConfig of(SettingValues values) {
        return new HistoryConfig(
                values.integer(NodeSetting.HISTORY_QUEUES),
                values.given(NodeSetting.HISTORY_PATTERN).map(HistoryConfig::compile),
                values.given(NodeSetting.FLOW_FAMILY).map(HistoryConfig::families));
    }

    private static NamePattern compile(String pattern) {
        try {
            return NamePattern.compile(pattern);
        } catch (BadPatternException e) {
            throw ConfigException.of(NodeSetting.HISTORY_PATTERN.key(), pattern, e.expected());
        }
    }

    private static FamilyPattern families(String pattern) {
        try {
            return new FamilyPattern(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            throw ConfigException.of(NodeSetting.FLOW_FAMILY.key(), pattern, "RE2 syntax; " + e.getDescription());
        } catch (IllegalArgumentException e) {
            throw ConfigException.of(NodeSetting.FLOW_FAMILY.key(), pattern, String.valueOf(e.getMessage()));
        }
    }
}
