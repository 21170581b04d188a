package io.taskmaster.examples.crawl.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.examples.demo.fixture.JavadocArtifact;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SiteServerTest {

    @TempDir
    private Path folder;

    @Test
    void servesThePagesOfTheArtifactOverHttp() throws Exception {
        try (SiteServer site = SiteServer.start(folder.resolve("served.zip"));
                JavadocArtifact artifact = JavadocArtifact.open(folder.resolve("read.zip"));
                HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(site.address().resolve("/com/google/common/base/Joiner.html"))
                            .build(),
                    BodyHandlers.ofByteArray());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("content-type")).contains("text/html");
            assertThat(response.body())
                    .isEqualTo(Files.readAllBytes(artifact.root().resolve("com/google/common/base/Joiner.html")));
        }
    }

    @Test
    void artifactHoldsHundredsOfPagesThatCanBeReached() throws Exception {
        try (JavadocArtifact artifact = JavadocArtifact.open(folder.resolve("read.zip"))) {
            Set<String> pages = IndependentWalk.reachablePages(artifact.root());
            assertThat(pages).hasSizeGreaterThan(900).contains("/index.html", "/com/google/common/base/Joiner.html");
        }
    }
}
