package io.taskmaster.proxy.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of one message's fields in JSON: those of the contract, and for bytes a second one, for Base64. Immutable;
 * cached per message type.
 */
final class JsonFields {

    /** The suffix of names whose value is bytes in Base64. */
    static final String BASE64 = "_base64";

    private static final Map<Descriptor, JsonFields> OF = new ConcurrentHashMap<>();

    private final Map<String, Spelling> byName = new LinkedHashMap<>();

    private JsonFields(Descriptor message) {
        for (FieldDescriptor field : message.getFields()) {
            add(new Spelling(field.getName(), field, false));
            if (isBytes(field)) {
                add(new Spelling(base64Name(field), field, true));
            }
        }
    }

    private void add(Spelling spelling) {
        byName.put(spelling.name(), spelling);
    }

    static JsonFields of(Descriptor message) {
        return OF.computeIfAbsent(message, JsonFields::new);
    }

    @Nullable
    Spelling find(String name) {
        return byName.get(name);
    }

    /** The spellings, in the order of the contract. */
    Collection<Spelling> spellings() {
        return byName.values();
    }

    /** Returns all names, for the refusal of an unknown one. */
    String names() {
        return byName.isEmpty() ? "no field" : String.join(", ", byName.keySet());
    }

    /**
     * Returns the slot that may be set only once: a field, in either spelling, or the {@code oneof} that it belongs to.
     */
    static GenericDescriptor slot(FieldDescriptor field) {
        GenericDescriptor choice = field.getRealContainingOneof();
        return choice == null ? field : choice;
    }

    static boolean isBytes(FieldDescriptor field) {
        return field.getJavaType() == JavaType.BYTE_STRING;
    }

    static String base64Name(FieldDescriptor field) {
        return field.getName() + BASE64;
    }

    static boolean isDuration(FieldDescriptor field) {
        return isMessage(field, Duration.getDescriptor());
    }

    static boolean isTimestamp(FieldDescriptor field) {
        return isMessage(field, Timestamp.getDescriptor());
    }

    /** Returns whether the value is an object with fields, rather than one value. */
    static boolean isObject(FieldDescriptor field) {
        return field.getJavaType() == JavaType.MESSAGE && !isDuration(field) && !isTimestamp(field);
    }

    private static boolean isMessage(FieldDescriptor field, Descriptor type) {
        return field.getJavaType() == JavaType.MESSAGE && field.getMessageType().equals(type);
    }
}
