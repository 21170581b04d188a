package io.taskmaster.server.config;

import com.google.common.net.HostAndPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The values of all settings as text, and their parsed forms. A value that cannot be parsed is a
 * {@link ConfigException} that names the key. Immutable.
 */
final class SettingValues {

    private static final String AUTO = "auto";

    private final Map<Setting, String> texts;
    private final long heapBytes;

    /**
     * Creates the values.
     *
     * @param texts a value for each setting
     * @param heapBytes the size of the heap, of which settings in percent are a share
     */
    SettingValues(Map<Setting, String> texts, long heapBytes) {
        this.texts = Map.copyOf(texts);
        this.heapBytes = heapBytes;
    }

    String text(Setting setting) {
        return Optional.ofNullable(texts.get(setting)).orElseThrow();
    }

    /** Returns the text; empty if the setting is. */
    Optional<String> given(Setting setting) {
        return Optional.of(text(setting)).filter(text -> !text.isEmpty());
    }

    /** Returns the file that a setting names; empty if it names none. */
    Optional<Path> file(Setting setting) {
        return given(setting).map(Path::of);
    }

    HostAndPort address(Setting setting) {
        return Values.address(setting.key(), text(setting));
    }

    /** Returns whether the value is left to the program. */
    boolean isAuto(Setting setting) {
        return text(setting).equals(AUTO);
    }

    int integer(Setting setting) {
        return Values.integer(setting.key(), text(setting));
    }

    boolean flag(Setting setting) {
        return Values.flag(setting.key(), text(setting));
    }

    Duration duration(Setting setting) {
        return Values.duration(setting.key(), text(setting));
    }

    <E extends Enum<E>> E oneOf(Setting setting, Class<E> type) {
        return Values.oneOf(setting.key(), text(setting), type);
    }

    /** Returns a number of bytes, which may be given as a share of the heap. */
    long bytes(Setting setting) {
        return Values.bytes(setting.key(), text(setting), heapBytes);
    }

    /**
     * Returns a number of objects that take memory, which may be given as a share of the heap for them.
     *
     * @param bytesEach the memory of one object
     */
    long count(Setting setting, long bytesEach) {
        return Values.count(setting.key(), text(setting), heapBytes, bytesEach);
    }
}
