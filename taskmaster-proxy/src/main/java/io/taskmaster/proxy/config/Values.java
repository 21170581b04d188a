package io.taskmaster.proxy.config;

import com.google.common.net.HostAndPort;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parsers of values of settings and options. A value that cannot be parsed is a {@link ConfigException} that names the
 * key. Stateless.
 */
public final class Values {

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,15})\\s*([A-Za-z%]*)");
    private static final Map<String, Long> BYTES =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final String BOUND_SEPARATOR = ", at most ";
    private static final String BYTES_OR_SHARE =
            "a size such as 64MiB, or a share of the heap such as 25% or 25%" + BOUND_SEPARATOR + "1GiB";
    private static final String NUMBER_OR_SHARE =
            "a number such as 1000000, or a share of the heap such as 15% or 15%" + BOUND_SEPARATOR + "1000000";
    private static final String DURATION = "a duration such as 500ms, 10s, 5m, 1h or 7d";
    private static final int MAX_PERCENT = 100;

    private Values() {}

    static int integer(String key, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw ConfigException.of(key, text, "a whole number");
        }
    }

    static boolean flag(String key, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ConfigException.of(key, text, "true or false");
        };
    }

    /**
     * Parses a number of bytes, or a share of the heap.
     *
     * @param heapBytes the size of the heap, of which a percentage is a share
     */
    static long bytes(String key, String text, long heapBytes) {
        int bound = text.indexOf(BOUND_SEPARATOR);
        return bound < 0
                ? amount(key, text, heapBytes)
                : Math.min(
                        amount(key, text.substring(0, bound), heapBytes),
                        amount(key, text.substring(bound + BOUND_SEPARATOR.length()), heapBytes));
    }

    /**
     * Parses a maximum number of objects that take memory, or a share of the heap for them.
     *
     * @param heapBytes the size of the heap, of which a percentage is a share
     * @param bytesEach the memory of one object
     */
    static long count(String key, String text, long heapBytes, long bytesEach) {
        int bound = text.indexOf(BOUND_SEPARATOR);
        return bound < 0
                ? number(key, text, heapBytes / bytesEach)
                : Math.min(
                        number(key, text.substring(0, bound), heapBytes / bytesEach),
                        number(key, text.substring(bound + BOUND_SEPARATOR.length()), heapBytes / bytesEach));
    }

    private static long number(String key, String text, long total) {
        Matcher parts = parts(key, text, NUMBER_OR_SHARE);
        long number = Long.parseLong(parts.group(1));
        String unit = parts.group(2);
        if (unit.equals("%") && number <= MAX_PERCENT) {
            return total * number / MAX_PERCENT;
        }
        if (!unit.isEmpty()) {
            throw ConfigException.of(key, text, NUMBER_OR_SHARE);
        }
        return number;
    }

    private static long amount(String key, String text, long heapBytes) {
        Matcher parts = parts(key, text, BYTES_OR_SHARE);
        long number = Long.parseLong(parts.group(1));
        String unit = parts.group(2);
        if (unit.equals("%") && number <= MAX_PERCENT) {
            return heapBytes * number / MAX_PERCENT;
        }
        Long factor = BYTES.get(unit);
        if (factor == null || number > Long.MAX_VALUE / factor) {
            throw ConfigException.of(key, text, BYTES_OR_SHARE);
        }
        return number * factor;
    }

    /** Parses a duration such as {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h} or {@code 7d}. */
    public static Duration duration(String key, String text) {
        Matcher parts = parts(key, text, DURATION);
        Long factor = MILLIS.get(parts.group(2));
        long number = Long.parseLong(parts.group(1));
        if (factor == null || number > Long.MAX_VALUE / factor) {
            throw ConfigException.of(key, text, DURATION);
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
