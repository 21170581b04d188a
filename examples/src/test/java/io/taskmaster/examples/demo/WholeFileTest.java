package io.taskmaster.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WholeFileTest {

    @TempDir
    private Path folder;

    @Test
    void whatIsThereIsReplacedAndNothingIsLeft() throws IOException {
        WholeFile.write(folder, "a.md", "one");
        WholeFile.write(folder, "a.md", "two");
        assertThat(folder.toFile().list()).containsExactly("a.md");
        assertThat(folder.resolve("a.md")).hasContent("two");
    }

    @Test
    void whoeverMayReadOtherFilesMayReadIt() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain"), "text");
        WholeFile.write(folder, "a.md", "text");
        assertThat(Files.getPosixFilePermissions(folder.resolve("a.md")))
                .isEqualTo(Files.getPosixFilePermissions(plain));
    }

    @Test
    void whatCannotTakeItsPlaceIsNotLeftBehind() throws IOException {
        Files.createDirectories(folder.resolve("a.md").resolve("occupied"));
        assertThatThrownBy(() -> WholeFile.write(folder, "a.md", "text")).isInstanceOf(IOException.class);
        assertThat(folder.toFile().list()).containsExactly("a.md");
    }
}
