package io.taskmaster.examples.adsquality.measure;

/** An ad as it is shown. Immutable. */
public record ServedAd(String advertiser, String text) {

    public String line() {
        return advertiser + "\t" + text;
    }

    /** Parses the output of {@link #line}. */
    public static ServedAd parse(String line) {
        String[] fields = line.split("\t", 2);
        return new ServedAd(fields[0], fields[1]);
    }
}
