package io.taskmaster.examples.demo;

import java.util.regex.Pattern;

/** A word of a command that people paste into a shell. Stateless. */
public final class ShellWord {

    /** Words that no POSIX shell changes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWord() {}

    /** Returns the text as one word, in quotes if it needs them. */
    public static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
