package io.taskmaster.examples.crawl.page;

import io.taskmaster.model.Bytes;

/**
 * The parts of a page that the index keeps. Encoded as UTF-8: the title, a line break, the text. Immutable.
 *
 * @param title one line
 */
public record PageText(String title, String text) {

    public PageText {
        title = title.replace('\n', ' ');
    }

    public Bytes encode() {
        return Bytes.of(title + "\n" + text);
    }

    /** Decodes the output of {@link #encode}. */
    public static PageText decode(Bytes data) {
        String all = data.toString();
        int end = all.indexOf('\n');
        return new PageText(all.substring(0, end), all.substring(end + 1));
    }
}
