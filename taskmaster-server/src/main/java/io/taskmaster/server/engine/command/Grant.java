package io.taskmaster.server.engine.command;

/**
 * A lease as it was granted. Immutable.
 *
 * @param leaseId the ticket of the atom that granted it: the fencing token, larger for every later lease of the same
 *     task
 * @param leasedMillis the time of the grant
 * @param expiresMillis the time of its expiry; a renewal changes this and nothing else
 * @param worker the name that the worker gave itself
 * @param address where its request came from
 */
public record Grant(long leaseId, long leasedMillis, long expiresMillis, String worker, String address) {

    public Grant renewed(long newExpiresMillis) {
        return new Grant(leaseId, leasedMillis, newExpiresMillis, worker, address);
    }

    public boolean expiredAt(long nowMillis) {
        return expiresMillis <= nowMillis;
    }
}
