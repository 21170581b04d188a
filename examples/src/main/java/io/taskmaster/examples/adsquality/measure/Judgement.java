package io.taskmaster.examples.adsquality.measure;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the ads of one query are worth. Immutable.
 *
 * @param query its number
 */
public record Judgement(int query, List<Score> scores) {

    /**
     * Of one ad.
     *
     * @param permille of the best that there can be
     */
    public record Score(String advertiser, int permille) {

        String line() {
            return permille + "\t" + advertiser;
        }

        static Score parse(String line) {
            String[] fields = line.split("\t", 2);
            return new Score(fields[1], Integer.parseInt(fields[0]));
        }
    }

    public Judgement {
        scores = List.copyOf(scores);
    }

    public String text() {
        return Stream.concat(Stream.of(Integer.toString(query)), scores.stream().map(Score::line))
                .collect(Collectors.joining("\n"));
    }

    /** Reads back what {@link #text} wrote. */
    public static Judgement parse(String text) {
        List<String> lines = text.lines().toList();
        return new Judgement(
                Integer.parseInt(lines.getFirst()),
                lines.stream().skip(1).map(Score::parse).toList());
    }
}
