package io.taskmaster.proxy.rpc.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.command.Ranking.Place;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RankTokenTest {

    private static final int ORDER = 3;
    private static final Place PLACE = new Place(7, QueueKey.of("g", "q"));

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void anyPlaceComesBackFromItsToken(long rank) {
        Place place = new Place(rank, new QueueKey(GroupName.wrap(new byte[1024]), QueueName.wrap(new byte[1024])));
        assertThat(RankToken.parse(ORDER, RankToken.of(ORDER, place))).contains(place);
    }

    @Test
    void withoutATokenItBeginsAtTheBeginning() {
        assertThat(RankToken.parse(ORDER, "")).isEmpty();
    }

    @Test
    void aPlaceInOneOrderIsNoneInAnother() {
        assertRefused(() -> RankToken.parse(ORDER + 1, RankToken.of(ORDER, PLACE)));
    }

    @Test
    void tokensOfListingsAndOfRankingsAreNotMistakenForEachOther() {
        assertRefused(() -> RankToken.parse(ORDER, PageToken.of(PLACE.queue())));
        assertRefused(() -> PageToken.parse(RankToken.of(ORDER, PLACE)));
    }

    @Test
    void aTokenThatWasCutIsRefused() {
        String token = RankToken.of(ORDER, PLACE);
        for (int end = 1; end < token.length(); end++) {
            String cut = token.substring(0, end);
            assertRefused(() -> RankToken.parse(ORDER, cut));
        }
        // Valid as a token, but too short for a ranking.
        assertRefused(() -> RankToken.parse(ORDER, PageToken.seal((byte) 2, new byte[3], PLACE.queue())));
    }

    private static void assertRefused(ThrowingCallable parsing) {
        assertThatThrownBy(parsing)
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_PAGE_TOKEN));
    }
}
