package io.taskmaster.examples.crawl.page;

import io.taskmaster.model.Bytes;

/**
 * What the index keeps of a page. Travels as UTF-8: the title, a line break, the text. Immutable.
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

    /** Reads back what {@link #encode} wrote. */
    public static PageText decode(Bytes data) {
        String all = data.toString();
        int end = all.indexOf('\n');
        return new PageText(all.substring(0, end), all.substring(end + 1));
    }
}
