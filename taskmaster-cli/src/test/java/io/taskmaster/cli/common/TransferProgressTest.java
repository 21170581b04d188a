package io.taskmaster.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.time.Clock;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the progress bar: its last state, which is drawn when it is closed. */
final class TransferProgressTest {

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aPersonSeesWhatIsDoneOfHowMuchAndHowFast() {
        try (TransferProgress transferProgress = TransferProgress.of(terminal(true), "redrive", 200)) {
            transferProgress.to(50);
        }
        assertThat(err.toString())
                .startsWith("\r")
                .contains("redrive", " 25%", "50/200", "/s")
                .endsWith("\n");
    }

    @Test
    void moreThanWasKnownIsAllOfIt() {
        try (TransferProgress transferProgress = TransferProgress.of(terminal(true), "export", 10)) {
            transferProgress.to(30);
        }
        assertThat(err.toString()).contains("100%", "30/30");
    }

    @Test
    void howMuchAFileWillBringIsJudgedByWhatItBrought() throws IOException {
        Path file = Files.write(folder.resolve("input"), new byte[1000]);
        try (InputStream in = new FileInputStream(file.toFile());
                TransferProgress transferProgress = TransferProgress.ofInput(terminal(true), "import", in)) {
            in.readNBytes(250);
            transferProgress.to(40);
        }
        assertThat(err.toString()).contains(" 25%", "40/160");
    }

    @Test
    void howMuchAPipeWillBringIsNotKnown() {
        InputStream in = new ByteArrayInputStream(new byte[1000]);
        try (TransferProgress transferProgress = TransferProgress.ofInput(terminal(true), "enqueue", in)) {
            transferProgress.to(40);
        }
        assertThat(err.toString()).contains("? %", "40/?");
    }

    @Test
    void nobodySeesAnythingWhereNobodyLooks() {
        try (TransferProgress transferProgress = TransferProgress.of(terminal(false), "redrive", 200)) {
            transferProgress.to(50);
        }
        assertThat(err.toString()).isEmpty();
    }

    private Terminal terminal(boolean interactive) {
        return new Terminal(
                InputStream.nullInputStream(),
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                interactive,
                Clock.system());
    }
}
