package io.taskmaster.examples.crawl.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SiteTest {

    private static final URI BASE = URI.create("http://guava.test/com/google/common/base/Joiner.html");

    @ParameterizedTest
    @CsvSource({
        "Splitter.html,                                  /com/google/common/base/Splitter.html",
        "./Splitter.html,                                /com/google/common/base/Splitter.html",
        "../collect/Lists.html,                          /com/google/common/collect/Lists.html",
        "../../../../index.html,                         /index.html",
        "../../../../../../index.html,                   /index.html",
        "/index.html,                                    /index.html",
        "../collect/,                                    /com/google/common/collect/index.html",
        "Splitter.html#on(char),                         /com/google/common/base/Splitter.html",
        "'Joiner.html#join(java.lang.Object[])',         /com/google/common/base/Joiner.html",
        "#top,                                           /com/google/common/base/Joiner.html",
        "Splitter.html?is-external=true,                 /com/google/common/base/Splitter.html",
        "'  Splitter.html ',                             /com/google/common/base/Splitter.html",
        "http://guava.test/index.html,                   /index.html",
        "HTTP://GUAVA.TEST:80/index.html,                /index.html",
        "http://guava.test,                              /index.html",
        "//guava.test/index.html,                        /index.html",
    })
    void linksToOnePageBecomeOneUrl(String href, String path) {
        assertThat(Site.GUAVA.resolve(BASE, href)).map(PageUrl::toString).contains("http://guava.test" + path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://guava.test/index.html",
                "http://guava.test:8080/index.html",
                "http://docs.example.com/index.html",
                "mailto:somebody@example.com",
                "javascript:void(0)",
                "../../../../script-files/script.js",
                "not a link.html",
                "http://[broken/index.html",
            })
    void linksToOtherSitesOtherFilesAndNowhereAreDropped(String href) {
        assertThat(Site.GUAVA.resolve(BASE, href)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/index.html,                                          top",
        "/com/google/common/base/Joiner.html,                  com/google/common/base",
        "/com/google/common/base/class-use/Joiner.html,        com/google/common/base",
        "/v1.2/index.html,                                     v1_2",
    })
    void sectionIsTheFolderWithoutDots(String path, String section) {
        assertThat(Site.GUAVA.resolve(BASE, path)).map(PageUrl::section).contains(section);
    }

    @Test
    void pidAndUrlAreTheSameText() {
        Optional<PageUrl> page = Site.GUAVA.resolve(BASE, "Foo%3CT%3E.html");
        assertThat(page).map(PageUrl::pid).map(PageUrl::of).isEqualTo(page);
        assertThat(page)
                .map(url -> url.pid().toString())
                .contains("http://guava.test/com/google/common/base/Foo%3CT%3E.html");
    }
}
