package io.taskmaster.examples.adsquality.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.examples.adsquality.stage.AdsQualityQueues;
import io.taskmaster.examples.demo.DemoPace;
import io.taskmaster.examples.demo.process.DemoException;
import io.taskmaster.examples.demo.process.DemoFolder;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AdsQualityDemoTest {

    @TempDir
    private Path folder;

    @Test
    void setThatWasGivenUpEndsTheDemoWhichOtherwiseNeverWould() throws IOException {
        try (TestServer server = TestServer.inMemory();
                AdsQualityDemo demo = AdsQualityDemo.open(new DemoFolder(folder), 1, new DemoPace(1))) {
            BlockingClient client = server.client().blocking();
            demo.begin(client);
            assertThat(demo.look(client).isOver()).isFalse();

            client.enqueue(
                    new QueueKey(AdsQualityQueues.GROUP, QueueName.of("loading.dead")), Pid.of("shoes"), Bytes.EMPTY);
            assertThatThrownBy(() -> demo.look(client))
                    .isInstanceOf(DemoException.class)
                    .hasMessageContaining("loading.dead");
        }
    }
}
