package io.taskmaster.testkit.containers;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;

/** The Docker daemon that Testcontainers finds. */
public final class Docker {

    private Docker() {}

    /** Why no containers can be run; empty if they can. Blocks; asked again it knows. */
    public static Optional<String> whyNot() {
        try {
            DockerClientFactory.instance().client();
            return Optional.empty();
        } catch (RuntimeException unusable) {
            return Optional.of(String.valueOf(unusable.getMessage()));
        }
    }
}
