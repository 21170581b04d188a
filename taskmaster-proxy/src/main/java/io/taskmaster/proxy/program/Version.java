package io.taskmaster.proxy.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this program, as recorded by the build. Stateless. */
public final class Version {

    private Version() {}

    public static String current() {
        var properties = new Properties();
        try (InputStream resource = Version.class.getResourceAsStream("version.properties")) {
            if (resource == null) {
                return "unknown";
            }
            properties.load(resource);
        } catch (IOException e) {
            throw new UncheckedIOException("version.properties", e);
        }
        return properties.getProperty("version", "unknown");
    }
}
