package io.taskmaster.cli.tasks;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.PidText;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * A reference to a task as printed by {@code lease}. Immutable.
 *
 * @param group absent if the line has none
 * @param leaseId 0 for any lease
 */
record TaskReference(Optional<GroupName> group, QueueName queue, Pid pid, long leaseId) {

    private static final int GROUP_COLUMN = 6;

    /** Parses a line of {@code lease}, text or JSON. */
    static TaskReference parse(String line) {
        return line.startsWith("{") ? ofJson(line) : ofText(line);
    }

    static long leaseId(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("lease id: " + text + " (expected: a number that lease printed)");
        }
    }

    private static TaskReference ofText(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length < 3) {
            throw new TypeConversionException(
                    "line: " + line + " (expected: queue, PID and lease id, separated by tabs, as lease prints them)");
        }
        Optional<GroupName> group =
                columns.length > GROUP_COLUMN ? Optional.of(group(columns[GROUP_COLUMN])) : Optional.empty();
        return new TaskReference(group, queue(columns[0]), pid(columns[1]), leaseId(columns[2]));
    }

    private static TaskReference ofJson(String line) {
        JsonObject json;
        try {
            json = JsonParser.parseString(line).getAsJsonObject();
        } catch (JsonParseException e) {
            throw new TypeConversionException("line: " + line + " (expected: JSON, as lease --json prints it)");
        }
        return new TaskReference(
                find(json, "group").map(TaskReference::group),
                queue(field(json, "queue")),
                pid(field(json, "pid")),
                leaseId(field(json, "lease_id")));
    }

    private static String field(JsonObject json, String name) {
        return find(json, name).orElseThrow(() -> new TypeConversionException(name + ": missing in " + json));
    }

    private static Optional<String> find(JsonObject json, String name) {
        return Optional.ofNullable(json.get(name))
                .filter(JsonElement::isJsonPrimitive)
                .map(JsonElement::getAsString);
    }

    private static GroupName group(String text) {
        return GroupName.wrap(ByteText.parse(text));
    }

    private static QueueName queue(String text) {
        return QueueName.wrap(ByteText.parse(text));
    }

    private static Pid pid(String text) {
        return PidText.parse(text);
    }
}
