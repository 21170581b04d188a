package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.partition.admit.AdmissionControl;
import io.taskmaster.server.partition.admit.AdmissionQueue;
import io.taskmaster.server.partition.context.RefusalCounters;
import io.taskmaster.server.partition.fair.FairQueue;
import io.taskmaster.server.partition.read.WindowRefills;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that docs/limits.md agrees with the limits of round-robin in the code. */
final class FairnessLimitsTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| [^|]+ \\| ([0-9,]+)[^|]* \\| `([A-Za-z]+\\.[A-Z_]+)` \\| [^|]+ \\|$");

    @Test
    void everyLimitIsOnThePageWithItsValue() throws IOException {
        Map<String, Long> documented = new LinkedHashMap<>();
        ROW.matcher(Files.readString(Path.of("../docs/limits.md")))
                .results()
                .forEach(row ->
                        documented.put(row.group(2), Long.parseLong(row.group(1).replace(",", ""))));

        assertThat(documented)
                .containsEntry("FairQueue.QUANTUM", FairQueue.QUANTUM)
                .containsEntry("AdmissionQueue.MAX_CALLERS", (long) AdmissionQueue.MAX_CALLERS)
                .containsEntry("AdmissionControl.AT_ONCE_PER_TURN", (long) AdmissionControl.MAX_IMMEDIATE_PER_TICK)
                .containsEntry("WindowRefills.AT_ONCE", (long) WindowRefills.AT_ONCE)
                .containsEntry("RefusalCounters.MAX_CALLERS", (long) RefusalCounters.MAX_CALLERS);
    }
}
