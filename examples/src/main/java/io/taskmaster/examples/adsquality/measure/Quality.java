package io.taskmaster.examples.adsquality.measure;

/**
 * How good the ads of an advertiser are. Immutable.
 *
 * @param shown how often
 * @param permille the mean
 */
public record Quality(String advertiser, int shown, int permille) {

    public String text() {
        return "%d\t%d\t%s".formatted(shown, permille, advertiser);
    }

    /** Reads back what {@link #text} wrote. */
    public static Quality parse(String text) {
        String[] fields = text.split("\t", 3);
        return new Quality(fields[2], Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
    }
}
