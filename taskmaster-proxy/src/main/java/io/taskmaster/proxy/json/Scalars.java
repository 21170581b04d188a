package io.taskmaster.proxy.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Conversions of single values from and to text, by the type of the field. Thread-safe: stateless. */
final class Scalars {

    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,19}");

    private Scalars() {}

    /** Returns a value of the type that protobuf's builders take. */
    static Object parse(Spelling spelling, String text) throws BadValueException {
        FieldDescriptor field = spelling.field();
        return switch (field.getJavaType()) {
            case BYTE_STRING -> spelling.base64() ? base64(text) : ByteString.copyFrom(utf8(text));
            case STRING -> {
                utf8(text);
                yield text;
            }
            case BOOLEAN -> bool(text);
            case INT -> isUnsigned(field) ? unsignedInt(text) : signedInt(text);
            case LONG -> isUnsigned(field) ? unsignedLong(text) : signedLong(text);
            case DOUBLE -> number(text);
            case ENUM -> enumValue(field, text);
            case MESSAGE -> JsonFields.isDuration(field) ? Times.parseDuration(text) : Times.parseTime(text);
            case FLOAT -> throw new IllegalArgumentException("the contract has no such field: " + field);
        };
    }

    static String base64(ByteString bytes) {
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    static boolean isUnsigned(FieldDescriptor field) {
        return switch (field.getType()) {
            case UINT32, UINT64, FIXED32, FIXED64 -> true;
            default -> false;
        };
    }

    /** Returns the text in UTF-8. JSON can spell half of a surrogate pair, which Unicode text cannot have. */
    private static byte[] utf8(String text) throws BadValueException {
        try {
            var bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] array = new byte[bytes.remaining()];
            bytes.get(array);
            return array;
        } catch (CharacterCodingException e) {
            throw new BadValueException(
                    "half of a surrogate pair",
                    "text in Unicode; other bytes go into the field that ends in " + JsonFields.BASE64);
        }
    }

    /** Decodes either alphabet, with padding or without. */
    private static ByteString base64(String text) throws BadValueException {
        try {
            return ByteString.copyFrom(Base64.getDecoder()
                    .decode(text.replace('-', '+').replace('_', '/').getBytes(UTF_8)));
        } catch (IllegalArgumentException e) {
            throw new BadValueException(text, "Base64");
        }
    }

    private static boolean bool(String text) throws BadValueException {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new BadValueException(text, "true or false");
        };
    }

    private static int unsignedInt(String text) throws BadValueException {
        try {
            return Integer.parseUnsignedInt(integer(text));
        } catch (NumberFormatException e) {
            throw new BadValueException(text, "an integer, 0 to 4294967295");
        }
    }

    private static int signedInt(String text) throws BadValueException {
        try {
            return Integer.parseInt(integer(text));
        } catch (NumberFormatException e) {
            throw new BadValueException(text, "an integer of 32 bits");
        }
    }

    private static long unsignedLong(String text) throws BadValueException {
        try {
            return Long.parseUnsignedLong(integer(text));
        } catch (NumberFormatException e) {
            throw new BadValueException(text, "an integer, 0 to 18446744073709551615");
        }
    }

    private static long signedLong(String text) throws BadValueException {
        try {
            return Long.parseLong(integer(text));
        } catch (NumberFormatException e) {
            throw new BadValueException(text, "an integer of 64 bits");
        }
    }

    /** Checks for a plain decimal number: Java also accepts a plus sign, leading zeros and digits of other scripts. */
    private static String integer(String text) {
        if (!INTEGER.matcher(text).matches()) {
            throw new NumberFormatException(text);
        }
        return text;
    }

    private static double number(String text) throws BadValueException {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new BadValueException(text, "a number");
        }
    }

    private static EnumValueDescriptor enumValue(FieldDescriptor field, String text) throws BadValueException {
        EnumValueDescriptor value = field.getEnumType().findValueByName(text);
        if (value == null) {
            throw new BadValueException(
                    text,
                    field.getEnumType().getValues().stream()
                            .map(EnumValueDescriptor::getName)
                            .collect(Collectors.joining(", ")));
        }
        return value;
    }
}
