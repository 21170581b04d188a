package io.taskmaster.proxy.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchedFilesTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    private final List<String> applied = new CopyOnWriteArrayList<>();
    private Path one = folder;
    private Path two = folder;

    @BeforeEach
    void write() throws IOException {
        one = Files.writeString(folder.resolve("one"), "1");
        two = Files.writeString(folder.resolve("two"), "a");
    }

    @Test
    void filesAreTakenAtOnceAndAgainWhenOneOfThemChanges() throws IOException {
        try (var files = open()) {
            assertThat(applied).containsExactly("1a");

            Files.writeString(two, "b");

            await().atMost(LIMIT).until(() -> applied.contains("1b"));
            assertThat(applied).containsExactly("1a", "1b");
            assertThat(files).isNotNull();
        }
    }

    @Test
    void whatIsRefusedOrGoneLaterDoesNotEndTheWatch() throws IOException {
        try (var files = open()) {
            Files.writeString(one, "refused");
            await().atMost(LIMIT).until(() -> applied.contains("refuseda"));
            Files.delete(one);
            Files.writeString(folder.resolve("new"), "2");
            Files.move(folder.resolve("new"), one);

            await().atMost(LIMIT).until(() -> applied.contains("2a"));
            assertThat(files).isNotNull();
        }
    }

    @Test
    void whatCannotBeUsedAtFirstIsAnError() throws IOException {
        Files.writeString(one, "refused");
        assertThatThrownBy(this::open).isInstanceOf(ConfigException.class).hasMessage("no");

        Files.delete(one);
        assertThatThrownBy(this::open)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("some.files")
                .hasMessageContaining(one.toString());
    }

    private WatchedFiles open() {
        return WatchedFiles.open("some.files", List.of(one, two), contents -> {
            String all = new String(contents.getFirst(), UTF_8) + new String(contents.getLast(), UTF_8);
            applied.add(all);
            if (all.startsWith("refused")) {
                throw new ConfigException("no", null);
            }
        });
    }
}
