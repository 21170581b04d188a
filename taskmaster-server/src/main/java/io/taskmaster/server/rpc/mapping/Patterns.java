package io.taskmaster.server.rpc.mapping;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.server.engine.pattern.BadPatternException;
import io.taskmaster.server.engine.pattern.NamePattern;

/**
 * Cache of compiled patterns of queue names, bounded by memory: pollers send the same few over and over. Thread-safe.
 */
final class Patterns {

    private static final int REMEMBERED_BYTES = 8 << 20;

    private final Cache<String, NamePattern> compiled = Caffeine.newBuilder()
            .maximumWeight(REMEMBERED_BYTES)
            .weigher((String _, NamePattern pattern) -> pattern.memoryBytes())
            .executor(Runnable::run)
            .build();

    NamePattern compile(String pattern) {
        NamePattern known = compiled.getIfPresent(pattern);
        return known != null ? known : compiled.get(pattern, Patterns::compileNew);
    }

    private static NamePattern compileNew(String pattern) {
        try {
            return NamePattern.compile(pattern);
        } catch (BadPatternException e) {
            throw Fields.invalid(ErrorCode.BAD_PATTERN, "queues.name_re", shown(pattern), e.expected());
        }
    }

    /** Returns the pattern for a message, or only its length if it may be megabytes. */
    private static String shown(String pattern) {
        return pattern.length() <= NamePattern.MAX_BYTES ? pattern : pattern.length() + " characters";
    }
}
