package io.taskmaster.testkit.history;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.taskmaster.testkit.history.HistoryEvent.Completed;
import io.taskmaster.testkit.history.HistoryEvent.Invoked;
import io.taskmaster.testkit.history.RecordedOutcome.Failed;
import io.taskmaster.testkit.history.RecordedOutcome.Replied;
import io.taskmaster.testkit.history.RecordedOutcome.Unknown;
import java.util.function.LongFunction;

/**
 * A codec between events and lines of JSON, as {@code docs/histories.md} describes them. Messages are in the JSON form
 * of protobuf. Unknown fields are refused: a history that is only half understood must not be judged. Stateless.
 */
final class HistoryCodec {

    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();
    private static final JsonFormat.Parser PARSER = JsonFormat.parser();

    private HistoryCodec() {}

    /** Returns the line of an event, without its line end. */
    static String encode(HistoryEvent event) {
        return switch (event) {
            case Invoked invoked ->
                "{\"event\":\"invoked\",\"number\":%d,\"client\":%s,\"micros\":%d,\"method\":\"%s\",\"request\":%s}"
                        .formatted(
                                invoked.number(),
                                new JsonPrimitive(invoked.client()),
                                invoked.micros(),
                                Method.of(invoked.request()).rpcName(),
                                json(invoked.request()));
            case Completed completed ->
                "{\"event\":\"completed\",\"number\":%d,\"micros\":%d,%s}"
                        .formatted(completed.number(), completed.micros(), outcome(completed.recordedOutcome()));
        };
    }

    /**
     * Returns the event of a line.
     *
     * @param methods the method of each call that was invoked and is not completed
     * @throws IllegalArgumentException if the line is not an event
     */
    static HistoryEvent decode(String line, LongFunction<Method> methods) {
        try {
            JsonObject object = JsonParser.parseString(line).getAsJsonObject();
            long number = field(object, "number").getAsLong();
            long micros = field(object, "micros").getAsLong();
            String kind = text(object, "event");
            return switch (kind) {
                case "invoked" ->
                    new Invoked(
                            number,
                            text(object, "client"),
                            micros,
                            message(Method.named(text(object, "method")).newRequest(), field(object, "request")));
                case "completed" -> new Completed(number, micros, outcome(object, methods.apply(number)));
                default ->
                    throw new IllegalArgumentException("event: %s (expected: invoked or completed)".formatted(kind));
            };
        } catch (JsonParseException | IllegalStateException | UnsupportedOperationException malformed) {
            throw new IllegalArgumentException("not an event: " + malformed.getMessage(), malformed);
        }
    }

    private static String outcome(RecordedOutcome recordedOutcome) {
        return switch (recordedOutcome) {
            case Replied replied -> "\"outcome\":\"replied\",\"reply\":" + json(replied.reply());
            case Failed failed -> error("failed", failed.code(), failed.reason());
            case Unknown unknown -> error("unknown", unknown.code(), unknown.reason());
        };
    }

    private static String error(String outcome, String code, String reason) {
        return "\"outcome\":\"%s\",\"code\":%s,\"reason\":%s"
                .formatted(outcome, new JsonPrimitive(code), new JsonPrimitive(reason));
    }

    private static RecordedOutcome outcome(JsonObject object, Method method) {
        String outcome = text(object, "outcome");
        return switch (outcome) {
            case "replied" -> new Replied(message(method.newReply(), field(object, "reply")));
            case "failed" -> new Failed(optional(object, "code"), optional(object, "reason"));
            case "unknown" -> new Unknown(optional(object, "code"), optional(object, "reason"));
            default ->
                throw new IllegalArgumentException(
                        "outcome: %s (expected: replied, failed or unknown)".formatted(outcome));
        };
    }

    private static String json(Message message) {
        try {
            return PRINTER.print(message);
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalArgumentException(impossible.getMessage(), impossible);
        }
    }

    private static Message message(Message.Builder builder, JsonElement json) {
        try {
            PARSER.merge(json.toString(), builder);
            return builder.build();
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalArgumentException(malformed.getMessage(), malformed);
        }
    }

    private static JsonElement field(JsonObject object, String name) {
        JsonElement value = object.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + ": missing");
        }
        return value;
    }

    private static String text(JsonObject object, String name) {
        return field(object, name).getAsString();
    }

    private static String optional(JsonObject object, String name) {
        return object.has(name) ? text(object, name) : "";
    }
}
