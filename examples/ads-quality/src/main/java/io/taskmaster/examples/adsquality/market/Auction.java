package io.taskmaster.examples.adsquality.market;

import io.taskmaster.examples.adsquality.measure.ServedAd;
import java.util.Comparator;
import java.util.List;

/** The auction of the places beside a query: they go to the highest offers, whether or not the ads fit. Pure. */
public final class Auction {

    private static final int PLACES = 3;

    private static final List<Ad> ADS =
            Market.ALL.stream().flatMap(market -> market.ads().stream()).toList();

    private Auction() {}

    public static List<ServedAd> serve(String query) {
        List<String> words = List.of(query.split(" "));
        return ADS.stream()
                .filter(ad -> ad.offer(words) > 0)
                .sorted(Comparator.comparingInt((Ad ad) -> ad.offer(words))
                        .reversed()
                        .thenComparing(ad -> ad.shown().line()))
                .limit(PLACES)
                .map(Ad::shown)
                .toList();
    }
}
