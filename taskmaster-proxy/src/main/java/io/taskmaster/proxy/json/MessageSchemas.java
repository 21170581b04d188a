package io.taskmaster.proxy.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.GenericDescriptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * JSON Schemas of messages, each under its own name: the input of {@link MessageReader} and the output of
 * {@link MessageWriter}. A message that occurs in both is described as the reader accepts it, which is the wider of the
 * two. Single-threaded; collects the schemas that were referred to.
 */
final class MessageSchemas {

    private static final String REFERENCE = "#/components/schemas/";
    private static final String UNSIGNED = "^(0|[1-9][0-9]{0,19})$";
    private static final long UINT32_MAX = 0xffff_ffffL;

    private final ContractComments comments;
    private final Map<Descriptor, JsonObject> schemas = new LinkedHashMap<>();

    MessageSchemas(ContractComments comments) {
        this.comments = comments;
    }

    /** Returns a reference to the schema of a request. Must be called for all requests before {@link #reply}. */
    JsonObject request(Descriptor message) {
        return message(message, false);
    }

    /** Returns a reference to the schema of a reply. */
    JsonObject reply(Descriptor message) {
        return message(message, true);
    }

    /** Returns all schemas that were referred to, by name. */
    JsonObject all() {
        var all = new JsonObject();
        schemas.forEach((message, schema) -> all.add(name(message), schema));
        return all;
    }

    static JsonObject reference(String name) {
        return Json.object("$ref", REFERENCE + name);
    }

    private static String name(Descriptor message) {
        return message.getFullName().substring(message.getFile().getPackage().length() + 1);
    }

    private JsonObject message(Descriptor message, boolean reply) {
        if (!schemas.containsKey(message)) {
            var schema = new JsonObject();
            schemas.put(message, schema);
            fill(schema, message, reply);
        }
        return reference(name(message));
    }

    private void fill(JsonObject schema, Descriptor message, boolean reply) {
        var properties = new JsonObject();
        for (Spelling spelling : JsonFields.of(message).spellings()) {
            properties.add(spelling.name(), described(spelling, reply));
        }
        comments.of(message).ifPresent(comment -> schema.addProperty("description", comment));
        schema.addProperty("type", "object");
        schema.add("properties", properties);
        schema.addProperty("additionalProperties", false);
        if (reply) {
            require(schema, message);
        } else {
            exclude(schema, message);
        }
    }

    /** Requires every field that cannot be absent; bytes in one of their spellings. */
    private static void require(JsonObject schema, Descriptor message) {
        var required = new JsonArray();
        var spelled = new JsonArray();
        for (FieldDescriptor field : message.getFields()) {
            if (JsonFields.isBytes(field) && !field.hasPresence()) {
                var either = new JsonArray();
                either.add(Json.object("required", Json.array(List.of(field.getName()))));
                either.add(Json.object("required", Json.array(List.of(JsonFields.base64Name(field)))));
                spelled.add(Json.object("oneOf", either));
            } else if (!field.hasPresence()) {
                required.add(field.getName());
            }
        }
        addUnlessEmpty(schema, "required", required);
        addUnlessEmpty(schema, "allOf", spelled);
    }

    /** Excludes fields that are given twice; a request may leave out any field. */
    private static void exclude(JsonObject schema, Descriptor message) {
        Map<GenericDescriptor, List<String>> slots = JsonFields.of(message).spellings().stream()
                .collect(Collectors.groupingBy(
                        spelling -> JsonFields.slot(spelling.field()),
                        LinkedHashMap::new,
                        Collectors.mapping(Spelling::name, Collectors.toList())));
        var excluded = new JsonArray();
        for (List<String> names : slots.values()) {
            if (names.size() > 1) {
                excluded.add(Json.object("not", Json.object("required", Json.array(names))));
            }
        }
        addUnlessEmpty(schema, "allOf", excluded);
    }

    private static void addUnlessEmpty(JsonObject schema, String name, JsonArray array) {
        if (!array.isEmpty()) {
            schema.add(name, array);
        }
    }

    private JsonObject described(Spelling spelling, boolean reply) {
        JsonObject property = property(spelling, reply);
        String comment = spelling.base64() ? "The same in Base64" : comment(spelling.field());
        if (!comment.isEmpty()) {
            property.addProperty("description", comment);
        }
        return property;
    }

    /** Returns the comments of the contract on a field and its values. */
    String comment(FieldDescriptor field) {
        List<String> parts = new ArrayList<>();
        comments.of(field).ifPresent(parts::add);
        if (field.getJavaType() == JavaType.ENUM) {
            comments.of(field.getEnumType()).ifPresent(parts::add);
            for (EnumValueDescriptor value : field.getEnumType().getValues()) {
                comments.of(value).ifPresent(comment -> parts.add(value.getName() + ": " + comment));
            }
        }
        return String.join("\n", parts);
    }

    /** Returns the schema of a field under one of its names. */
    JsonObject property(Spelling spelling, boolean reply) {
        FieldDescriptor field = spelling.field();
        if (field.isMapField()) {
            JsonObject map = Json.object("type", "object");
            map.add("additionalProperties", Json.object("type", "string"));
            return map;
        }
        JsonObject value =
                JsonFields.isObject(field) ? message(field.getMessageType(), reply) : scalar(spelling, reply);
        if (field.isRepeated()) {
            JsonObject array = Json.object("type", "array");
            array.add("items", value);
            return array;
        }
        return value;
    }

    private static JsonObject scalar(Spelling spelling, boolean reply) {
        FieldDescriptor field = spelling.field();
        return switch (field.getJavaType()) {
            case BYTE_STRING -> bytes(spelling.base64());
            case STRING -> Json.object("type", "string");
            case BOOLEAN -> Json.object("type", "boolean");
            case INT -> integer(Scalars.isUnsigned(field));
            case LONG -> wide("^" + (Scalars.isUnsigned(field) ? "" : "-?") + UNSIGNED.substring(1), "integer", reply);
            case FLOAT, DOUBLE -> Json.object("type", "number");
            case ENUM -> {
                JsonObject schema = Json.object("type", "string");
                schema.add(
                        "enum",
                        Json.array(field.getEnumType().getValues().stream()
                                .map(value -> value.getName())
                                .toList()));
                yield schema;
            }
            case MESSAGE ->
                JsonFields.isDuration(field) ? wide("^" + Times.DURATION_PATTERN + "$", "number", reply) : time();
        };
    }

    private static JsonObject bytes(boolean base64) {
        JsonObject schema = Json.object("type", "string");
        if (base64) {
            schema.addProperty("contentEncoding", "base64");
            schema.addProperty("pattern", "^[A-Za-z0-9+/_-]*={0,2}$");
        }
        return schema;
    }

    private static JsonObject integer(boolean unsigned) {
        JsonObject schema = Json.object("type", "integer");
        schema.addProperty("minimum", unsigned ? 0 : Integer.MIN_VALUE);
        schema.addProperty("maximum", unsigned ? UINT32_MAX : Integer.MAX_VALUE);
        return schema;
    }

    /** Returns the schema of a string in replies; requests may have a number, too. */
    private static JsonObject wide(String pattern, String number, boolean reply) {
        JsonObject schema =
                reply ? Json.object("type", "string") : Json.object("type", Json.array(List.of("string", number)));
        schema.addProperty("pattern", pattern);
        return schema;
    }

    private static JsonObject time() {
        JsonObject schema = Json.object("type", "string");
        schema.addProperty("format", "date-time");
        return schema;
    }
}
