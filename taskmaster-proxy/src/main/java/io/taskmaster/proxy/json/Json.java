package io.taskmaster.proxy.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;

/** Shorthands for JSON trees. Thread-safe: stateless. */
final class Json {

    private Json() {}

    static JsonObject object(String name, JsonElement value) {
        var object = new JsonObject();
        object.add(name, value);
        return object;
    }

    static JsonObject object(String name, String value) {
        var object = new JsonObject();
        object.addProperty(name, value);
        return object;
    }

    static JsonArray array(List<String> values) {
        var array = new JsonArray(values.size());
        values.forEach(array::add);
        return array;
    }
}
