package io.taskmaster.bench.report;

import com.google.common.collect.ImmutableMap;
import io.taskmaster.server.Version;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was measured. Immutable.
 *
 * @param store where its data was
 * @param settings of the store that bear on the figures, by key, in the order in which people want to read them
 * @param versions of the parts
 */
public record Subject(String store, ImmutableMap<String, String> settings, ImmutableMap<String, String> versions) {

    /** TaskMaster on a store; the version is that of this process. */
    public static Subject of(String store) {
        return new Subject(
                store,
                ImmutableMap.of(),
                ImmutableMap.of(
                        "taskmaster", Version.current(),
                        "java", Runtime.version().toString()));
    }

    /** The same with a setting more. */
    public Subject withSetting(String key, String value) {
        return new Subject(store, with(settings, key, value), versions);
    }

    /** The same with a part more. */
    public Subject withVersion(String part, String version) {
        return new Subject(store, settings, with(versions, part, version));
    }

    private static ImmutableMap<String, String> with(Map<String, String> map, String key, String value) {
        return ImmutableMap.<String, String>builder()
                .putAll(map)
                .put(key, value)
                .buildOrThrow();
    }

    /** In a line, for people. */
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
