package io.taskmaster.proxy.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.GsonNode;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A checker of HTTP requests and responses against the OpenAPI document, which records the parts of the document that
 * were used. OpenAPI 3.1 describes bodies in JSON Schema, so a JSON Schema validator does the work. Single-threaded.
 */
public final class OpenApiChecker {

    private static final URI BASE = URI.create("https://taskmaster.test/");
    private static final String REFERENCE = "#/components/schemas/";

    private final JsonObject document;
    private final Validator validator =
            new ValidatorFactory().withJsonNodeFactory(new GsonNode.Factory()).createValidator();
    private final Map<String, URI> registered = new TreeMap<>();
    private final Set<String> used = new TreeSet<>();

    public OpenApiChecker(String document) {
        this.document = JsonParser.parseString(document).getAsJsonObject();
    }

    public JsonObject document() {
        return document;
    }

    /** Returns whether an operation of the document accepts this body. */
    public boolean takes(String path, String body) {
        return isValid(schema(operation(path, "post").getAsJsonObject("requestBody")), body);
    }

    /** Fails unless the document allows this response. */
    public void assertAnswer(String path, String verb, int status, String body) {
        JsonObject response =
                operation(path, verb).getAsJsonObject("responses").getAsJsonObject(Integer.toString(status));
        assertThat(response).as("%s %s answers %d", verb, path, status).isNotNull();
        Validator.Result result = validator.validate(register(schema(response)), body);
        assertThat(result.getErrors())
                .extracting(error -> error.getInstanceLocation() + ": " + error.getError())
                .as("%s %s %d: %s", verb, path, status, body)
                .isEmpty();
        used.add(answer(path, verb, Integer.toString(status)));
    }

    /** Fails if a parameter is not in the document, or has another schema there. */
    public void assertParameter(String path, String name, String json) {
        assertThat(operation(path, "get").getAsJsonArray("parameters"))
                .filteredOn(parameter ->
                        parameter.getAsJsonObject().get("name").getAsString().equals(name))
                .as("parameter %s of %s, which takes %s", name, path, json)
                .singleElement()
                .matches(parameter -> isValid(parameter.getAsJsonObject().get("schema"), json));
        used.add("get " + path + "?" + name);
    }

    /** Returns the parts of the document that were not used yet. */
    public Set<String> unused() {
        Set<String> unused = new TreeSet<>();
        document.getAsJsonObject("paths")
                .asMap()
                .forEach((path, item) -> item.getAsJsonObject().asMap().forEach((verb, operation) -> {
                    operation
                            .getAsJsonObject()
                            .getAsJsonObject("responses")
                            .keySet()
                            .forEach(status -> unused.add(answer(path, verb, status)));
                    if (operation.getAsJsonObject().has("parameters")) {
                        operation
                                .getAsJsonObject()
                                .getAsJsonArray("parameters")
                                .forEach(parameter -> unused.add(verb + " " + path + "?"
                                        + parameter
                                                .getAsJsonObject()
                                                .get("name")
                                                .getAsString()));
                    }
                }));
        unused.removeAll(used);
        return unused;
    }

    private static String answer(String path, String verb, String status) {
        return verb + " " + path + " " + status;
    }

    private JsonObject operation(String path, String verb) {
        @Nullable JsonObject item = document.getAsJsonObject("paths").getAsJsonObject(path);
        assertThat(item).as("path %s", path).isNotNull();
        @Nullable JsonObject operation = item.getAsJsonObject(verb);
        assertThat(operation).as("%s %s", verb, path).isNotNull();
        return operation;
    }

    private static JsonElement schema(JsonObject requestOrResponse) {
        return requestOrResponse
                .getAsJsonObject("content")
                .getAsJsonObject("application/json")
                .get("schema");
    }

    private boolean isValid(JsonElement schema, String json) {
        return validator.validate(register(schema), json).isValid();
    }

    /** Registers a self-contained schema: the components of the document become its definitions. */
    private URI register(JsonElement schema) {
        return registered.computeIfAbsent(schema.toString(), text -> {
            JsonObject alone = JsonParser.parseString(text).getAsJsonObject();
            alone.add("$defs", document.getAsJsonObject("components").get("schemas"));
            URI id = BASE.resolve(Integer.toString(registered.size()));
            alone.addProperty("$schema", "https://json-schema.org/draft/2020-12/schema");
            return validator.registerSchema(id, alone.toString().replace(REFERENCE, "#/$defs/"));
        });
    }
}
