package io.taskmaster.harness.fault;

/** A store that is part of the server's process, and so has no faults of its own. Immutable. */
final class EmbeddedStore implements FaultTarget<Fault.OfStore> {

    @Override
    public void strike(Fault.OfStore fault) {
        throw new IllegalStateException("fault: %s (expected: none of the store, which has no processes of its own)"
                .formatted(fault.kind().word()));
    }

    @Override
    public void heal(Fault.OfStore fault) {}
}
