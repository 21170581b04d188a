package io.taskmaster.proxy.config;

import org.jspecify.annotations.Nullable;

/**
 * A setting with an invalid value, or an unknown setting. The message names the setting and says what was expected.
 * Immutable.
 */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the exception for an invalid value.
     *
     * @param key the setting or option
     * @param expected a description of valid values
     */
    public static ConfigException of(String key, String value, String expected) {
        return new ConfigException(key + ": " + value + " (expected: " + expected + ")", null);
    }
}
