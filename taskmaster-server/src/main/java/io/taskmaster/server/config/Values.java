package io.taskmaster.server.config;

import com.google.common.net.HostAndPort;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Values of settings, from text. Stateless. */
final class Values {

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,15})\\s*([A-Za-z%]*)");
    private static final Map<String, Long> BYTES =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> MILLIS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);
    private static final int MAX_PERCENT = 100;

    private Values() {}

    static int integer(String key, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw ConfigException.of(key, text, "a whole number");
        }
    }

    /**
     * @param heapBytes what a percentage is of
     */
    static long bytes(String key, String text, long heapBytes) {
        Matcher parts = parts(key, text, "bytes, as 64MiB, or a share of the heap, as 25%");
        long number = Long.parseLong(parts.group(1));
        String unit = parts.group(2);
        if (unit.equals("%") && number <= MAX_PERCENT) {
            return heapBytes / MAX_PERCENT * number;
        }
        Long factor = BYTES.get(unit);
        if (factor == null || number > Long.MAX_VALUE / factor) {
            throw ConfigException.of(key, text, "bytes, as 64MiB, or a share of the heap, as 25%");
        }
        return number * factor;
    }

    static Duration duration(String key, String text) {
        Matcher parts = parts(key, text, "a duration, as 500ms, 10s, 5m or 1h");
        Long factor = MILLIS.get(parts.group(2));
        long number = Long.parseLong(parts.group(1));
        if (factor == null || number > Long.MAX_VALUE / factor) {
            throw ConfigException.of(key, text, "a duration, as 500ms, 10s, 5m or 1h");
        }
        return Duration.ofMillis(number * factor);
    }

    static HostAndPort address(String key, String text) {
        HostAndPort address;
        try {
            address = HostAndPort.fromString(text);
        } catch (IllegalArgumentException e) {
            throw ConfigException.of(key, text, "HOST:PORT");
        }
        if (!address.hasPort() || address.getHost().isEmpty()) {
            throw ConfigException.of(key, text, "HOST:PORT");
        }
        return address;
    }

    static <E extends Enum<E>> E oneOf(String key, String text, Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> ConfigException.of(
                        key,
                        text,
                        Arrays.stream(type.getEnumConstants())
                                .map(value -> value.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))));
    }

    private static Matcher parts(String key, String text, String expected) {
        Matcher parts = NUMBER_AND_UNIT.matcher(text);
        if (!parts.matches()) {
            throw ConfigException.of(key, text, expected);
        }
        return parts;
    }
}
