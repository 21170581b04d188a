package io.taskmaster.examples.adsquality.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the data of tasks are parsed as they were written, and that scores add up. */
final class TextsTest {

    private static final Query QUERY = new Query(7, "red rain boots");

    @Test
    void whatIsWrittenIsReadBack() {
        ServedAds served = new ServedAds(QUERY, List.of(new ServedAd("a & b", "red boots"), new ServedAd("c", "x")));
        assertThat(ServedAds.parse(served.text())).isEqualTo(served);
        assertThat(ServedAds.parse(new ServedAds(QUERY, List.of()).text()).ads())
                .isEmpty();
        assertThat(Judgement.parse(served.judge().text())).isEqualTo(served.judge());
        AdvertiserSample sample = new AdvertiserSample("a & b", List.of(666, 0));
        assertThat(AdvertiserSample.parse(sample.text())).isEqualTo(sample);
        assertThat(Quality.parse(sample.aggregate().text())).isEqualTo(new Quality("a & b", 2, 333));
    }

    @Test
    void anAdIsWorthTheShareOfTheWordsThatItHas() {
        ServedAds served = new ServedAds(QUERY, List.of(new ServedAd("a", "red boots"), new ServedAd("b", "reddish")));
        assertThat(served.judge().scores()).containsExactly(new Judgement.Score("a", 666), new Judgement.Score("b", 0));
    }

    @Test
    void samplesGatherWhatWasSaidOfEachAdvertiser() {
        List<Judgement> judgements = List.of(
                new Judgement(0, List.of(new Judgement.Score("b", 1), new Judgement.Score("a", 2))),
                new Judgement(1, List.of(new Judgement.Score("b", 3))));
        assertThat(AdvertiserSample.of(judgements))
                .containsExactly(new AdvertiserSample("a", List.of(2)), new AdvertiserSample("b", List.of(1, 3)));
    }
}
