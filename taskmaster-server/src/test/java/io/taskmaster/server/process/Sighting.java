package io.taskmaster.server.process;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The place where a full scan found a token. Immutable. */
record Sighting(Token token, int stage, PeekedTask task) {

    private static final int PAGE = 500;

    QueueKey queue() {
        return new QueueKey(token.group, Token.STAGES.get(stage));
    }

    /**
     * Pages through every task of the queues of these groups. Checks that no token is in two places, none has come
     * back, and none has changed its data.
     */
    static Map<Token, Sighting> everywhere(BlockingClient client, Iterable<GroupName> groups, TokenLedger tokens) {
        Map<Token, Sighting> found = new HashMap<>();
        for (GroupName group : groups) {
            for (int stage = 0; stage < Token.STAGES.size(); stage++) {
                QueueKey queue = new QueueKey(group, Token.STAGES.get(stage));
                Optional<Pid> from = Optional.of(Pid.EMPTY);
                while (from.isPresent()) {
                    PeekResult page = client.peek(PeekRequest.of(queue)
                            .from(from.get())
                            .maxTasks(PAGE)
                            .withData(true));
                    for (PeekedTask task : page.tasks()) {
                        Token token = tokens.of(task.data());
                        Sighting before = found.put(token, new Sighting(token, stage, task));
                        if (before != null || !token.group.equals(group)) {
                            throw new AssertionError(token + "\nis in " + queue + " and in " + before);
                        }
                    }
                    from = page.next();
                }
            }
        }
        return found;
    }
}
