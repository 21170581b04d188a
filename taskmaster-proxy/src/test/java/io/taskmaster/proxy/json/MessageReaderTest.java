package io.taskmaster.proxy.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.UpdateRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of accepted JSON, and of the refusals of any other. */
final class MessageReaderTest {

    @Test
    void everySpellingOfAnUpdateIsUnderstood() throws IOException {
        UpdateRequest update = update("""
                {"group": "g", "enqueue": [
                  {"queue": "a", "pid": "", "data": "text \\u00e9", "headers": {"k": "v"}, "if_exists": "RERUN",
                   "not_before": "2026-11-21T11:30:00.5+01:00"},
                  {"queue_base64": "_w==", "data_base64": "/w"}],
                 "dequeue": [{"queue": "a", "pid": "b", "lease_id": "18446744073709551615"},
                             {"queue": "a", "pid": "b", "lease_id": 7}],
                 "request_id": "r", "service_class": "BULK"}
                """);

        Enqueue first = update.getEnqueue(0);
        assertThat(first.hasPid()).isTrue();
        assertThat(first.getData().toStringUtf8()).isEqualTo("text é");
        assertThat(first.getHeadersMap()).containsEntry("k", "v");
        assertThat(first.getIfExists()).isEqualTo(IfExists.RERUN);
        assertThat(first.getNotBefore())
                .isEqualTo(Timestamp.newBuilder()
                        .setSeconds(1_795_257_000)
                        .setNanos(500_000_000)
                        .build());
        Enqueue second = update.getEnqueue(1);
        assertThat(second.hasPid()).isFalse();
        assertThat(second.getQueue()).isEqualTo(second.getData()).isEqualTo(ByteString.copyFrom(new byte[] {-1}));
        assertThat(update.getDequeue(0).getLeaseId()).isEqualTo(-1);
        assertThat(update.getDequeue(1).getLeaseId()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"30s\"', 30, 0",
        "'\"500ms\"', 0, 500000000",
        "'\"1.5m\"', 90, 0",
        "'\"2h\"', 7200, 0",
        "'\"7d\"', 604800, 0",
        "'\"0.000000001s\"', 0, 1",
        "'\"0.0000001ms\"', 0, 0",
        "'\"12\"', 12, 0",
        "30, 30, 0",
        "0.25, 0, 250000000",
        "-1.5, -1, -500000000",
        "'\"-5s\"', -5, 0",
        "'\"999999999999d\"', 86399999999913600, 0",
    })
    void aDurationIsANumberOfSecondsOrHasAUnit(String json, long seconds, int nanos) throws IOException {
        LeaseRequest lease = read("{\"wait\":" + json + "}", LeaseRequest.getDefaultInstance());

        assertThat(lease.getWait())
                .isEqualTo(Duration.newBuilder()
                        .setSeconds(seconds)
                        .setNanos(nanos)
                        .build());
    }

    private static Stream<Arguments> refused() {
        return Stream.of(
                row("", "BAD_JSON", "body: ends too early"),
                row("nonsense", "BAD_JSON", "body: malformed"),
                row("{", "BAD_JSON", "ends too early"),
                row("{\"group\":'g'}", "BAD_JSON", "group: malformed"),
                row("{\"group\":\"g\",}", "BAD_JSON", "malformed"),
                row("{\"group\":\"g\" // why\n}", "BAD_JSON", "malformed"),
                row("{\"group\":\"a\nb\"}", "BAD_JSON", "malformed"),
                row("{\"group\":\"\\x\"}", "BAD_JSON", "malformed"),
                row("{\"group\":\"\\u12\"}", "BAD_JSON", "malformed"),
                row("{\"group\":NaN}", "BAD_JSON", "malformed"),
                row("{} {}", "BAD_JSON", "malformed"),
                row("{}x", "BAD_JSON", "malformed"),
                row("[]", "INVALID_FIELD", "body: an array (expected: an object)"),
                row("null", "INVALID_FIELD", "body: null (expected: an object)"),
                row("\"text\"", "INVALID_FIELD", "body: a string"),
                row("{\"grop\":\"g\"}", "INVALID_FIELD", "grop: unknown field (expected: group, group_base64, "),
                row("{\"Group\":\"g\"}", "INVALID_FIELD", "Group: unknown field"),
                row("{\"requestId\":\"g\"}", "INVALID_FIELD", "requestId: unknown field"),
                row("{\"group\":null}", "INVALID_FIELD", "group: null (expected: a string)"),
                row("{\"group\":7}", "INVALID_FIELD", "group: a number (expected: a string)"),
                row("{\"group\":\"a\",\"group\":\"a\"}", "INVALID_FIELD", "group: given together with group"),
                row(
                        "{\"group\":\"a\",\"group_base64\":\"YQ==\"}",
                        "INVALID_FIELD",
                        "group_base64: given together with group"),
                row("{\"group_base64\":\"Y*==\"}", "INVALID_FIELD", "group_base64: Y*== (expected: Base64)"),
                row("{\"group_base64\":\"Y\"}", "INVALID_FIELD", "group_base64: Y (expected: Base64)"),
                row("{\"group\":\"\\ud800\"}", "INVALID_FIELD", "half of a surrogate pair"),
                row("{\"enqueue\":{}}", "INVALID_FIELD", "enqueue: an object (expected: an array)"),
                row("{\"enqueue\":[{},7]}", "INVALID_FIELD", "enqueue[1]: a number (expected: an object)"),
                row("{\"enqueue\":[{\"queue\":[]}]}", "INVALID_FIELD", "enqueue[0].queue: an array"),
                row("{\"enqueue\":[{\"if_exists\":\"MAYBE\"}]}", "INVALID_FIELD", "enqueue[0].if_exists: MAYBE"),
                row("{\"enqueue\":[{\"if_exists\":1}]}", "INVALID_FIELD", "(expected: a string)"),
                row("{\"enqueue\":[{\"headers\":{\"a\":\"b\",\"a\":\"b\"}}]}", "INVALID_FIELD", "duplicate name"),
                row("{\"enqueue\":[{\"headers\":{\"a\":1}}]}", "INVALID_FIELD", "headers.a: a number"),
                row("{\"enqueue\":[{\"headers\":[]}]}", "INVALID_FIELD", "headers: an array"),
                row("{\"enqueue\":[{\"headers\":{\"\\udc00\":\"\"}}]}", "INVALID_FIELD", "surrogate"),
                row("{\"enqueue\":[{\"not_before\":\"tomorrow\"}]}", "INVALID_FIELD", "RFC 3339"),
                row("{\"enqueue\":[{\"not_before\":\"2026-02-30T00:00:00Z\"}]}", "INVALID_FIELD", "RFC 3339"),
                row("{\"enqueue\":[{\"not_before\":\"0000-12-31T23:59:59Z\"}]}", "INVALID_FIELD", "RFC 3339"),
                row("{\"enqueue\":[{\"not_before\":\"9999-12-31T23:59:59-01:00\"}]}", "INVALID_FIELD", "RFC 3339"),
                row("{\"enqueue\":[{\"not_before\":1795257000}]}", "INVALID_FIELD", "not_before: a number"),
                row("{\"dequeue\":[{\"lease_id\":-1}]}", "INVALID_FIELD", "dequeue[0].lease_id: -1"),
                row("{\"dequeue\":[{\"lease_id\":1.0}]}", "INVALID_FIELD", "lease_id: 1.0"),
                row("{\"dequeue\":[{\"lease_id\":1e3}]}", "INVALID_FIELD", "lease_id: 1e3"),
                row("{\"dequeue\":[{\"lease_id\":\"\"}]}", "INVALID_FIELD", "lease_id: "),
                row("{\"dequeue\":[{\"lease_id\":\"+1\"}]}", "INVALID_FIELD", "lease_id: +1"),
                row("{\"dequeue\":[{\"lease_id\":\"18446744073709551616\"}]}", "INVALID_FIELD", "lease_id: 184"),
                row("{\"dequeue\":[{\"lease_id\":true}]}", "INVALID_FIELD", "lease_id: true or false"),
                row("{\"renew\":[{\"lease\":\"soon\"}]}", "INVALID_FIELD", "renew[0].lease: soon"),
                row("{\"renew\":[{\"lease\":\"1y\"}]}", "INVALID_FIELD", "renew[0].lease: 1y"),
                row("{\"renew\":[{\"lease\":1e99}]}", "INVALID_FIELD", "renew[0].lease: 1e99"),
                row("{\"renew\":[{\"lease\":{}}]}", "INVALID_FIELD", "renew[0].lease: an object"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsWrongIsSaidByItsPath(String json, ErrorCode code, String message) {
        TaskMasterException refusal = refusal(json, UpdateRequest.getDefaultInstance());

        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal).hasMessageContaining(message);
    }

    @Test
    void smallNumbersAreNumbersOnly() {
        var lease = LeaseRequest.getDefaultInstance();
        assertThat(refusal("{\"max_tasks\":\"1\"}", lease)).hasMessage("max_tasks: a string (expected: a number)");
        assertThat(refusal("{\"max_tasks\":4294967296}", lease)).hasMessageContaining("0 to 4294967295");
        assertThat(refusal("{\"queues\":{\"all_groups\":1}}", lease)).hasMessageContaining("true or false");
    }

    @Test
    void anOperationOfABatchIsOneThing() {
        assertThat(refusal("{\"operations\":[{\"update\":{},\"lease\":{}}]}", BatchRequest.getDefaultInstance()))
                .hasMessage("operations[0].lease: given together with update (expected: only one of them, once)");
    }

    @Test
    void depthAndNumberOfValuesAreBounded() {
        String deep = "[".repeat(100_000);
        assertThat(refusal(deep, UpdateRequest.getDefaultInstance()).code()).isEqualTo(ErrorCode.INVALID_FIELD);
        String many = "{\"names\":[" + "\"\",".repeat(Limits.JSON_VALUES) + "\"\"]}";
        assertThat(refusal(many, QueueSelector.getDefaultInstance())).hasMessageContaining("at most 1000000");
    }

    @Test
    void whatIsNotUtf8IsNotJson() {
        byte[] bytes = "{\"group\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        var text = new InputStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder());

        TaskMasterException refusal = catchThrowableOfType(
                TaskMasterException.class, () -> MessageReader.read(text, UpdateRequest.getDefaultInstance()));

        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_JSON);
        assertThat(refusal).hasMessageContaining("not UTF-8");
    }

    @Test
    void whatIsSaidOfMegabytesIsShort() {
        String name = "n".repeat(1 << 20);
        assertThat(refusal("{\"" + name + "\":1}", UpdateRequest.getDefaultInstance())
                        .getMessage())
                .hasSizeLessThan(1000);
    }

    private static UpdateRequest update(String json) throws IOException {
        return read(json, UpdateRequest.getDefaultInstance());
    }

    private static <M extends Message> M read(String json, M prototype) throws IOException {
        return MessageReader.read(new StringReader(json), prototype);
    }

    private static TaskMasterException refusal(String json, Message prototype) {
        return catchThrowableOfType(TaskMasterException.class, () -> read(json, prototype));
    }

    private static Arguments row(String json, String code, String message) {
        return argumentSet(json.isEmpty() ? "nothing" : json, json, ErrorCode.valueOf(code), message);
    }
}
