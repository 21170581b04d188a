package io.taskmaster.proxy.http;

import com.google.gson.JsonObject;
import io.taskmaster.proxy.health.NodeHealth;
import java.util.TreeMap;

/** The health of a node in JSON, as {@code /healthz} answers; {@code /openapi.json} has its schema. */
final class HealthJson {

    private HealthJson() {}

    static JsonObject of(NodeHealth health) {
        var store = new JsonObject();
        store.addProperty("state", health.store().state());
        store.addProperty("room", health.store().freeSpace());
        health.store().freeBytes().ifPresent(free -> store.addProperty("free_bytes", free));
        store.addProperty("reopened", health.store().reopened());
        var partitions = new JsonObject();
        new TreeMap<>(health.partitions()).forEach(partitions::addProperty);
        var json = new JsonObject();
        json.addProperty("status", health.isServing() ? "SERVING" : "NOT_SERVING");
        json.addProperty("reason", health.reason());
        json.add("partitions", partitions);
        json.add("store", store);
        return json;
    }
}
