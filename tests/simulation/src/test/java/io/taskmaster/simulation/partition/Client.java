package io.taskmaster.simulation.partition;

import io.taskmaster.command.Command;
import io.taskmaster.server.engine.naive.RandomCommands;
import io.taskmaster.simulation.judge.Call;
import io.taskmaster.simulation.world.World;
import java.util.List;

/**
 * A client that sends one command after the other to any owner that is up, and cancels those that are not answered in
 * time. Single-threaded: owned by the simulation.
 */
final class Client {

    private final World world;
    private final RandomCommands commands;
    private final Deployment deployment;

    Client(World world, RandomCommands commands, Deployment deployment) {
        this.world = world;
        this.commands = commands;
        this.deployment = deployment;
    }

    void scheduleCall() {
        boolean rests = world.chance(.03);
        world.in(rests ? world.logUniform(20_000, 600_000) : world.logUniform(50, 8_000), this::ask);
    }

    private void ask() {
        if (deployment.isOver()) {
            return;
        }
        List<Deployment.Member> up = deployment.membersThatAnswer();
        if (up.isEmpty()) {
            scheduleCall();
            return;
        }
        Command command = commands.next();
        boolean[] ended = {false};
        Call call = deployment.ask(world.oneOf(up), command, answered -> {
            answered.reply().ifPresent(commands::observe);
            if (!ended[0]) {
                ended[0] = true;
                scheduleCall();
            }
        });
        world.in(world.logUniform(5_000, 500_000), () -> {
            if (!ended[0]) {
                ended[0] = true;
                call.cancel();
                scheduleCall();
            }
        });
    }
}
