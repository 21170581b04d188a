package io.taskmaster.examples.adsquality.market;

import io.taskmaster.examples.adsquality.measure.ServedAd;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * An ad that may be served. Immutable.
 *
 * @param shown the ad as it is shown
 * @param keywords the words of queries that it is for
 * @param bid the bid for each of these
 */
record Ad(ServedAd shown, Set<String> keywords, int bid) {

    Ad {
        keywords = Set.copyOf(keywords);
    }

    static Ad of(String advertiser, String text, String keywords, int bid) {
        return new Ad(new ServedAd(advertiser, text), Set.copyOf(List.of(keywords.split(" "))), bid);
    }

    /** Returns its offer for a place beside a query. */
    int offer(Collection<String> words) {
        return bid * (int) words.stream().filter(keywords::contains).count();
    }
}
