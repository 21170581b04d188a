package io.taskmaster.cli.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.proxy.config.ConfigException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A named set of option values, from the profile file of the user: a {@code .properties} file with a line
 * {@code PROFILE.KEY = VALUE} for each value. The profile {@value #DEFAULT} applies if none is named. Immutable.
 *
 * @param source the name of its values in messages, up to the key
 * @param folder the folder that relative paths start from
 * @param values the values by key
 */
record ClientProfile(String source, Path folder, Map<ProfileKey, String> values) {

    static final String DEFAULT = "default";

    private static final Set<ProfileKey> CREDENTIALS =
            Set.of(ProfileKey.CERTIFICATE, ProfileKey.KEY, ProfileKey.TOKEN_FILE);

    private static final ClientProfile NONE = new ClientProfile("", Path.of(""), Map.of());

    ClientProfile {
        values = Map.copyOf(values);
    }

    /** Returns the same without its token and its client certificate. */
    ClientProfile withoutCredentials() {
        Map<ProfileKey, String> others = new EnumMap<>(ProfileKey.class);
        others.putAll(values);
        others.keySet().removeAll(CREDENTIALS);
        return new ClientProfile(source, folder, others);
    }

    /** The keys of a profile, each an option of the same name. */
    enum ProfileKey {
        SERVER,
        GROUP,
        TIMEOUT,
        TLS,
        CA,
        CERTIFICATE,
        KEY,
        TOKEN_FILE;

        static Optional<ProfileKey> of(String text) {
            for (ProfileKey key : values()) {
                if (key.toString().equals(text)) {
                    return Optional.of(key);
                }
            }
            return Optional.empty();
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Reads a profile.
     *
     * @param name the profile that the user names; absent: the default one, if there is one
     * @throws ConfigException if it is missing, or the file has anything else than profiles
     */
    static ClientProfile read(Environment environment, Optional<String> name) {
        Optional<Path> file = environment.profiles().filter(Files::exists);
        if (file.isEmpty()) {
            if (name.isPresent()) {
                throw ConfigException.of("profile", name.get(), "one of those in " + place(environment));
            }
            return NONE;
        }
        return read(file.get(), name);
    }

    private static String place(Environment environment) {
        return environment.profiles().map(Path::toString).orElse("~/.config/taskmaster/profiles.properties");
    }

    private static ClientProfile read(Path file, Optional<String> name) {
        Map<String, Map<ProfileKey, String>> profiles = new TreeMap<>();
        Properties properties = load(file);
        for (String property : new TreeSet<>(properties.stringPropertyNames())) {
            int dot = property.lastIndexOf('.');
            Optional<ProfileKey> key = ProfileKey.of(property.substring(dot + 1));
            if (dot < 1 || key.isEmpty()) {
                throw ConfigException.of(
                        file + ": " + property,
                        "unknown key",
                        "PROFILE.KEY, with one of the keys " + Arrays.toString(ProfileKey.values()));
            }
            profiles.computeIfAbsent(property.substring(0, dot), _ -> new TreeMap<>())
                    .put(key.get(), properties.getProperty(property).strip());
        }
        String wanted = name.orElse(DEFAULT);
        Map<ProfileKey, String> values = profiles.get(wanted);
        if (values == null && name.isPresent()) {
            throw ConfigException.of("profile", wanted, "one of " + profiles.keySet() + " in " + file);
        }
        return values == null
                ? NONE
                : new ClientProfile(
                        file + ": " + wanted + ".", file.toAbsolutePath().resolveSibling(""), values);
    }

    private static Properties load(Path file) {
        Properties properties = new OnceOnly();
        try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException(
                    "%s: %s (expected: a readable .properties file)".formatted(file, e.getMessage()), e);
        }
        return properties;
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
