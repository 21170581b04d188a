package io.taskmaster.examples.adsquality.measure;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * All scores of one advertiser in a query set. Immutable.
 *
 * @param permilles one score for each time that an ad was shown
 */
public record AdvertiserSample(String advertiser, List<Integer> permilles) {

    public AdvertiserSample {
        permilles = List.copyOf(permilles);
    }

    /** Returns the samples of all advertisers, in the order of their names. */
    public static List<AdvertiserSample> of(Collection<Judgement> judgements) {
        return judgements.stream()
                .flatMap(judgement -> judgement.scores().stream())
                .collect(groupingBy(
                        Judgement.Score::advertiser, TreeMap::new, mapping(Judgement.Score::permille, toList())))
                .entrySet()
                .stream()
                .map(entry -> new AdvertiserSample(entry.getKey(), entry.getValue()))
                .toList();
    }

    public Quality aggregate() {
        int sum = permilles.stream().mapToInt(Integer::intValue).sum();
        return new Quality(advertiser, permilles.size(), sum / permilles.size());
    }

    public String text() {
        return advertiser + "\t" + permilles.stream().map(String::valueOf).collect(joining(" "));
    }

    /** Parses the output of {@link #text}. */
    public static AdvertiserSample parse(String text) {
        String[] fields = text.split("\t", 2);
        return new AdvertiserSample(
                fields[0],
                Arrays.stream(fields[1].split(" ")).map(Integer::valueOf).toList());
    }
}
