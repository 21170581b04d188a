package io.taskmaster.examples.adsquality.measure;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reply of the ad server to a query. Immutable. */
public record ServedAds(Query query, List<ServedAd> ads) {

    public ServedAds {
        ads = List.copyOf(ads);
    }

    /** Scores each ad: the share of the query's words that it contains. */
    public Judgement judge() {
        return new Judgement(
                query.number(),
                ads.stream()
                        .map(ad -> new Judgement.Score(ad.advertiser(), permille(ad)))
                        .toList());
    }

    private int permille(ServedAd ad) {
        List<String> wanted = query.eachWord();
        List<String> said = List.of(ad.text().split(" "));
        long met = wanted.stream().filter(said::contains).count();
        return (int) (1_000 * met / wanted.size());
    }

    public String text() {
        return Stream.concat(Stream.of(query.text()), ads.stream().map(ServedAd::line))
                .collect(Collectors.joining("\n"));
    }

    /** Parses the output of {@link #text}. */
    public static ServedAds parse(String text) {
        List<String> lines = text.lines().toList();
        return new ServedAds(
                Query.parse(lines.getFirst()),
                lines.stream().skip(1).map(ServedAd::parse).toList());
    }
}
