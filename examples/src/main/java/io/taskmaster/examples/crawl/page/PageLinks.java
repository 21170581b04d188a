package io.taskmaster.examples.crawl.page;

import io.taskmaster.model.Bytes;
import java.net.URI;
import java.util.Arrays;
import java.util.List;

/**
 * The links of a page as they stand in it, in order, repetitions included. Travels as UTF-8 lines, the base first. Immutable.
 *
 * @param base what relative links are relative to
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

    /** Reads back what {@link #encode} wrote. */
    public static PageLinks decode(Bytes data) {
        List<String> lines = Arrays.asList(data.toString().split("\n", -1));
        return new PageLinks(URI.create(lines.getFirst()), lines.subList(1, lines.size()));
    }
}
