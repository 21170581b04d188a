package io.taskmaster.examples.adsquality;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.examples.adsquality.market.Market;
import io.taskmaster.examples.demo.DemoProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the whole demo of the ads-quality flow, with real processes. */
final class AdsQualityDemoIT {

    private static final Pattern JUDGED = Pattern.compile("^(\\d+) queries judged");

    @TempDir
    private Path folder;

    @Test
    void phasesDoNotOverlapAndNothingIsLostWhateverIsKilled() throws Exception {
        try (DemoProcess demo = DemoProcess.start(folder, "ads-quality", "--pace=120")) {
            demo.awaitProgress(JUDGED, 20);
            demo.kill("coordinator");
            demo.kill("worker-1");
            demo.awaitProgress(JUDGED, 100);
            demo.kill("server");
            demo.awaitProgress(JUDGED, 150);
            demo.kill("coordinator");
            assertThat(demo.await()).as("%s", demo.lines()).isZero();
            assertThat(demo.lastLine())
                    .isEqualTo("4 query sets loaded, 432 queries judged, %d advertisers rated, 0 dead letters"
                            .formatted(Market.ALL.stream()
                                    .mapToInt(
                                            market -> Expectations.table(market).size() - 1)
                                    .sum()));
        }
        for (Market market : Market.ALL) {
            Expectations.assertThatPhasesDoNotOverlap(journal(market), market);
            assertThat(Files.readAllLines(folder.resolve("reports").resolve(market.name() + ".csv")))
                    .isEqualTo(Expectations.table(market));
        }
    }

    /** Returns the journal without its times. */
    private List<String> journal(Market market) throws IOException {
        return Files.readAllLines(folder.resolve("journal").resolve(market.name() + ".txt")).stream()
                .map(line -> line.split(" ", 2)[1])
                .toList();
    }
}
