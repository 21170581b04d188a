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
public record Sample(String advertiser, List<Integer> permilles) {

    public Sample {
        permilles = List.copyOf(permilles);
    }

    /** Returns the samples of all advertisers, in the order of their names. */
    public static List<Sample> of(Collection<Judgement> judgements) {
        return judgements.stream()
                .flatMap(judgement -> judgement.scores().stream())
                .collect(groupingBy(
                        Judgement.Score::advertiser, TreeMap::new, mapping(Judgement.Score::permille, toList())))
                .entrySet()
                .stream()
                .map(entry -> new Sample(entry.getKey(), entry.getValue()))
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
    public static Sample parse(String text) {
        String[] fields = text.split("\t", 2);
        return new Sample(
                fields[0],
                Arrays.stream(fields[1].split(" ")).map(Integer::valueOf).toList());
    }
}
