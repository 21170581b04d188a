package io.taskmaster.tests;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * A listener that raises the default timeout of Awaitility from its ten seconds to two minutes: a test waits for a
 * condition, and the speed of the machine is not what it tests. The test platform loads this class as a service.
 */
public final class GenerousWaits implements LauncherSessionListener {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }
}
