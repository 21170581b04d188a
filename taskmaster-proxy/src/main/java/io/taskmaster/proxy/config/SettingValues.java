package io.taskmaster.proxy.config;

import com.google.common.net.HostAndPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The values of all settings as text, and their parsed forms. A value that cannot be parsed is a
 * {@link ConfigException} that names the key. Immutable.
 */
public final class SettingValues {

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

    public String text(Setting setting) {
        return Optional.ofNullable(texts.get(setting)).orElseThrow();
    }

    /** Returns the text; empty if the setting is. */
    public Optional<String> given(Setting setting) {
        return Optional.of(text(setting)).filter(text -> !text.isEmpty());
    }

    /** Returns the file that a setting names; empty if it names none. */
    public Optional<Path> file(Setting setting) {
        return given(setting).map(Path::of);
    }

    public HostAndPort address(Setting setting) {
        return Values.address(setting.key(), text(setting));
    }

    /** Returns whether the value is left to the program. */
    public boolean isAuto(Setting setting) {
        return text(setting).equals(AUTO);
    }

    public int integer(Setting setting) {
        return Values.integer(setting.key(), text(setting));
    }

    public boolean flag(Setting setting) {
        return Values.flag(setting.key(), text(setting));
    }

    public Duration duration(Setting setting) {
        return Values.duration(setting.key(), text(setting));
    }

    public <E extends Enum<E>> E oneOf(Setting setting, Class<E> type) {
        return Values.oneOf(setting.key(), text(setting), type);
    }

    /** Returns a number of bytes, which may be given as a share of the heap. */
    public long bytes(Setting setting) {
        return Values.bytes(setting.key(), text(setting), heapBytes);
    }

    /**
     * Returns a number of objects that take memory, which may be given as a share of the heap for them.
     *
     * @param bytesEach the memory of one object
     */
    public long count(Setting setting, long bytesEach) {
        return Values.count(setting.key(), text(setting), heapBytes, bytesEach);
    }
}
