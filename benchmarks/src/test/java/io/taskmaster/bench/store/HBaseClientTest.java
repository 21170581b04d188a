package io.taskmaster.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException.ThrowableWithExtraContext;
import org.junit.jupiter.api.Test;

class HBaseClientTest {

    @Test
    void theReasonIsWhatIsBehindTheWrappers() {
        var busy = new RegionTooBusyException("memstore");
        var exhausted = new RetriesExhaustedException(1, List.of(new ThrowableWithExtraContext(busy, 0, "")));
        assertThat(HBaseClient.reason(new CompletionException(exhausted))).isEqualTo("RegionTooBusyException");
        assertThat(HBaseClient.reason(busy)).isEqualTo("RegionTooBusyException");
    }

    @Test
    void aWrapperAroundNothingIsTheReasonItself() {
        assertThat(HBaseClient.reason(new RetriesExhaustedException("given up")))
                .isEqualTo("RetriesExhaustedException");
    }
}
