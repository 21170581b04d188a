package io.taskmaster.proxy.json;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Message;
import io.taskmaster.proxy.config.Limits;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A strict reader of a message from one JSON document. Unknown fields, wrong types, {@code null}, a field given twice
 * or in both of its spellings, and anything behind the document are refused, each by its path. Single-threaded; lives
 * as long as one document.
 *
 * <p>It builds the message in one pass. Its memory is bounded by the size of the document and by
 * {@link Limits#JSON_VALUES}.
 */
public final class MessageReader {

    private final JsonReader json;
    private int values;

    private MessageReader(Reader text) {
        json = new JsonReader(text);
        json.setStrictness(Strictness.STRICT);
        json.setNestingLimit(Limits.JSON_DEPTH);
    }

    /**
     * Reads the document to its end, or throws a refusal that names the path of the error.
     *
     * @param prototype the type of the message
     * @throws IOException if the text cannot be read; never if it is in memory
     */
    public static <M extends Message> M read(Reader text, M prototype) throws IOException {
        var reader = new MessageReader(text);
        try {
            Message.Builder message = prototype.newBuilderForType();
            reader.object(message);
            reader.expect(JsonToken.END_DOCUMENT, "the end of the document");
            @SuppressWarnings("unchecked") // a builder builds the type of its prototype
            M read = (M) message.build();
            return read;
        } catch (MalformedJsonException malformed) {
            throw Refusals.malformed(reader.place(), "malformed, or nested deeper than " + Limits.JSON_DEPTH);
        } catch (EOFException ended) {
            throw Refusals.malformed(reader.place(), "ends too early");
        } catch (CharacterCodingException notUtf8) {
            throw Refusals.malformed(reader.place(), "not UTF-8");
        }
    }

    private void object(Message.Builder message) throws IOException {
        expect(JsonToken.BEGIN_OBJECT, "an object");
        json.beginObject();
        JsonFields fields = JsonFields.of(message.getDescriptorForType());
        Map<GenericDescriptor, String> present = new HashMap<>();
        while (json.hasNext()) {
            String name = json.nextName();
            Spelling spelling = fields.find(name);
            if (spelling == null) {
                throw Refusals.field(place(), "unknown field", fields.names());
            }
            String before = present.put(JsonFields.slot(spelling.field()), name);
            if (before != null) {
                throw Refusals.field(place(), "given together with " + before, "only one of them, once");
            }
            field(message, spelling);
        }
        json.endObject();
    }

    private void field(Message.Builder message, Spelling spelling) throws IOException {
        FieldDescriptor field = spelling.field();
        if (field.isMapField()) {
            map(message, field);
        } else if (field.isRepeated()) {
            array(message, spelling);
        } else {
            message.setField(field, value(message, spelling));
        }
    }

    private void array(Message.Builder message, Spelling spelling) throws IOException {
        expect(JsonToken.BEGIN_ARRAY, "an array");
        json.beginArray();
        while (json.hasNext()) {
            message.addRepeatedField(spelling.field(), value(message, spelling));
        }
        json.endArray();
    }

    /** Reads a map; those of the contract are from string to string. */
    private void map(Message.Builder message, FieldDescriptor field) throws IOException {
        expect(JsonToken.BEGIN_OBJECT, "an object");
        json.beginObject();
        Spelling names = new Spelling("key", field.getMessageType().findFieldByNumber(1), false);
        Spelling texts = new Spelling("value", field.getMessageType().findFieldByNumber(2), false);
        Set<String> present = new HashSet<>();
        while (json.hasNext()) {
            String name = json.nextName();
            if (!present.add(name)) {
                throw Refusals.field(place(), "duplicate name", "each name once");
            }
            Message.Builder entry = message.newBuilderForField(field);
            entry.setField(names.field(), parse(names, name));
            entry.setField(texts.field(), value(entry, texts));
            message.addRepeatedField(field, entry.build());
        }
        json.endObject();
    }

    private Object value(Message.Builder parent, Spelling spelling) throws IOException {
        if (++values > Limits.JSON_VALUES) {
            throw Refusals.field(place(), "too many values", "at most " + Limits.JSON_VALUES + " in a request");
        }
        FieldDescriptor field = spelling.field();
        if (JsonFields.isObject(field)) {
            Message.Builder nested = parent.newBuilderForField(field);
            object(nested);
            return nested.build();
        }
        return parse(spelling, scalar(field));
    }

    private Object parse(Spelling spelling, String text) {
        try {
            return Scalars.parse(spelling, text);
        } catch (BadValueException bad) {
            throw Refusals.field(place(), bad);
        }
    }

    /** Returns the text of a value, if it has the JSON type of the field. */
    private String scalar(FieldDescriptor field) throws IOException {
        JsonToken token = json.peek();
        return switch (field.getJavaType()) {
            case BOOLEAN -> {
                expect(JsonToken.BOOLEAN, "true or false");
                yield Boolean.toString(json.nextBoolean());
            }
            case INT, DOUBLE, FLOAT -> {
                expect(JsonToken.NUMBER, "a number");
                yield json.nextString();
            }
            case LONG -> either(token, "an integer, preferably as a string");
            case BYTE_STRING, STRING, ENUM -> string();
            case MESSAGE -> JsonFields.isDuration(field) ? either(token, "a duration such as \"30s\"") : string();
        };
    }

    private String string() throws IOException {
        expect(JsonToken.STRING, "a string");
        return json.nextString();
    }

    private String either(JsonToken token, String expected) throws IOException {
        if (token != JsonToken.NUMBER) {
            expect(JsonToken.STRING, expected);
        }
        return json.nextString();
    }

    private void expect(JsonToken token, String expected) throws IOException {
        JsonToken found = json.peek();
        if (found != token) {
            throw Refusals.field(place(json.getPath()), name(found), expected);
        }
    }

    private static String name(JsonToken token) {
        return switch (token) {
            case BEGIN_OBJECT, END_OBJECT -> "an object";
            case BEGIN_ARRAY, END_ARRAY -> "an array";
            case NAME, STRING -> "a string";
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            case NULL -> "null";
            case END_DOCUMENT -> "nothing";
        };
    }

    /** Returns the path of the token that was read last. */
    private String place() {
        return place(json.getPreviousPath());
    }

    /** Formats a path as the service does: {@code enqueue[0].queue}. */
    private static String place(String path) {
        return path.length() <= 2 ? "body" : path.substring(2);
    }
}
