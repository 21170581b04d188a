package io.taskmaster.server.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The stored bytes of the golden files of every format and version, as seeds of mutations. Immutable. */
final class StoredSamples {

    private final List<byte[]> samples = new ArrayList<>();

    StoredSamples() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/resources/golden"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".hex"))
                    .sorted()
                    .toList()) {
                samples.add(
                        HexFormat.of().parseHex(Files.readString(file, US_ASCII).replaceAll("\\s", "")));
            }
        }
    }

    /** Returns a mutated sample, or random bytes. */
    byte[] mutated(SplittableRandom random) {
        if (random.nextInt(10) == 0) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            return bytes;
        }
        return Fuzzing.mutated(samples.get(random.nextInt(samples.size())), random);
    }
}
