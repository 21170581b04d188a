package io.taskmaster.examples.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.examples.conversion.converter.HtmlToMarkdown;
import io.taskmaster.examples.conversion.converter.InjectedFailures;
import io.taskmaster.examples.demo.DemoProcess;
import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the whole demo of the conversion, with real processes. */
final class ConversionDemoIT {

    private static final int DOCUMENTS = 80;
    private static final int MAX_FAILURES = 5;
    private static final String POISON = "bomb.html";
    private static final Pattern CONVERTED = Pattern.compile("^(\\d+) of \\d+ documents converted");

    @TempDir
    private Path folder;

    @Test
    void everyDocumentIsConvertedOrDeniedOnceWhateverIsKilled() throws Exception {
        try (DemoProcess demo = start()) {
            demo.awaitProgress(CONVERTED, 8);
            demo.kill("worker-1");
            demo.awaitProgress(CONVERTED, 30);
            demo.killAlone();
        }
        try (DemoProcess demo = start()) {
            assertThat(demo.await()).as("%s", demo.lines()).isZero();
            assertThat(DemoProcess.summary(demo.lines()))
                    .contains("Going on with the conversion.")
                    .endsWith(
                            "Denied: %s, failed %d times, the last time: the converter ended with status 3"
                                    .formatted(POISON, MAX_FAILURES),
                            "%d documents requested, %d converted, 1 denied, %d failures"
                                    .formatted(DOCUMENTS + 1, DOCUMENTS, failures()));
        }
        assertThatEachIsConvertedAsItWouldBeAlone();

        assertThat(DemoProcess.output(folder, "conversion", "--documents=" + DOCUMENTS)
                        .orElseThrow())
                .contains("This conversion is complete; --fresh starts a new one.");
    }

    private DemoProcess start() throws IOException {
        return DemoProcess.start(folder, "conversion", "--pace=0", "--documents=" + DOCUMENTS);
    }

    private int failures() throws IOException {
        return MAX_FAILURES
                + uploads().keySet().stream().mapToInt(InjectedFailures::of).sum();
    }

    private void assertThatEachIsConvertedAsItWouldBeAlone() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        uploads().forEach((name, html) -> expected.put(name + ".md", HtmlToMarkdown.convert(Bytes.of(html))));
        assertThat(expected).hasSize(DOCUMENTS);
        Map<String, String> found = files("converted");
        // A worker that was killed may have left a partial file.
        found.keySet().removeIf(name -> name.endsWith(".part"));
        assertThat(found).isEqualTo(expected);
    }

    /** Returns the uploads of users, except for the poisonous document. */
    private Map<String, String> uploads() throws IOException {
        Map<String, String> uploads = files("uploads");
        uploads.remove(POISON);
        return uploads;
    }

    private Map<String, String> files(String name) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve(name))) {
            files.forEach(file -> contents.put(file.getFileName().toString(), read(file)));
        }
        return contents;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
