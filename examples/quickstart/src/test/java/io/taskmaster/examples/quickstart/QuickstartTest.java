package io.taskmaster.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class QuickstartTest {

    private static final Path README = Path.of("../../README.md");
    private static final Path SOURCE = Path.of("src/main/java/io/taskmaster/examples/quickstart/Quickstart.java");
    private static final String CLASS = "public final class Quickstart {";

    @Test
    void everyNameIsGreetedAndNothingIsLeft() throws InterruptedException {
        List<String> printed = new CopyOnWriteArrayList<>();
        try (TestServer server = TestServer.inMemory()) {
            Quickstart.run(server.target(), printed::add);

            assertThat(server.client()
                            .blocking()
                            .list(ListRequest.of(QueueSelector.all()))
                            .queues())
                    .isEmpty();
        }
        assertThat(printed).containsExactlyInAnyOrder("Hello, Ada!", "Hello, Edsger!", "Hello, Grace!");
    }

    @Test
    void runsAgain() throws InterruptedException {
        List<String> printed = new CopyOnWriteArrayList<>();
        try (TestServer server = TestServer.inMemory()) {
            Quickstart.run(server.target(), _ -> {});
            Quickstart.run(server.target(), printed::add);
        }
        assertThat(printed).hasSize(3);
    }

    /** The README leaves out the package, the imports and the Javadoc. */
    @Test
    void theReadmeHasTheWholeClass() throws IOException {
        List<String> snippets = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(README, UTF_8))
                .results()
                .map(snippet -> squeezed(snippet.group(1)))
                .toList();
        String source = Files.readString(SOURCE, UTF_8);
        assertThat(snippets).contains(squeezed(source.substring(source.indexOf(CLASS))));
    }

    /** Returns a text whose line breaks and indentation do not matter. */
    private static String squeezed(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
