package io.taskmaster.examples.adsquality.measure;

/**
 * The quality of an advertiser's ads. Immutable.
 *
 * @param shown the number of times that they were shown
 * @param permille the mean score
 */
public record Quality(String advertiser, int shown, int permille) {

    public String text() {
        return "%d\t%d\t%s".formatted(shown, permille, advertiser);
    }

    /** Parses the output of {@link #text}. */
    public static Quality parse(String text) {
        String[] fields = text.split("\t", 3);
        return new Quality(fields[2], Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
    }
}
