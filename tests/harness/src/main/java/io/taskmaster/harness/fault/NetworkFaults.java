package io.taskmaster.harness.fault;

import io.taskmaster.harness.relay.ByteFlow;
import io.taskmaster.harness.relay.Relay;

/** A target for faults of a network. Thread-safe. */
final class NetworkFaults implements FaultTarget<Fault.OfNetwork> {

    private final Relay relay;

    NetworkFaults(Relay relay) {
        this.relay = relay;
    }

    @Override
    public void strike(Fault.OfNetwork fault) {
        switch (fault) {
            case Fault.Disconnect _ -> relay.refuse();
            case Fault.Stall stall -> relay.stall(stall.flows().toArray(ByteFlow[]::new));
            case Fault.Slow slow -> relay.delay(slow.delay());
        }
    }

    @Override
    public void heal(Fault.OfNetwork fault) {
        relay.heal();
    }
}
