package io.taskmaster.cli.common;

import com.google.gson.JsonObject;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.Pid;
import java.util.Map;

/**
 * Tasks as lines: columns separated by tabs, or JSON. A leased task begins with its queue, PID and lease id, so that
 * the line can be cut up for, or piped into, {@code dequeue}, {@code renew} and {@code release}. Lease ids are
 * unsigned; in JSON they are strings, because they exceed the integers that every JSON reader represents exactly.
 * Thread-safe: stateless.
 */
public final class TaskLines {

    private TaskLines() {}

    /**
     * Returns a leased task as a line of text.
     *
     * @param withGroup whether to add the group; it is the last column, so that the others do not move
     */
    public static String text(LeasedTask task, boolean withGroup) {
        String line = String.join(
                "\t",
                ByteText.line(task.queue().name()),
                PidText.line(task.pid()),
                Long.toUnsignedString(task.leaseId()),
                Integer.toString(task.attempt()),
                task.leaseExpires().toString(),
                ByteText.line(task.data()));
        return withGroup ? line + "\t" + ByteText.line(task.queue().group()) : line;
    }

    public static JsonObject json(LeasedTask task) {
        var json = new JsonObject();
        add(json, "group", task.queue().group());
        add(json, "queue", task.queue().name());
        addPid(json, task.pid());
        json.addProperty("lease_id", Long.toUnsignedString(task.leaseId()));
        json.addProperty("attempt", task.attempt());
        json.addProperty("lease_expires", task.leaseExpires().toString());
        json.addProperty("enqueued", task.enqueued().toString());
        headers(json, task.headers());
        add(json, "data", task.data());
        return json;
    }

    public static String text(PeekedTask task, boolean withData) {
        String line = String.join(
                "\t",
                PidText.line(task.pid()),
                task.state().toString(),
                Integer.toString(task.attempt()),
                Long.toString(task.dataBytes()),
                task.enqueued().toString(),
                task.until().map(Object::toString).orElse("-"));
        return withData ? line + "\t" + ByteText.line(task.data()) : line;
    }

    public static JsonObject json(PeekedTask task, boolean withData) {
        var json = new JsonObject();
        addPid(json, task.pid());
        json.addProperty("state", task.state().toString());
        json.addProperty("attempt", task.attempt());
        json.addProperty("data_bytes", task.dataBytes());
        json.addProperty("enqueued", task.enqueued().toString());
        task.until().ifPresent(until -> json.addProperty("until", until.toString()));
        headers(json, task.headers());
        if (withData) {
            add(json, "data", task.data());
        }
        return json;
    }

    public static void add(JsonObject json, String name, ByteSequence bytes) {
        json.addProperty(name, ByteText.text(bytes));
    }

    public static void addPid(JsonObject json, Pid pid) {
        json.addProperty("pid", PidText.text(pid));
    }

    private static void headers(JsonObject json, Map<String, String> headers) {
        var object = new JsonObject();
        headers.forEach(object::addProperty);
        json.add("headers", object);
    }
}
