package io.taskmaster.examples.adsquality.measure;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The scores of the ads of one query. Immutable.
 *
 * @param query the number of the query
 */
public record Judgement(int query, List<Score> scores) {

    /**
     * The score of one ad.
     *
     * @param permille the score, in thousandths of the best possible
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

    /** Parses the output of {@link #text}. */
    public static Judgement parse(String text) {
        List<String> lines = text.lines().toList();
        return new Judgement(
                Integer.parseInt(lines.getFirst()),
                lines.stream().skip(1).map(Score::parse).toList());
    }
}
