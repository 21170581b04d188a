package io.taskmaster.proxy.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of messages from the query of a URL. Each parameter is a field, fields of nested messages one level down
 * included, as {@code ?group=g&name_re=a.*}; a list is a parameter that occurs more than once. As strict as
 * {@link MessageReader}. Thread-safe: stateless.
 */
public final class QueryReader {

    private static final int HEX = 16;
    private static final int ESCAPE_LENGTH = 3;

    /**
     * A parameter and the field that it sets. Immutable.
     *
     * @param parent the field of the request that holds the field; null if that is the request itself
     */
    record Parameter(@Nullable FieldDescriptor parent, Spelling spelling) {

        boolean isRepeated() {
            return spelling.field().isRepeated();
        }
    }

    private QueryReader() {}

    /**
     * Reads the whole query, or throws a refusal that names the parameter.
     *
     * @param query as it is in the URL, still escaped, without the question mark
     * @param prototype the type of the message
     */
    public static <M extends Message> M read(String query, M prototype) {
        Map<String, Parameter> parameters = parameters(prototype);
        Message.Builder message = prototype.newBuilderForType();
        Map<FieldDescriptor, String> present = new HashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = unescape(equals < 0 ? pair : pair.substring(0, equals));
            String text = equals < 0 ? "" : unescape(pair.substring(equals + 1));
            Parameter parameter = parameters.get(name);
            if (parameter == null) {
                throw Refusals.field(
                        name.isEmpty() ? "query" : name, "unknown parameter", String.join(", ", parameters.keySet()));
            }
            String before = present.put(parameter.spelling().field(), name);
            if (before != null && !(parameter.isRepeated() && before.equals(name))) {
                throw Refusals.field(name, "given together with " + before, "only one of them, once");
            }
            try {
                set(message, parameter, Scalars.parse(parameter.spelling(), text));
            } catch (BadValueException bad) {
                throw Refusals.field(name, bad);
            }
        }
        @SuppressWarnings("unchecked") // a builder builds the type of its prototype
        M read = (M) message.build();
        return read;
    }

    private static void set(Message.Builder message, Parameter parameter, Object value) {
        Message.Builder target = parameter.parent() == null ? message : message.getFieldBuilder(parameter.parent());
        if (parameter.isRepeated()) {
            target.addRepeatedField(parameter.spelling().field(), value);
        } else {
            target.setField(parameter.spelling().field(), value);
        }
    }

    /** Returns the parameters of a request by name, in the order of the contract. */
    static Map<String, Parameter> parameters(Message prototype) {
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        for (Spelling spelling : JsonFields.of(prototype.getDescriptorForType()).spellings()) {
            if (JsonFields.isObject(spelling.field())) {
                for (Spelling nested :
                        JsonFields.of(spelling.field().getMessageType()).spellings()) {
                    add(parameters, new Parameter(spelling.field(), nested));
                }
            } else {
                add(parameters, new Parameter(null, spelling));
            }
        }
        return parameters;
    }

    private static void add(Map<String, Parameter> parameters, Parameter parameter) {
        if (parameters.put(parameter.spelling().name(), parameter) != null) {
            throw new IllegalStateException(
                    "two parameters with one name: " + parameter.spelling().name());
        }
    }

    /** Decodes percent escapes and plus signs of a form, which have to be UTF-8 together. */
    private static String unescape(String text) {
        var bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(escaped(text, i));
                i += ESCAPE_LENGTH;
            } else {
                int codePoint = text.codePointAt(i);
                bytes.writeBytes(
                        c == '+'
                                ? new byte[] {' '}
                                : Character.toString(codePoint).getBytes(UTF_8));
                i += Character.charCount(codePoint);
            }
        }
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Refusals.field(
                    "query",
                    text,
                    "percent-encoded UTF-8; other bytes in the parameter whose name ends in " + JsonFields.BASE64);
        }
    }

    private static int escaped(String text, int at) {
        int high = at + 1 < text.length() ? Character.digit(text.charAt(at + 1), HEX) : -1;
        int low = at + 2 < text.length() ? Character.digit(text.charAt(at + 2), HEX) : -1;
        if (high < 0 || low < 0) {
            throw Refusals.field("query", text, "two hexadecimal digits after each %");
        }
        return high * HEX + low;
    }
}
