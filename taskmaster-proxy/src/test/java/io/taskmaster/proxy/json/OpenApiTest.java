package io.taskmaster.proxy.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the document is valid, and agrees with the reader and the writer. */
final class OpenApiTest {

    private static final int SEEDS = 60;

    /** The document as it is published, for reviews of the contract and for generators of clients. */
    private static final Path PUBLISHED = Path.of("../docs/openapi.json");

    private static final Path GENERATED = Path.of("target/openapi.json");

    private final OpenApiChecker checker = new OpenApiChecker(OpenApi.document("1"));

    @Test
    void thePublishedDocumentIsTheGeneratedOne() throws IOException {
        Files.writeString(GENERATED, OpenApi.document("1"));

        assertThat(GENERATED)
                .as("copy taskmaster-proxy/%s to docs/openapi.json if the change is meant", GENERATED)
                .hasSameTextualContentAs(PUBLISHED);
    }

    @Test
    void whatIsWrittenHasTheShapesOfTheDocument() throws IOException {
        for (ApiOperation<?, ?> apiOperation : ApiOperation.ALL) {
            for (long seed = 0; seed < SEEDS; seed++) {
                RandomMessages random = RandomMessages.sane(new SplittableRandom(seed));
                String request = write(random.like(apiOperation.request()));
                assertThat(checker.takes(apiOperation.path(), request))
                        .as("%s: %s", apiOperation.path(), request)
                        .isTrue();
                checker.assertAnswer(apiOperation.path(), "post", 200, write(random.like(apiOperation.reply())));
            }
        }
    }

    @Test
    void whatTheReaderRefusesTheDocumentRefusesToo() {
        for (String body : List.of(
                "[]",
                "null",
                "{\"grop\":\"g\"}",
                "{\"group\":null}",
                "{\"group\":7}",
                "{\"group\":\"a\",\"group_base64\":\"YQ==\"}",
                "{\"group_base64\":\"Y*==\"}",
                "{\"enqueue\":{}}",
                "{\"enqueue\":[{\"if_exists\":\"MAYBE\"}]}",
                "{\"enqueue\":[{\"headers\":{\"a\":1}}]}",
                "{\"dequeue\":[{\"lease_id\":\"+1\"}]}",
                "{\"dequeue\":[{\"lease_id\":true}]}",
                "{\"renew\":[{\"lease\":\"soon\"}]}",
                "{\"renew\":[{\"lease\":{}}]}")) {
            assertThat(checker.takes("/v1/update", body)).as(body).isFalse();
        }
        assertThat(checker.takes("/v1/batch", "{\"operations\":[{\"update\":{},\"lease\":{}}]}"))
                .isFalse();
        assertThat(checker.takes("/v1/lease", "{\"max_tasks\":\"1\"}")).isFalse();
        assertThat(checker.takes("/v1/lease", "{\"max_tasks\":4294967296}")).isFalse();
    }

    @Test
    void everySchemaIsReferredToAndEveryReferenceIsThere() {
        var referred = new TreeSet<>(Pattern.compile("\"#/components/schemas/([^\"]+)\"")
                .matcher(checker.document().toString())
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList());

        assertThat(referred)
                .isEqualTo(new TreeSet<>(checker.document()
                        .getAsJsonObject("components")
                        .getAsJsonObject("schemas")
                        .keySet()));
    }

    @Test
    void theDocumentSaysWhatTheContractSays() {
        JsonObject paths = checker.document().getAsJsonObject("paths");
        assertThat(ApiOperation.ALL)
                .allSatisfy(apiOperation -> assertThat(paths.getAsJsonObject(apiOperation.path())
                                .getAsJsonObject("post")
                                .get("description")
                                .getAsString())
                        .isNotBlank());
        JsonObject enqueue = checker.document()
                .getAsJsonObject("components")
                .getAsJsonObject("schemas")
                .getAsJsonObject("Enqueue")
                .getAsJsonObject("properties");
        assertThat(description(enqueue, "data")).isEqualTo("not interpreted");
        assertThat(description(enqueue, "data_base64")).isEqualTo("The same in Base64");
        assertThat(description(enqueue, "if_exists")).contains("\nCOLLAPSE: keep what is there", "\nFAIL: ");
    }

    private static String description(JsonObject properties, String name) {
        return properties.getAsJsonObject(name).get("description").getAsString();
    }

    private static String write(Message message) throws IOException {
        var text = new StringWriter();
        MessageWriter.write(message, text);
        return text.toString();
    }
}
