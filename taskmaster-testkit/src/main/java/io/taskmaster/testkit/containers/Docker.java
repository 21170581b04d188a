package io.taskmaster.testkit.containers;

import com.google.common.base.Suppliers;
import java.util.Optional;
import java.util.function.Supplier;
import org.testcontainers.DockerClientFactory;

/** The Docker daemon that Testcontainers finds. Thread-safe. */
public final class Docker {

    /** The reason, memoized: Testcontainers reports it only once. */
    private static final Supplier<Optional<String>> UNAVAILABLE_REASON = Suppliers.memoize(Docker::probe);

    private Docker() {}

    /**
     * Returns the reason why no containers can be run; empty if they can. The first call blocks while it looks for the
     * daemon.
     */
    public static Optional<String> whyNot() {
        return UNAVAILABLE_REASON.get();
    }

    private static Optional<String> probe() {
        try {
            DockerClientFactory.instance().client();
            return Optional.empty();
        } catch (RuntimeException unusable) {
            return Optional.of(String.valueOf(unusable.getMessage()));
        }
    }
}
