package io.taskmaster.testkit.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class VirtualLoopTest {

    @Test
    void tasksRunInTheOrderInWhichTheyCame() {
        for (int seed = 0; seed < 10; seed++) {
            VirtualTime time = new VirtualTime(new SplittableRandom(seed));
            VirtualLoop loop = new VirtualLoop(time);
            List<Integer> ran = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                loop.execute(() -> ran.add(number));
            }
            assertThat(ran).isEmpty();
            new TimeDriver(time).pass(Duration.ZERO);
            assertThat(ran).containsExactly(0, 1, 2, 3, 4);
        }
    }

    @Test
    void whatIsScheduledRunsWhenTheClockShowsIt() {
        VirtualTime time = new VirtualTime(new SplittableRandom(1));
        VirtualLoop loop = new VirtualLoop(time);
        new TimeDriver(time).pass(Duration.ofNanos(999_999));
        List<Long> ran = new ArrayList<>();
        long before = loop.nowMillis();
        loop.schedule(10, () -> ran.add(loop.nowMillis() - before));
        loop.offload(() -> ran.add(0L));
        new TimeDriver(time).pass(Duration.ofMillis(20));
        assertThat(ran).containsExactly(0L, 10L);
    }
}
