package io.taskmaster.proxy.json;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.taskmaster.wire.TimeMapper;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Conversions of durations ({@code 1.5s}) and instants (RFC 3339), both to the nanosecond. Thread-safe: stateless. */
final class Times {

    /** A number of seconds, or a number and a unit. Bounded, so that a number does not expand to millions of digits. */
    static final String DURATION_PATTERN = "-?[0-9]{1,12}(\\.[0-9]{1,9})?(ms|s|m|h|d)?";

    private static final Pattern DURATION = Pattern.compile("(-?[0-9]{1,12}(?:\\.[0-9]{1,9})?)(ms|s|m|h|d)?");
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)");
    private static final int NANO_DIGITS = 9;
    private static final Map<String, BigDecimal> NANOS = Map.of(
            "ms", new BigDecimal(1_000_000L),
            "s", new BigDecimal(1_000_000_000L),
            "m", new BigDecimal(60_000_000_000L),
            "h", new BigDecimal(3_600_000_000_000L),
            "d", new BigDecimal(86_400_000_000_000L));
    private static final BigDecimal NANOS_PER_SECOND = new BigDecimal(1_000_000_000L);
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private Times() {}

    static Duration parseDuration(String text) throws BadValueException {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw new BadValueException(
                    text, "a duration such as \"30s\", \"500ms\" or \"5m\", or a number of seconds");
        }
        String unit = parts.group(2) == null ? "s" : parts.group(2);
        BigDecimal nanos = new BigDecimal(parts.group(1)).multiply(NANOS.get(unit));
        BigDecimal[] secondsAndFraction =
                nanos.divideToIntegralValue(BigDecimal.ONE).divideAndRemainder(NANOS_PER_SECOND);
        return Duration.newBuilder()
                .setSeconds(secondsAndFraction[0].longValueExact())
                .setNanos(secondsAndFraction[1].intValueExact())
                .build();
    }

    static String format(Duration span) {
        BigDecimal nanos =
                new BigDecimal(span.getSeconds()).multiply(NANOS_PER_SECOND).add(new BigDecimal(span.getNanos()));
        BigDecimal seconds = nanos.movePointLeft(NANO_DIGITS).stripTrailingZeros();
        return seconds.toPlainString() + "s";
    }

    static Timestamp parseTime(String text) throws BadValueException {
        try {
            if (TIME.matcher(text).matches()) {
                Instant time = OffsetDateTime.parse(text).toInstant();
                if (!time.isBefore(FIRST) && !time.isAfter(LAST)) {
                    return TimeMapper.toProto(time);
                }
            }
        } catch (DateTimeException invalid) {
            // Thrown below, as for any other text that is no time.
        }
        throw new BadValueException(text, "a time (RFC 3339) such as 2026-11-21T10:30:00Z");
    }

    static String format(Timestamp time) {
        return TimeMapper.toInstant(time).toString();
    }
}
