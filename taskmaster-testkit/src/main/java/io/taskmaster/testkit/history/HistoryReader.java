package io.taskmaster.testkit.history;

import io.taskmaster.testkit.history.HistoryEvent.Completed;
import io.taskmaster.testkit.history.HistoryEvent.Invoked;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of history files. Calls that were not completed have an unknown outcome.
 *
 * <p>A torn last line, as a killed process leaves it, is skipped. Any other malformed line is an error that names it.
 * Single-threaded.
 */
public final class HistoryReader {

    private final String file;
    private final Map<Long, RecordedCall> calls = new HashMap<>();
    private final List<Long> numbers = new ArrayList<>();

    private HistoryReader(String file) {
        this.file = file;
    }

    /** Reads the history of one file. */
    public static History read(Path file) throws IOException {
        try (var lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
            return new HistoryReader(file.toString()).read(lines);
        }
    }

    /** Reads the files of several processes as one history. */
    public static History readAll(List<Path> files) throws IOException {
        List<History> parts = new ArrayList<>();
        for (Path file : files) {
            parts.add(read(file));
        }
        return History.merge(parts);
    }

    /** Reads a history from a string. */
    static History parse(String name, String text) throws IOException {
        return new HistoryReader(name).read(new BufferedReader(new StringReader(text)));
    }

    private History read(BufferedReader lines) throws IOException {
        long number = 0;
        String line = lines.readLine();
        while (line != null) {
            number++;
            String next = lines.readLine();
            try {
                if (!line.isBlank()) {
                    add(HistoryCodec.decode(line, this::methodOf));
                }
            } catch (IllegalArgumentException wrong) {
                // The closing brace is the last character of an event: without it, the line is torn.
                if (next != null || (line.stripTrailing().endsWith("}") && isObject(line))) {
                    throw new HistoryFormatException(file, number, String.valueOf(wrong.getMessage()), wrong);
                }
            }
            line = next;
        }
        return History.of(numbers.stream().map(calls::get).toList());
    }

    /** Returns whether braces outside of strings are balanced, as they are in a complete line. */
    private static boolean isObject(String line) {
        int depth = 0;
        boolean inString = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (inString && c == '\\') {
                i++;
            } else if (c == '"') {
                inString = !inString;
            } else if (!inString) {
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            }
        }
        return depth == 0 && !inString;
    }

    private void add(HistoryEvent event) {
        switch (event) {
            case Invoked invoked -> {
                RecordedCall call = new RecordedCall(
                        invoked.number(),
                        invoked.client(),
                        invoked.micros(),
                        RecordedCall.NEVER,
                        invoked.request(),
                        RecordedOutcome.IN_FLIGHT);
                if (calls.putIfAbsent(invoked.number(), call) != null) {
                    throw new IllegalArgumentException("number: %d (expected: a new number)".formatted(call.number()));
                }
                numbers.add(invoked.number());
            }
            case Completed completed ->
                calls.compute(completed.number(), (number, call) -> {
                    if (call == null || call.completedMicros() != RecordedCall.NEVER) {
                        throw new IllegalArgumentException(
                                "number: %d (expected: the number of a call in flight)".formatted(number));
                    }
                    return call.completed(completed.micros(), completed.recordedOutcome());
                });
        }
    }

    private Method methodOf(long number) {
        RecordedCall call = calls.get(number);
        if (call == null) {
            throw new IllegalArgumentException(
                    "number: %d (expected: the number of a call in flight)".formatted(number));
        }
        return Method.of(call.request());
    }
}
