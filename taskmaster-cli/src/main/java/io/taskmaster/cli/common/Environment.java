package io.taskmaster.cli.common;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The environment variables of a command, and the home folder of its user. Immutable.
 *
 * @param home absent if it is unknown
 */
public record Environment(Map<String, String> variables, Optional<Path> home) {

    /** An environment without variables and without a home folder. */
    public static final Environment EMPTY = new Environment(Map.of(), Optional.empty());

    public Environment {
        variables = Map.copyOf(variables);
    }

    static Environment system() {
        return new Environment(
                System.getenv(),
                Optional.ofNullable(System.getProperty("user.home")).map(Path::of));
    }

    /** Returns the value of a variable. An empty one counts as absent. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /**
     * Returns the path of the profile file, whether it exists or not: {@code taskmaster/profiles.properties} in
     * {@code $XDG_CONFIG_HOME}, or in {@code .config} of the home folder.
     */
    Optional<Path> profiles() {
        return variable("XDG_CONFIG_HOME")
                .map(Path::of)
                // A relative path is invalid by the XDG specification, and ignored.
                .filter(Path::isAbsolute)
                .or(() -> home.map(folder -> folder.resolve(".config")))
                .map(folder -> folder.resolve("taskmaster").resolve("profiles.properties"));
    }
}
