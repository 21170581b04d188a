package io.taskmaster.cli.screen;

import org.jline.utils.WCWidth;

/**
 * Widths of text on a screen, in columns: East Asian characters take two. Characters without a width are left out.
 * Thread-safe: stateless.
 */
public final class Columns {

    private static final String ELLIPSIS = "…";

    private Columns() {}

    public static int of(String text) {
        return text.codePoints().map(Columns::of).sum();
    }

    private static int of(int character) {
        return Math.max(0, WCWidth.wcwidth(character));
    }

    /** Returns the text, truncated or padded to the width. */
    public static String fit(String text, int width) {
        String visible = visible(text);
        int wide = of(visible);
        return wide > width ? truncate(visible, width) : visible + " ".repeat(width - wide);
    }

    /** Returns the text, truncated to the width. */
    public static String atMost(String text, int width) {
        String visible = visible(text);
        return of(visible) > width ? truncate(visible, width) : visible;
    }

    private static String visible(String text) {
        return text.codePoints()
                .filter(character -> of(character) > 0)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String truncate(String text, int width) {
        if (width < 1) {
            return "";
        }
        StringBuilder truncated = new StringBuilder();
        int remaining = width - 1;
        for (int at = 0; at < text.length(); ) {
            int character = text.codePointAt(at);
            remaining -= of(character);
            if (remaining < 0) {
                remaining += of(character);
                break;
            }
            truncated.appendCodePoint(character);
            at += Character.charCount(character);
        }
        return truncated + ELLIPSIS + " ".repeat(remaining);
    }
}
