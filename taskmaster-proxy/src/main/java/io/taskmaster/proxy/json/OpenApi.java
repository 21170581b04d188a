package io.taskmaster.proxy.json;

import com.google.gson.FormattingStyle;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Message;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The OpenAPI 3.1 document of the contract in JSON, made from the same descriptors that read and write it: paths here,
 * schemas of messages in {@link MessageSchemas}. Thread-safe: stateless.
 */
public final class OpenApi {

    /** The path of the document on the HTTP port. */
    public static final String PATH = "/openapi.json";

    private static final String FAILURE = "Failure";

    private static final String TOKEN = "token";

    /** Descriptions of all statuses of an operation other than 200. */
    private static final Map<String, String> FAILURES = failures();

    private OpenApi() {}

    private static Map<String, String> failures() {
        Map<String, String> failures = new LinkedHashMap<>();
        failures.put("400", "The request can never succeed as it is");
        failures.put("401", "The caller is not authenticated; nothing was done");
        failures.put(
                "403", "The caller may not do this, or a web page of another site sent the request; nothing was done");
        failures.put("413", "The body is larger than the limit");
        failures.put("415", "The content type is not application/json");
        failures.put("429", "A limit of the node is reached; nothing was done");
        failures.put("500", "The outcome is unknown (OUTCOME_UNKNOWN), or the server has an internal error");
        failures.put("501", "This version of the server does not have this method");
        failures.put("503", "The server cannot serve the request at present; nothing was done");
        failures.put("504", "The deadline passed; the outcome is unknown");
        return failures;
    }

    /**
     * Returns the whole document, as text.
     *
     * @param version of the server
     */
    public static String document(String version) {
        ContractComments comments = ContractComments.load();
        var schemas = new MessageSchemas(comments);
        // Requests first: a message on both sides is described as the reader accepts it.
        ApiOperation.ALL.forEach(
                apiOperation -> schemas.request(apiOperation.request().getDescriptorForType()));
        var paths = new JsonObject();
        ApiOperation.ALL.forEach(apiOperation -> paths.add(apiOperation.path(), path(apiOperation, schemas, comments)));
        paths.add("/healthz", health());
        paths.add("/whoami", whoami());
        paths.add(PATH, self());

        JsonObject components = Json.object("schemas", schemas.all());
        components.getAsJsonObject("schemas").add(FAILURE, failure());
        components.getAsJsonObject("schemas").add("Health", healthSchema());
        components.getAsJsonObject("schemas").add("Identity", identitySchema());
        JsonObject token = Json.object("type", "http");
        token.addProperty("scheme", "bearer");
        components.add("securitySchemes", Json.object(TOKEN, token));
        var document = Json.object("openapi", "3.1.0");
        document.add("info", info(version));
        document.add("paths", paths);
        document.add("components", components);
        document.add("security", security());
        return new GsonBuilder()
                        .setFormattingStyle(FormattingStyle.PRETTY)
                        .disableHtmlEscaping()
                        .create()
                        .toJson(document)
                + "\n";
    }

    /** Returns the alternatives of a token and nothing: the settings of a server decide which it requires. */
    private static JsonArray security() {
        var either = new JsonArray();
        either.add(Json.object(TOKEN, new JsonArray()));
        either.add(new JsonObject());
        return either;
    }

    private static JsonObject info(String version) {
        JsonObject info = Json.object("title", "TaskMaster");
        info.addProperty("version", version);
        info.addProperty("summary", "A reliable, priority-ordered task queue");
        info.addProperty(
                "description",
                "The contract, taskmaster.proto, in JSON. A bytes field is text under its own name if it is UTF-8, otherwise Base64 under"
                        + " its name with the suffix _base64; a request may contain either, not both. Durations are \"30s\", \"500ms\", \"5m\","
                        + " \"1h\", \"7d\" or a number of seconds. Integers of 64 bits are strings in replies, and strings or numbers in requests.");
        JsonObject license = Json.object("name", "Apache-2.0");
        license.addProperty("identifier", "Apache-2.0");
        info.add("license", license);
        return info;
    }

    private static JsonObject path(ApiOperation<?, ?> apiOperation, MessageSchemas schemas, ContractComments comments) {
        var path = new JsonObject();
        if (apiOperation.typed()) {
            JsonObject get = operation(apiOperation, "get", schemas, comments);
            get.add("parameters", parameters(apiOperation.request(), schemas));
            path.add("get", get);
        }
        JsonObject post = operation(apiOperation, "post", schemas, comments);
        JsonObject body = json(schemas.request(apiOperation.request().getDescriptorForType()));
        body.addProperty("required", true);
        post.add("requestBody", body);
        path.add("post", post);
        return path;
    }

    private static JsonObject operation(
            ApiOperation<?, ?> apiOperation, String verb, MessageSchemas schemas, ContractComments comments) {
        JsonObject described = Json.object(
                "operationId", verb.equals("post") ? apiOperation.name() : verb + "-" + apiOperation.name());
        described.addProperty("summary", apiOperation.summary());
        comments.of(apiOperation.method().getFullMethodName().replace('/', '.'))
                .ifPresent(comment -> described.addProperty("description", comment));
        var responses = new JsonObject();
        responses.add("200", response("Done", schemas.reply(apiOperation.reply().getDescriptorForType())));
        FAILURES.forEach((status, when) -> {
            // Only a body can be too large, or of another type.
            if (verb.equals("post") || !List.of("413", "415").contains(status)) {
                JsonObject response = response(when, MessageSchemas.reference(FAILURE));
                if (status.equals("429") || status.equals("503")) {
                    response.add("headers", retryAfter());
                }
                responses.add(status, response);
            }
        });
        described.add("responses", responses);
        return described;
    }

    private static JsonArray parameters(Message request, MessageSchemas schemas) {
        var parameters = new JsonArray();
        QueryReader.parameters(request).forEach((name, parameter) -> {
            JsonObject described = Json.object("name", name);
            described.addProperty("in", "query");
            described.addProperty(
                    "description", schemas.comment(parameter.spelling().field()));
            described.add("schema", schemas.property(parameter.spelling(), false));
            parameters.add(described);
        });
        return parameters;
    }

    private static JsonObject retryAfter() {
        JsonObject header = Json.object("description", "Seconds to wait before the same request is sent again");
        JsonObject seconds = Json.object("type", "integer");
        seconds.addProperty("minimum", 0);
        header.add("schema", seconds);
        return Json.object("Retry-After", header);
    }

    private static JsonObject response(String description, JsonObject schema) {
        JsonObject response = json(schema);
        response.addProperty("description", description);
        return response;
    }

    private static JsonObject json(JsonObject schema) {
        return Json.object("content", Json.object("application/json", Json.object("schema", schema)));
    }

    private static JsonObject failure() {
        var properties = new JsonObject();
        JsonObject code = Json.object("type", "string");
        code.addProperty("description", "Name of the gRPC status");
        properties.add("code", code);
        properties.add(
                "reason",
                oneOf(Arrays.stream(ErrorCode.values()).map(Enum::name).toList()));
        JsonObject message = Json.object("type", "string");
        message.addProperty("description", "For humans; do not parse it");
        properties.add("message", message);
        properties.add(
                "advice", oneOf(Arrays.stream(Advice.values()).map(Enum::name).toList()));
        return closed(Json.object("error", closed(properties)));
    }

    private static JsonObject health() {
        JsonObject get = Json.object("operationId", "health");
        get.addProperty("summary", "Whether this node serves");
        var responses = new JsonObject();
        responses.add("200", response("It serves", MessageSchemas.reference("Health")));
        responses.add("503", response("It is starting or shutting down", MessageSchemas.reference("Health")));
        get.add("responses", responses);
        return Json.object("get", get);
    }

    private static JsonObject healthSchema() {
        JsonObject store = Json.object("state", oneOf(List.of("open", "reopening", "lost")));
        store.add("room", oneOf(List.of("ample", "low", "none")));
        store.add("free_bytes", Json.object("type", "integer"));
        store.add("reopened", Json.object("type", "integer"));
        JsonObject partitions = Json.object("type", "object");
        partitions.add("additionalProperties", Json.object("type", "integer"));
        JsonObject properties = Json.object("status", oneOf(List.of("SERVING", "NOT_SERVING")));
        properties.add("reason", Json.object("type", "string"));
        properties.add("partitions", partitions);
        properties.add("store", closedBut("free_bytes", store));
        return closed(properties);
    }

    private static JsonObject whoami() {
        JsonObject get = Json.object("operationId", "whoami");
        get.addProperty("summary", "Name and role of the caller");
        get.add("responses", Json.object("200", response("Name and role", MessageSchemas.reference("Identity"))));
        return Json.object("get", get);
    }

    private static JsonObject identitySchema() {
        JsonObject properties = Json.object("name", Json.object("type", "string"));
        properties.add("role", oneOf(List.of("READ", "FULL")));
        return closed(properties);
    }

    private static JsonObject self() {
        JsonObject get = Json.object("operationId", "openapi");
        get.addProperty("summary", "This document");
        get.add("responses", Json.object("200", response("The document", Json.object("type", "object"))));
        return Json.object("get", get);
    }

    /** Returns the schema of an object with exactly these properties. */
    private static JsonObject closed(JsonObject properties) {
        JsonObject schema = Json.object("type", "object");
        schema.add("required", Json.array(List.copyOf(properties.keySet())));
        schema.add("properties", properties);
        schema.addProperty("additionalProperties", false);
        return schema;
    }

    /** Returns the schema of an object with these properties, of which one may be missing. */
    private static JsonObject closedBut(String optional, JsonObject properties) {
        JsonObject schema = closed(properties);
        schema.getAsJsonArray("required").remove(new JsonPrimitive(optional));
        return schema;
    }

    private static JsonObject oneOf(List<String> values) {
        JsonObject schema = Json.object("type", "string");
        schema.add("enum", Json.array(values));
        return schema;
    }
}
