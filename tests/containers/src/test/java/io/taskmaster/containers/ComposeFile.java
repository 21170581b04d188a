package io.taskmaster.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The compose files of the project, parsed. */
enum ComposeFile {
    ROCKSDB("compose.yaml"),
    HBASE("compose.hbase.yaml");

    private final Path path;

    ComposeFile(String name) {
        path = Path.of("../../dist/docker").resolve(name);
    }

    Path path() {
        return path;
    }

    /** Returns the name of the project, which is part of the names of its containers and volumes. */
    String project() {
        return String.valueOf(parse().get("name"));
    }

    /** Returns the services by their names. */
    Map<String, Service> services() {
        Map<String, Service> services = new TreeMap<>();
        map(parse().get("services")).forEach((name, service) -> services.put(name, new Service(path, map(service))));
        return services;
    }

    Service service(String name) {
        return Objects.requireNonNull(services().get(name), name);
    }

    /** Returns the names of the volumes that the file declares. */
    Set<String> volumes() {
        return map(parse().get("volumes")).keySet();
    }

    private Map<String, Object> parse() {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        try {
            return map(new Yaml(new SafeConstructor(strict)).load(Files.readString(path)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @SuppressWarnings("unchecked") // The keys of these files are strings.
    private static Map<String, Object> map(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    /** A service as its file describes it. */
    record Service(Path file, Map<String, Object> fields) {

        Set<String> keys() {
            return fields.keySet();
        }

        String image() {
            return String.valueOf(fields.get("image"));
        }

        Path dockerfile() {
            Map<String, Object> build = map(fields.get("build"));
            return file.resolveSibling(String.valueOf(build.get("context")))
                    .resolve(String.valueOf(build.get("dockerfile")));
        }

        Map<String, Object> buildArguments() {
            return map(map(fields.get("build")).get("args"));
        }

        List<String> ports() {
            return list("ports");
        }

        List<String> volumes() {
            return list("volumes");
        }

        /** Returns the names of the services that have to be healthy before this one is started. */
        List<String> awaited() {
            return map(fields.get("depends_on")).entrySet().stream()
                    .filter(service ->
                            "service_healthy".equals(map(service.getValue()).get("condition")))
                    .map(Map.Entry::getKey)
                    .toList();
        }

        private List<String> list(String key) {
            return fields.get(key) instanceof List<?> values
                    ? values.stream().map(String::valueOf).toList()
                    : List.of();
        }
    }
}
