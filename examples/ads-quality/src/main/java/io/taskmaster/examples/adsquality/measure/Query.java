package io.taskmaster.examples.adsquality.measure;

import io.taskmaster.model.Pid;
import java.util.List;

/**
 * A search query. Immutable.
 *
 * @param number the number in its set, from 0
 */
public record Query(int number, String words) {

    public Pid pid() {
        return Pid.of("%06d".formatted(number));
    }

    List<String> eachWord() {
        return List.of(words.split(" "));
    }

    public String text() {
        return number + "\t" + words;
    }

    /** Parses the output of {@link #text}. */
    public static Query parse(String text) {
        String[] fields = text.split("\t", 2);
        return new Query(Integer.parseInt(fields[0]), fields[1]);
    }
}
