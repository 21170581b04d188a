package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a connection of what the settings and an {@code hbase-site.xml} say. Where that says Kerberos, HBase's client logs in by itself, with
 * {@code hbase.client.keytab.file} and {@code hbase.client.kerberos.principal}, and renews what runs out. Stateless.
 */
final class Client {

    private static final Logger log = LoggerFactory.getLogger(Client.class);

    private Client() {}

    /**
     * Connects. Blocks until HBase has answered.
     *
     * @throws StoreException if it does not within the limit
     */
    static AsyncConnection connect(HBaseSettings settings) {
        return await(
                ConnectionFactory.createAsyncConnection(configuration(settings)),
                settings.limits().startTimeout());
    }

    /**
     * Waits for something that the start needs. Blocks.
     *
     * @throws StoreException if it fails or takes too long
     */
    static <T> T await(CompletableFuture<T> asked, Duration patience) {
        try {
            return asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            Throwable root = Failures.root(failure);
            if (root instanceof RuntimeException told) {
                throw told;
            }
            throw Failures.ofReading("connect", root);
        } catch (TimeoutException late) {
            throw new StoreException(
                    Outcome.REFUSED,
                    "HBase: no answer within " + patience.toSeconds()
                            + " s (expected: its ZooKeeper and region servers to be reachable from here)",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreException(Outcome.REFUSED, "HBase: interrupted while connecting", interrupted);
        }
    }

    private static Configuration configuration(HBaseSettings settings) {
        Configuration configuration = HBaseConfiguration.create();
        settings.site().ifPresent(site -> configuration.addResource(new Path(site.toUri())));
        settings.zookeeper().ifPresent(quorum -> configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum));
        // Values up to a piece are ours to send; the server has the last word.
        configuration.setInt("hbase.client.keyvalue.maxsize", Columns.PIECE_BYTES + (1 << 20));
        log.debug("HBase at {}", configuration.get(HConstants.ZOOKEEPER_QUORUM));
        return configuration;
    }
}
