package io.taskmaster.bench.report;

import com.google.common.collect.ImmutableMap;
import io.taskmaster.proxy.program.Version;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The subject of a measurement. Immutable.
 *
 * @param store the store of the server
 * @param settings the settings of the store that bear on the figures, by key, in the order of the output
 * @param versions the versions of the parts
 */
public record Subject(String store, ImmutableMap<String, String> settings, ImmutableMap<String, String> versions) {

    /** Returns TaskMaster on a store; the version is that of this process. */
    public static Subject of(String store) {
        return new Subject(
                store,
                ImmutableMap.of(),
                ImmutableMap.of(
                        "taskmaster", Version.current(),
                        "java", Runtime.version().toString()));
    }

    /** Returns this subject with one more setting. */
    public Subject withSetting(String key, String value) {
        return new Subject(store, with(settings, key, value), versions);
    }

    /** Returns this subject with the version of one more part. */
    public Subject withVersion(String part, String version) {
        return new Subject(store, settings, with(versions, part, version));
    }

    private static ImmutableMap<String, String> with(Map<String, String> map, String key, String value) {
        return ImmutableMap.<String, String>builder()
                .putAll(map)
                .put(key, value)
                .buildOrThrow();
    }

    /** Returns the subject in one line of text. */
    @Override
    public String toString() {
        return "store: %s%s; versions: %s"
                .formatted(store, settings.isEmpty() ? "" : "; settings: " + list(settings, "="), list(versions, " "));
    }

    private static String list(Map<String, String> map, String between) {
        return map.entrySet().stream()
                .map(entry -> entry.getKey() + between + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
