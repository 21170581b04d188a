package io.taskmaster.proxy.json;

import com.google.gson.stream.JsonWriter;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a message as one JSON document. Every field is written, zeros and empty lists included; only fields with
 * presence may be missing. Bytes are text if they are UTF-8, else Base64 under their second name; for a list, all
 * elements or none. Single-threaded; lives as long as one document.
 */
public final class MessageWriter {

    private final JsonWriter json;

    private MessageWriter(Writer text) {
        json = new JsonWriter(text);
    }

    /**
     * Writes the message.
     *
     * @throws IOException if the text cannot be written; never if it goes to memory
     */
    public static void write(Message message, Writer text) throws IOException {
        var writer = new MessageWriter(text);
        writer.object(message);
        writer.json.flush();
    }

    private void object(Message message) throws IOException {
        json.beginObject();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.isMapField()) {
                map(message, field);
            } else if (field.isRepeated()) {
                array(message, field);
            } else if (!field.hasPresence() || message.hasField(field)) {
                Object value = message.getField(field);
                boolean base64 = isNotText(value);
                json.name(base64 ? JsonFields.base64Name(field) : field.getName());
                value(field, value, base64);
            }
        }
        json.endObject();
    }

    private void array(Message message, FieldDescriptor field) throws IOException {
        List<?> values = (List<?>) message.getField(field);
        boolean base64 = values.stream().anyMatch(MessageWriter::isNotText);
        json.name(base64 ? JsonFields.base64Name(field) : field.getName());
        json.beginArray();
        for (Object value : values) {
            value(field, value, base64);
        }
        json.endArray();
    }

    private void map(Message message, FieldDescriptor field) throws IOException {
        json.name(field.getName());
        json.beginObject();
        for (Object entry : (List<?>) message.getField(field)) {
            Message pair = (Message) entry;
            json.name((String) pair.getField(field.getMessageType().findFieldByNumber(1)));
            json.value((String) pair.getField(field.getMessageType().findFieldByNumber(2)));
        }
        json.endObject();
    }

    private static boolean isNotText(@Nullable Object value) {
        return value instanceof ByteString bytes && !bytes.isValidUtf8();
    }

    private void value(FieldDescriptor field, Object value, boolean base64) throws IOException {
        switch (value) {
            case ByteString bytes -> json.value(base64 ? Scalars.base64(bytes) : bytes.toStringUtf8());
            case String text -> json.value(text);
            case Boolean bool -> json.value(bool);
            case Integer number ->
                json.value(Scalars.isUnsigned(field) ? Integer.toUnsignedLong(number) : number.longValue());
            // A string, since readers of JSON with 53-bit numbers would lose the rest.
            case Long number ->
                json.value(Scalars.isUnsigned(field) ? Long.toUnsignedString(number) : number.toString());
            case Double number -> json.value(number);
            case EnumValueDescriptor named -> json.value(named.getName());
            case Duration span -> json.value(Times.format(span));
            case Timestamp time -> json.value(Times.format(time));
            case Message nested -> object(nested);
            default -> throw new IllegalArgumentException("the contract has no such value: " + value.getClass());
        }
    }
}
