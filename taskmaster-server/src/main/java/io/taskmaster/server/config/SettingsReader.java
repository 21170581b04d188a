package io.taskmaster.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A builder of the settings of a node, from defaults, a flat {@code .properties} file over them, and command-line
 * values over that. An unknown key, or one that occurs twice in the file, is an error that names it. Single-threaded.
 */
public final class SettingsReader {

    private static final Map<String, Setting> BY_KEY =
            Arrays.stream(Setting.values()).collect(Collectors.toUnmodifiableMap(Setting::key, setting -> setting));

    private final long heapBytes;
    private final Map<Setting, String> values = new EnumMap<>(Setting.class);

    /**
     * Creates a reader with the defaults.
     *
     * @param heapBytes the size of the heap, of which settings in percent are a share
     */
    public SettingsReader(long heapBytes) {
        this.heapBytes = heapBytes;
        for (Setting setting : Setting.values()) {
            values.put(setting, setting.defaultValue());
        }
    }

    /** Overrides settings with those of the file. */
    public SettingsReader file(Path file) {
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
    public SettingsReader set(String key, String value) {
        Setting setting = BY_KEY.get(key);
        if (setting == null) {
            throw ConfigException.of(key, "unknown setting", closest(key));
        }
        values.put(setting, value.strip());
        return this;
    }

    /** Returns the settings, each validated. */
    public ServerConfig read() {
        return ServerConfig.of(new SettingValues(values, heapBytes));
    }

    private static String closest(String key) {
        return "one of "
                + Arrays.stream(Setting.values()).map(Setting::key).collect(Collectors.joining(", "))
                + (key.isEmpty() ? "; a key stands before each value" : "");
    }

    /** Properties that reject a repeated key. */
    private static final class OnceOnly extends Properties {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (containsKey(key)) {
                throw new IllegalArgumentException(key + " is given twice");
            }
            return super.put(key, value);
        }
    }
}
