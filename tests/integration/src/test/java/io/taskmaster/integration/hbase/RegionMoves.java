package io.taskmaster.integration.hbase;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Placement of regions on region servers. */
final class RegionMoves {

    private RegionMoves() {}

    /**
     * Moves, of two region servers, every region that is not the first of its table to the one at this port, and all
     * others, {@code hbase:meta} included, to the other.
     */
    static void giveUpperHalves(String zookeeper, int port) throws IOException {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, zookeeper);
        try (Connection connection = ConnectionFactory.createConnection(configuration);
                Admin admin = connection.getAdmin()) {
            admin.balancerSwitch(false, true);
            List<ServerName> servers = List.copyOf(admin.getRegionServers());
            for (ServerName server : servers) {
                ServerName other = servers.get(1 - servers.indexOf(server));
                for (RegionInfo region : admin.getRegions(server)) {
                    boolean upper = region.getStartKey().length > 0;
                    if (upper != (server.getPort() == port)) {
                        admin.move(region.getEncodedNameAsBytes(), other);
                    }
                }
            }
        }
    }
}
