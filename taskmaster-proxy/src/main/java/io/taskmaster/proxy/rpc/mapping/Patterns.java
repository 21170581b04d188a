package io.taskmaster.proxy.rpc.mapping;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.taskmaster.command.pattern.BadPatternException;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.error.ErrorCode;

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
            throw Fields.invalid(ErrorCode.BAD_PATTERN, "queues.name_re", quoted(pattern), e.expected());
        }
    }

    /** Returns the pattern for a message, or only its length if it may be megabytes. */
    private static String quoted(String pattern) {
        return pattern.length() <= NamePattern.MAX_BYTES ? pattern : pattern.length() + " characters";
    }
}
