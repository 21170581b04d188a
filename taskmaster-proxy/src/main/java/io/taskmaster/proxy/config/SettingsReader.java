package io.taskmaster.proxy.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A builder of the settings of a program, from defaults, a flat {@code .properties} file over them, and command-line
 * values over that. An unknown key, or one that occurs twice in the file, is an error that names it. Single-threaded.
 *
 * @param <C> the settings of the program as a whole
 */
public final class SettingsReader<C> {

    private final Map<String, Setting> byKey = new LinkedHashMap<>();
    private final Map<Setting, String> values = new HashMap<>();
    private final long heapBytes;
    private final Function<SettingValues, C> validated;

    /**
     * Creates a reader with the defaults.
     *
     * @param settings all settings of the program
     * @param heapBytes the size of the heap, of which settings in percent are a share
     * @param validated parses and validates the values; throws a {@link ConfigException}
     */
    public SettingsReader(Collection<Setting> settings, long heapBytes, Function<SettingValues, C> validated) {
        this.heapBytes = heapBytes;
        this.validated = validated;
        for (Setting setting : settings) {
            if (byKey.put(setting.key(), setting) != null) {
                throw new IllegalArgumentException("setting: " + setting.key() + " is there twice");
            }
            values.put(setting, setting.defaultValue());
        }
    }

    /** Overrides settings with those of the file. */
    public SettingsReader<C> file(Path file) {
        var once = new HashMap<String, String>();
        var properties = new OnceOnly();
        try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException(
                    "--config: " + file + " (expected: a readable .properties file; " + e.getMessage() + ")", e);
        }
        properties.stringPropertyNames().forEach(key -> once.put(key, properties.getProperty(key)));
        once.forEach(this::set);
        return this;
    }

    /** Overrides a setting. */
    public SettingsReader<C> set(String key, String value) {
        Setting setting = byKey.get(key);
        if (setting == null) {
            throw ConfigException.of(key, "unknown setting", closest(key));
        }
        values.put(setting, value.strip());
        return this;
    }

    /** Returns the settings, each validated. */
    public C read() {
        return validated.apply(new SettingValues(values, heapBytes));
    }

    private String closest(String key) {
        return "one of " + String.join(", ", byKey.keySet()) + (key.isEmpty() ? ", before each value" : "");
    }

    /** Properties that reject a repeated key. */
    private static final class OnceOnly extends Properties {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (containsKey(key)) {
                throw new IllegalArgumentException("duplicate key " + key);
            }
            return super.put(key, value);
        }
    }
}
