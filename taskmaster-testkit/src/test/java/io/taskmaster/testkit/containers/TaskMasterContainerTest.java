package io.taskmaster.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.program.Version;
import org.junit.jupiter.api.Test;
import org.testcontainers.utility.DockerImageName;

/** Tests of containers that need no Docker daemon. */
final class TaskMasterContainerTest {

    @Test
    void settingsBecomeArgumentsOfTheServer() {
        TaskMasterContainer container = new TaskMasterContainer(DockerImageName.parse("some/image:1"))
                .withStore("memory")
                .withSetting("partitions", "8");

        container.configure();

        assertThat(container.getCommandParts()).containsExactly("--set", "store=memory", "--set", "partitions=8");
    }

    @Test
    void withAnHBaseItStartsAfterItAndFindsIt() {
        HBaseContainer hbase = new HBaseContainer();
        TaskMasterContainer container = new TaskMasterContainer().withHBase(hbase);

        container.configure();

        assertThat(container.getDependencies()).containsExactly(hbase);
        assertThat(container.getCommandParts()).containsExactly("--store", "hbase", "--zookeeper", "hbase:2181");
    }

    @Test
    void bothAreOfTheImagesOfThisVersion() {
        assertThat(TaskMasterContainer.IMAGE.asCanonicalNameString())
                .isEqualTo("taskmaster/taskmaster:" + Version.current());
        assertThat(HBaseContainer.IMAGE.asCanonicalNameString()).isEqualTo("taskmaster/hbase:" + Version.current());
    }
}
