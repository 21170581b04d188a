package io.taskmaster.server.rpc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.config.Limits;

/** Compiled queue name patterns: pollers send the same few over and over. Thread-safe. */
final class Patterns {

    private static final int REMEMBERED = 1_000;

    private final Cache<String, Pattern> compiled = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .executor(Runnable::run)
            .build();

    Pattern compile(String pattern) {
        Pattern known = compiled.getIfPresent(pattern);
        return known != null ? known : compiled.get(pattern, Patterns::compileNew);
    }

    private static Pattern compileNew(String pattern) {
        if (Fields.utf8Length(pattern) > Limits.PATTERN_BYTES) {
            throw bad(pattern.length() + " characters", "at most " + Limits.PATTERN_BYTES + " bytes");
        }
        if (PatternSize.estimate(pattern) > Limits.PATTERN_INSTRUCTIONS) {
            throw bad(pattern, "fewer nested repetitions");
        }
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw bad(pattern, "RE2 syntax; " + e.getDescription());
        }
    }

    private static TaskMasterException bad(String value, String expected) {
        return Fields.invalid(ErrorCode.BAD_PATTERN, "queues.name_re", value, expected);
    }
}
