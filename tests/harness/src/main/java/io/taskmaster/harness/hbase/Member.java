package io.taskmaster.harness.hbase;

import java.util.ArrayList;
import java.util.List;

/**
 * A process of an HBase, whether it runs or not. Immutable.
 *
 * @param number from 1; only region servers can be more than one
 */
record Member(DaemonRole daemonRole, int number) {

    /** Returns all members of an HBase, in the order of their start. */
    static List<Member> all(int regionServers) {
        List<Member> members = new ArrayList<>();
        for (DaemonRole daemonRole : DaemonRole.values()) {
            int count = daemonRole == DaemonRole.REGION_SERVER ? regionServers : 1;
            for (int number = 1; number <= count; number++) {
                members.add(new Member(daemonRole, number));
            }
        }
        return List.copyOf(members);
    }

    /** Returns its name, as in the names of its files. */
    String name() {
        return daemonRole == DaemonRole.REGION_SERVER ? daemonRole.label() + "-" + number : daemonRole.label();
    }
}
