package io.taskmaster.examples.crawl.page;

import io.taskmaster.model.Bytes;
import java.net.URI;
import java.util.Arrays;
import java.util.List;

/**
 * The links of a page as they occur in it, in order, repetitions included. Encoded as UTF-8 lines, the base first.
 * Immutable.
 *
 * @param base the URI that relative links are relative to
 */
public record PageLinks(URI base, List<String> hrefs) {

    public PageLinks {
        hrefs = hrefs.stream().map(href -> href.replace('\n', ' ')).toList();
    }

    public Bytes encode() {
        StringBuilder lines = new StringBuilder(base.toString());
        hrefs.forEach(href -> lines.append('\n').append(href));
        return Bytes.of(lines.toString());
    }

    /** Decodes the output of {@link #encode}. */
    public static PageLinks decode(Bytes data) {
        List<String> lines = Arrays.asList(data.toString().split("\n", -1));
        return new PageLinks(URI.create(lines.getFirst()), lines.subList(1, lines.size()));
    }
}
