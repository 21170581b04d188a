package io.taskmaster.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A test of what the test kit brings to the class path of its users, of which this module is one. */
final class TestKitClassPathTest {

    private static final Pattern FOR_SERVERS_ALONE = Pattern.compile("rocksdb|hbase|hadoop|zookeeper|jline|picocli");

    @Test
    void theTestKitBringsNoStoreAndNoCommandLine() {
        List<String> jars = List.of(System.getProperty("java.class.path").split(File.pathSeparator));

        assertThat(jars).anyMatch(jar -> jar.contains("taskmaster-server"));
        assertThat(jars)
                .noneMatch(jar ->
                        FOR_SERVERS_ALONE.matcher(new File(jar).getName()).find());
    }
}
