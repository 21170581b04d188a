package io.taskmaster.proxy.json;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A generator of messages of any type from a seed: fields left out, difficult texts, arbitrary bytes, numbers at the
 * limits. Single-threaded.
 *
 * <p>Wild messages may have values that can be sent but have no meaning, such as undefined enum numbers and times out
 * of range. Sane ones only have values that the contract defines, so they can be written as JSON.
 */
public final class RandomMessages {

    private static final int MAX_DEPTH = 4;
    private static final int NANOS = 1_000_000_000;
    private static final long FIRST_SECOND = -62_135_596_800L;
    private static final long SECONDS_OF_ALL_TIME = 315_537_897_599L;
    private static final long MAX_SPAN_SECONDS = 900_000_000_000L;

    private static final List<String> TEXTS = List.of(
            "",
            "a",
            ".*",
            "(",
            "x{1000}{1000}",
            "((a{99}){99}){99}",
            "[",
            "\\",
            "a**",
            "{",
            "}",
            "é",
            "\uD83D\uDE00",
            "\u0000\n\u2028\"",
            "(?P<n>",
            "x{2,1}",
            "\\pN{3}",
            "AQAAAAA",
            "page",
            "q".repeat(2000));

    private final SplittableRandom random;
    private final boolean wild;

    private RandomMessages(SplittableRandom random, boolean wild) {
        this.random = random;
        this.wild = wild;
    }

    public static RandomMessages wild(SplittableRandom random) {
        return new RandomMessages(random, true);
    }

    public static RandomMessages sane(SplittableRandom random) {
        return new RandomMessages(random, false);
    }

    /** Returns a random message of the prototype's type. */
    public <M extends Message> M like(M prototype) {
        @SuppressWarnings("unchecked") // a builder builds the type of its prototype
        M message = (M) message(prototype, 0);
        return message;
    }

    private Message message(Message prototype, int depth) {
        if (!wild && prototype instanceof Duration) {
            return span();
        }
        if (!wild && prototype instanceof Timestamp) {
            return time();
        }
        Message.Builder message = prototype.newBuilderForType();
        for (FieldDescriptor field : prototype.getDescriptorForType().getFields()) {
            if (random.nextInt(3) != 0) {
                continue;
            }
            if (field.isMapField()) {
                if (!wild) {
                    map(message, field);
                }
            } else if (field.isRepeated()) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    message.addRepeatedField(field, value(message, field, depth));
                }
            } else {
                message.setField(field, value(message, field, depth));
            }
        }
        return message.build();
    }

    private Object value(Message.Builder message, FieldDescriptor field, int depth) {
        return switch (field.getJavaType()) {
            case BYTE_STRING -> random.nextBoolean() ? bytes() : ByteString.copyFromUtf8(text());
            case STRING -> text();
            case BOOLEAN -> random.nextBoolean();
            case INT -> random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(200);
            case LONG -> random.nextInt(3) == 0 ? random.nextLong() : random.nextLong(200);
            case ENUM -> anyEnum(field);
            case MESSAGE ->
                depth > MAX_DEPTH
                        ? message.newBuilderForField(field).build()
                        : message(message.newBuilderForField(field).build(), depth + 1);
            case DOUBLE -> random.nextDouble(1e12);
            case FLOAT -> throw new AssertionError("no such field in the contract: " + field);
        };
    }

    private void map(Message.Builder message, FieldDescriptor field) {
        for (int i = random.nextInt(3); i > 0; i--) {
            Message.Builder entry = message.newBuilderForField(field);
            entry.setField(field.getMessageType().findFieldByNumber(1), i + text());
            entry.setField(field.getMessageType().findFieldByNumber(2), text());
            message.addRepeatedField(field, entry.build());
        }
    }

    private EnumValueDescriptor anyEnum(FieldDescriptor field) {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        if (!wild) {
            return values.get(random.nextInt(values.size()));
        }
        // Mostly the first value: the others may be refused, and would hide errors that come after them.
        int number = random.nextInt(4) == 0 ? random.nextInt(6) : 0;
        return field.getEnumType().findValueByNumberCreatingIfUnknown(number);
    }

    private Duration span() {
        long seconds = random.nextBoolean() ? random.nextLong(200) : random.nextLong(MAX_SPAN_SECONDS);
        int nanos = random.nextBoolean() ? 0 : random.nextInt(NANOS);
        int sign = random.nextInt(8) == 0 ? -1 : 1;
        return Duration.newBuilder()
                .setSeconds(sign * seconds)
                .setNanos(sign * nanos)
                .build();
    }

    private Timestamp time() {
        return Timestamp.newBuilder()
                .setSeconds(FIRST_SECOND + random.nextLong(SECONDS_OF_ALL_TIME))
                .setNanos(random.nextBoolean() ? 0 : random.nextInt(NANOS))
                .build();
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private ByteString bytes() {
        int length = random.nextInt(20) == 0 ? random.nextInt(6000) : random.nextInt(12);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }
}
