package io.taskmaster.proxy.config;

/** A setting of a program, in a file or on its command line. */
public interface Setting {

    /** The key, unique over all settings of a program. */
    String key();

    /** The default, as it would be written in a file. */
    String defaultValue();

    /** The description for operators, in Markdown. */
    String description();

    /** Throws a {@link ConfigException} that names this setting unless the value is between these, both included. */
    default <T extends Comparable<T>> void checkWithin(T value, T min, T max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw ConfigException.of(key(), value.toString(), min + " to " + max);
        }
    }
}
