package io.taskmaster.examples.adsquality;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.examples.adsquality.market.Auction;
import io.taskmaster.examples.adsquality.market.Market;
import io.taskmaster.examples.adsquality.measure.Query;
import io.taskmaster.examples.adsquality.measure.ServedAd;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The expected results of a market, computed without queues, stages and phases. */
public final class Expectations {

    private Expectations() {}

    /** Returns the table that is to be stored. */
    public static List<String> table(Market market) {
        SortedMap<String, int[]> shownAndSum = new TreeMap<>();
        for (Query query : market.queries()) {
            String[] words = query.words().split(" ", -1);
            for (ServedAd ad : Auction.serve(query.words())) {
                String text = " " + ad.text() + " ";
                int met = 0;
                for (String word : words) {
                    met += text.contains(" " + word + " ") ? 1 : 0;
                }
                int[] counts = shownAndSum.computeIfAbsent(ad.advertiser(), _ -> new int[2]);
                counts[0]++;
                counts[1] += 1_000 * met / words.length;
            }
        }
        List<String> lines = new ArrayList<>(List.of("advertiser,shown,permille"));
        shownAndSum.forEach(
                (advertiser, counts) -> lines.add(advertiser + "," + counts[0] + "," + counts[1] / counts[0]));
        return lines;
    }

    /** Asserts that each query comes once, then each advertiser once, with the phase changes between them. */
    public static void assertThatPhasesDoNotOverlap(List<String> journal, Market market) {
        int queries = market.queries().size();
        List<String> advertisers = table(market).stream()
                .skip(1)
                .map(line -> line.split(",", 2)[0])
                .toList();
        assertThat(journal).hasSize(queries + advertisers.size() + 5).doesNotHaveDuplicates();
        assertThat(journal.getFirst()).isEqualTo("querying " + queries);
        assertThat(journal.subList(1, queries + 1))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, queries).mapToObj(i -> "judged " + i).toList());
        assertThat(journal.subList(queries + 1, queries + 3))
                .containsExactly("processing", "aggregating " + advertisers.size());
        assertThat(journal.subList(queries + 3, journal.size() - 2))
                .containsExactlyInAnyOrderElementsOf(
                        advertisers.stream().map(name -> "aggregated " + name).toList());
        assertThat(journal.subList(journal.size() - 2, journal.size())).containsExactly("loading", "loaded");
    }
}
