package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

final class SilenceGuardTest {

    private static final long LIMIT = SilenceGuard.LIMIT_SECONDS;

    private final EmbeddedChannel connection = new EmbeddedChannel(new SilenceGuard());

    SilenceGuardTest() {
        connection.freezeTime();
    }

    @Test
    void aConnectionOnWhichNothingIsAnsweredIsClosed() {
        connection.writeOutbound("call");
        pass(LIMIT - 1);
        connection.writeOutbound("another call, which does not put it off");
        assertThat(connection.isOpen()).isTrue();
        pass(2);

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void anyAnswerGivesItTimeAnew() {
        connection.writeOutbound("call");
        pass(LIMIT - 1);
        connection.writeInbound("answer");
        connection.writeOutbound("call");
        pass(LIMIT - 1);

        assertThat(connection.isOpen()).isTrue();
        pass(2);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void nobodyHasToSayAnythingUnasked() {
        connection.writeOutbound("call");
        connection.writeInbound("answer");
        pass(100 * LIMIT);

        assertThat(connection.isOpen()).isTrue();
    }

    private void pass(long seconds) {
        connection.advanceTimeBy(seconds, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
    }
}
