package io.taskmaster.harness.fault;

import io.taskmaster.harness.process.ServerProcess;

/** A target for faults of a server. Thread-safe. */
final class ServerFaults implements FaultTarget<Fault.OfServer> {

    private final ServerProcess server;

    ServerFaults(ServerProcess server) {
        this.server = server;
    }

    @Override
    public void strike(Fault.OfServer fault) throws InterruptedException {
        if (!server.isAlive()) {
            throw new IllegalStateException("the server ended by itself: " + server.lastOutput());
        }
        switch (fault) {
            case Fault.Kill _ -> server.kill();
            case Fault.Stop _ -> server.pause();
            case Fault.Restart _ -> server.terminate();
        }
    }

    @Override
    public void heal(Fault.OfServer fault) {
        switch (fault) {
            case Fault.Kill _, Fault.Restart _ -> server.start();
            case Fault.Stop _ -> server.resume();
        }
    }

    @Override
    public void awaitRecovery(Fault.OfServer fault) throws InterruptedException {
        switch (fault) {
            case Fault.Kill _, Fault.Restart _ -> server.awaitServing();
            case Fault.Stop _ -> {}
        }
    }
}
