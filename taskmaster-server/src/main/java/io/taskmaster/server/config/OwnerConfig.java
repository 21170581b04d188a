package io.taskmaster.server.config;

import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.SettingValues;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The claim of a node on a store that it shares with other nodes. Immutable.
 *
 * @param nodeId the identity of this node towards the others; empty if the store is not shared
 * @param takeOver whether to take the store from another node that seems to be alive
 */
public record OwnerConfig(String nodeId, boolean takeOver) {

    static OwnerConfig of(SettingValues values, StoreKind store) {
        return new OwnerConfig(
                values.given(NodeSetting.NODE_ID).orElseGet(() -> store.isShared() ? nameAndPort(values) : ""),
                values.flag(NodeSetting.NODE_TAKE_OVER));
    }

    /**
     * Returns a default that is unique per node: two nodes of one name would take the store from each other forever.
     */
    private static String nameAndPort(SettingValues values) {
        return machine() + ":" + values.address(PortSetting.LISTEN).getPort();
    }

    /** Returns the name of this machine. May query the network, so it may block. */
    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            throw ConfigException.of(
                    NodeSetting.NODE_ID.key(), "empty", "a name for this node, because this machine has no host name");
        }
    }
}
