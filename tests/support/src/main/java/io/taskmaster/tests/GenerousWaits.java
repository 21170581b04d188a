package io.taskmaster.tests;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * The default timeout of Awaitility, raised from its ten seconds: a test waits for a condition, and how long the machine takes to get there
 * is not what it tests. The test platform loads this class as a service.
 */
public final class GenerousWaits implements LauncherSessionListener {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }
}
