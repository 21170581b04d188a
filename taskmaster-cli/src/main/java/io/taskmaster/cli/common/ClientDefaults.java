package io.taskmaster.cli.common;

import io.taskmaster.cli.common.ClientCredentials.Certificate;
import io.taskmaster.cli.common.ClientCredentials.TokenFile;
import io.taskmaster.cli.common.ClientProfile.ProfileKey;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.Values;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * The values of options that are not on the command line: from environment variables and, where there is none, from a
 * profile. A value that cannot be parsed is a {@link ConfigException} that names the variable, or the file and the key.
 * Immutable.
 */
record ClientDefaults(Environment environment, ClientProfile profile) {

    private static final String HOME = "~/";

    /** A value, and its origin for messages. */
    private record Given(String origin, String value, boolean isFromProfile) {}

    /**
     * Returns the same without the profile's token and client certificate, unless these are meant for the server: it is
     * that of the profile, or the profile has none.
     *
     * @param server its target
     */
    ClientDefaults forServer(String server) {
        boolean isItsOwn = fromProfile(ProfileKey.SERVER)
                .map(given -> ServerAddress.parse(given.origin, given.value).equals(server))
                .orElse(true);
        return isItsOwn ? this : new ClientDefaults(environment, profile.withoutCredentials());
    }

    Optional<String> server() {
        return given("TASKMASTER_SERVER", ProfileKey.SERVER)
                .map(given -> ServerAddress.parse(given.origin, given.value));
    }

    Optional<GroupName> group() {
        return given("TASKMASTER_GROUP", ProfileKey.GROUP).map(given -> {
            try {
                return GroupName.wrap(ByteText.parse(given.value));
            } catch (TypeConversionException e) {
                throw new ConfigException(given.origin + ": " + e.getMessage(), e);
            }
        });
    }

    Optional<Duration> timeout() {
        return fromProfile(ProfileKey.TIMEOUT).map(given -> Values.duration(given.origin, given.value));
    }

    boolean tls() {
        return fromProfile(ProfileKey.TLS)
                .map(given -> switch (given.value) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw ConfigException.of(given.origin, given.value, "true or false");
                })
                .orElse(false);
    }

    Optional<Path> authorities() {
        return given("TASKMASTER_CA", ProfileKey.CA).map(this::path);
    }

    Optional<Certificate> certificate() {
        return Certificate.of(
                profile.source() + ProfileKey.CERTIFICATE,
                fromProfile(ProfileKey.CERTIFICATE).map(this::path),
                profile.source() + ProfileKey.KEY,
                fromProfile(ProfileKey.KEY).map(this::path));
    }

    Optional<TokenFile> tokenFile() {
        return given("TASKMASTER_TOKEN_FILE", ProfileKey.TOKEN_FILE)
                .map(given -> new TokenFile(given.origin, path(given)));
    }

    private Path path(Given given) {
        try {
            if (!given.isFromProfile) {
                return Path.of(given.value);
            }
            return given.value.startsWith(HOME) && environment.home().isPresent()
                    ? environment.home().get().resolve(given.value.substring(HOME.length()))
                    : profile.folder().resolve(given.value);
        } catch (InvalidPathException e) {
            throw new ConfigException(given.origin + ": " + e.getMessage(), e);
        }
    }

    private Optional<Given> given(String variable, ProfileKey key) {
        return environment
                .variable(variable)
                .map(value -> new Given(variable, value, false))
                .or(() -> fromProfile(key));
    }

    private Optional<Given> fromProfile(ProfileKey key) {
        return Optional.ofNullable(profile.values().get(key))
                .map(value -> new Given(profile.source() + key, value, true));
    }
}
