package io.taskmaster.stage.local.credit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CreditsTest {

    @Test
    void noMoreAreClaimedThanThereAre() {
        Credits credits = new Credits(10);
        assertThat(credits.tryClaim(7)).isTrue();
        assertThat(credits.tryClaim(4)).isFalse();
        assertThat(credits.tryClaim(3)).isTrue();
        assertThat(credits.taken()).isEqualTo(10);

        credits.release(7);
        assertThat(credits.tryClaim(8)).isFalse();
        assertThat(credits.tryClaim(7)).isTrue();
        assertThat(credits.taken()).isEqualTo(10);
    }

    @Test
    void threadsNeverHoldMoreThanThereAreAndLoseNone() throws InterruptedException {
        int capacity = 5;
        Credits credits = new Credits(capacity);
        AtomicLong held = new AtomicLong();
        AtomicLong maxTaken = new AtomicLong();
        AtomicLong claims = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SplittableRandom random = new SplittableRandom(i);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < 200_000; round++) {
                    int count = 1 + random.nextInt(3);
                    if (credits.tryClaim(count)) {
                        claims.incrementAndGet();
                        maxTaken.accumulateAndGet(held.addAndGet(count), Math::max);
                        held.addAndGet(-count);
                        credits.release(count);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(maxTaken.get()).isBetween(1L, (long) capacity);
        assertThat(claims.get()).isPositive();
        assertThat(credits.taken()).isZero();
        assertThat(credits.tryClaim(capacity)).isTrue();
    }
}
