package io.taskmaster.testkit.hbase;

import java.util.ArrayList;
import java.util.List;

/**
 * One process of an HBase, whether it runs or not. Immutable.
 *
 * @param number from 1; there is more than one only of region servers
 */
record Member(Role role, int number) {

    /** All that an HBase has, in the order in which they are started. */
    static List<Member> all(int regionServers) {
        List<Member> members = new ArrayList<>();
        for (Role role : Role.values()) {
            int count = role == Role.REGION_SERVER ? regionServers : 1;
            for (int number = 1; number <= count; number++) {
                members.add(new Member(role, number));
            }
        }
        return List.copyOf(members);
    }

    /** As in the names of its files. */
    String name() {
        return role == Role.REGION_SERVER ? role.label() + "-" + number : role.label();
    }
}
