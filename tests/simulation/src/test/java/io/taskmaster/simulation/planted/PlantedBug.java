package io.taskmaster.simulation.planted;

/**
 * A bug that is planted in the server on purpose, as a change of one place in its sources, to test whether the
 * simulation finds it. If the place does not exist any more, or exists twice, the test of the bug fails: then the bug
 * has to follow the code.
 */
enum PlantedBug {
    // ---------------------------------------------------------------- log, fence, recovery
    /** A new owner reads the log of the old one to its end, but does not fence it. */
    A_FENCE_IS_SKIPPED("partition/log/EpochReplay", """
            written.add(calls.retry(() -> store.putIfAbsent(fenceKey.cell(), LogRowCodec.fence(fenceKey, fencer)), 1)
                    .handle(StoreCalls::isDone));
            """, """
            written.add(CompletableFuture.completedFuture(fenceKey.equals(next)));
            """),
    /** A reply does not wait until the log is durable. */
    A_REPLY_COMES_BEFORE_THE_LOG(
            "partition/commit/Replies", "if (ticket <= committed && waiting.isEmpty()) {", "if (waiting.isEmpty()) {"),
    /** A log row counts as committed although an earlier one is still in flight. */
    ROWS_ARE_COMMITTED_OUT_OF_ORDER("partition/log/LogWriter", """
            while (first != null && first.durable) {
            """, """
            while (first != null && (first.durable || row.durable && first.key.sequence() <= row.key.sequence())) {
            """),
    /** A checkpoint releases one row of the log more than it has passed. */
    THE_LOG_IS_TRIMMED_TOO_FAR(
            "partition/log/LogTrimmer",
            "ranges.add(from.until(checkpoint));",
            "ranges.add(from.until(checkpoint.next()));"),
    /** A new owner does not recover the stored request ids. */
    REQUEST_IDS_ARE_NOT_RECOVERED(
            "partition/Recovery",
            "cell -> state.requests().restore(QueueRecordCodec.decodeRequests(cell.value()))))",
            "cell -> QueueRecordCodec.decodeRequests(cell.value())))"),
    /** A new owner does not recover the queues that are paused or capped. */
    OPTIONS_ARE_NOT_RECOVERED(
            "partition/Recovery",
            "state.restorer().restore(RowKeys.queueOf(cell.key().row()), QueueRecordCodec.decodeOptions(cell.value()));",
            "QueueRecordCodec.decodeOptions(cell.value());"),
    /** A stored task is read without its lease. */
    A_STORED_LEASE_IS_FORGOTTEN("partition/read/StoredRows", "known.grant(),", "null,"),
    /** An operation of unknown outcome is reported as refused when the log ends. */
    AN_UNKNOWN_OUTCOME_IS_CALLED_REFUSED(
            "partition/commit/Replies",
            "? new TaskMasterException(ErrorCode.OUTCOME_UNKNOWN, reason)",
            "? new TaskMasterException(ErrorCode.READ_FAILED, reason)"),

    // ---------------------------------------------------------------- flush rounds
    /** The checkpoint moves although rows of its round have not landed. */
    A_CHECKPOINT_DOES_NOT_WAIT_FOR_ITS_ROWS("partition/flush/FlushRounds", """
                retry(
                        () -> staged ? stored.store().stage(piece) : stored.store().write(piece), this::written);
            """, """
                var _ = staged ? stored.store().stage(piece) : stored.store().write(piece);
                onLoop(this::written);
            """),
    /**
     * A partition keeps the store instead of a session: a sync of the next handle counts for rows that were staged
     * through a broken one, and lost.
     */
    A_SYNC_OF_ANOTHER_HANDLE_IS_BELIEVED(
            "partition/PartitionNode",
            "new Partition(id, owner, store.session(), loop, settings, nodeResources, random);",
            "new Partition(id, owner, store, loop, settings, nodeResources, random);"),
    /** Rows are written before the log has their contents. */
    ROWS_ARE_WRITTEN_BEFORE_THE_LOG(
            "partition/flush/FlushRounds",
            "if (round != null && !round.writing && log.committedTicket() >= round.round.ticket()) {",
            "if (round != null && !round.writing) {"),
    /** The record of a queue is written once, and the checkpoint forgets later changes. */
    A_CHECKPOINT_FORGETS_A_CHANGE(
            "engine/state/DirtyState", "records.add(queue);", "if (!queue.recordStored) { records.add(queue); }"),
    /** A delayed task that moves to its place leaves its row among the delayed ones. */
    A_MOVED_TASK_IS_LEFT_BEHIND("partition/flush/RoundRows", """
            delete(piece, task, false);
            delete(piece, task, true);
            """, """
            delete(piece, task, false);
            """),
    /** Only the log remembers an update with a request id. */
    REQUEST_IDS_ARE_NOT_STORED("partition/flush/RoundRows", "} else if (requests.hasNext()) {", """
            } else if (requests.hasNext() && requests.next() != null) {
                continue;
            } else if (requests.hasNext()) {
            """),

    // ---------------------------------------------------------------- windows and reads
    /** A scan that began before a task was dequeued restores the task. */
    A_STALE_SCAN_RESURRECTS("engine/state/ReadResults", """
            if (task == null) {
                task = new Task(queue, row.pid());
                task.present = true;
            """, """
            if (task == null || !task.present) {
                task = new Task(queue, row.pid());
                task.present = true;
            """),
    /** The tombstone of a task is evicted while an older scan is in flight. */
    A_TOMBSTONE_IS_DROPPED_DURING_A_REFILL(
            "engine/state/Residency",
            "if (task.cleanSinceRead >= oldestRead) {",
            "if (task.present && task.cleanSinceRead >= oldestRead) {"),
    /** A scan that began before its queue was deleted fills the window of the new generation. */
    A_DELETED_GENERATION_COMES_BACK("engine/state/ReadResults", """
            if (queue.generation != generation
                    || window.isComplete()
                    || !window.scanFrom().equals(from)) {
            """, """
            if (window.isComplete() && queue.generation == generation) {
            """),
    /** A lease takes tasks in memory although stored ones precede them. */
    A_LEASE_PASSES_OVER_STORED_TASKS(
            "engine/state/QueueState",
            "entry != null && (window.covers(entry.getKey()) || ready.size() == leasable()) ? entry.getValue() : null",
            "entry != null ? entry.getValue() : null"),
    /** A task enqueued in front of all stored ones does not lower the low-water mark at which scans begin. */
    THE_LOW_WATER_MARK_STAYS("engine/state/Window", "if (pid.compareTo(lowWater) < 0) {", "if (pid.isEmpty()) {"),

    // ---------------------------------------------------------------- leases and time
    /** While the wall clock is behind, no lease and no delay expires. */
    TIME_STANDS_STILL_WHILE_THE_CLOCK_IS_BEHIND(
            "partition/loop/EngineClock",
            "long micros = jumps ? wallMicros : unslewed - correction(ahead, elapsedMicros);",
            "long micros = jumps || wallMicros < last.micros ? Math.max(wallMicros, last.micros)"
                    + " : unslewed - correction(ahead, elapsedMicros);"),
    /** A wall clock that is set ahead expires leases that have just begun. */
    TIME_JUMPS_WITH_THE_CLOCK(
            "partition/loop/EngineClock", "boolean jumps = -ahead > MAX_SLEW_MICROS;", "boolean jumps = ahead < 0;"),
    /** The next lease of a task whose lease expired gets the same lease id. */
    A_LEASE_ID_IS_USED_AGAIN(
            "engine/decide/LeaseDecision",
            "new Grant( ticket, nowMillis,",
            "new Grant( task.grant() == null ? ticket : task.grant().leaseId(), nowMillis,"),
    /** A dequeue or a release is accepted with the id of an earlier lease. */
    AN_OLD_LEASE_ID_IS_ACCEPTED(
            "engine/decide/UpdateDecision",
            "(grant != null && grant.leaseId() == leaseId)",
            "(grant != null && grant.leaseId() >= leaseId)"),
    /** A renewal is accepted from a worker that does not hold the lease. */
    A_STRANGER_RENEWS(
            "engine/decide/UpdateDecision",
            "} else if (grant == null || grant.leaseId() != renew.leaseId()) {",
            "} else if (grant == null) {"),
    /** Leases and delays expire a little too early. */
    TIME_RUNS_AHEAD(
            "engine/state/TimeIndex",
            "!isBefore(queue.timed.first(), horizon(nowMillis))",
            "!isBefore(queue.timed.first(), horizon(nowMillis + 40))"),
    /** The time index does not remember an evicted delayed task. */
    AN_EVICTED_DELAY_IS_FORGOTTEN(
            "engine/state/TimeIndex", "if (isKnown(hint)) {", "if (isKnown(hint) && task.isLeased()) {"),
    /** A delayed task that was dequeued while it was due is moved to its place all the same. */
    A_TASK_IS_ACTIVATED_TWICE("engine/state/PartitionState", """
            task.counted = false;
            due.remove(task);
            """, """
            task.counted = false;
            """),
    /** The cap of a queue does not count the leases that run. */
    A_CAP_COUNTS_NOTHING("engine/state/QueueState", "Long.MAX_VALUE : limit - leasedNow()", "Long.MAX_VALUE : limit"),

    /** A paused queue grants a lease as long as none of its leases runs. */
    A_PAUSED_QUEUE_LEASES_ONE("engine/state/QueueState", """
            if (options.paused()) {
                return 0;
            """, """
            if (options.paused() && leased > 0) {
                return 0;
            """),

    // ---------------------------------------------------------------- updates
    /** The valid elements of a refused update are applied. */
    A_REFUSED_UPDATE_IS_HALF_DONE("engine/decide/UpdateDecision", """
            abort(releases);
            draft = new Draft(state, update.group(), ticket);
            validateRenewals(draft);
            """, """
            abort(releases);
            """),
    /** The rerun that is remembered beside a leased task is forgotten when the task is released. */
    A_RERUN_IS_LOST_AT_RELEASE("engine/decide/DraftTask", """
            grant = null;
            if (notBefore == 0) {
            """, """
            grant = null;
            remembers = false;
            if (notBefore == 0) {
            """),
    /** Two enqueues of one update get the same PID. */
    TWO_ENQUEUES_GET_ONE_PID(
            "engine/decide/Draft", "maxFifo = maxFifo.next(ticket, index);", "maxFifo = new FifoPid(ticket, 0);"),
    /** The dedup window of an update has no length. */
    A_REPEATED_REQUEST_IS_DONE_AGAIN(
            "engine/dedup/DedupWindow", "minute.find(key, nowMillis - windowMillis)", "minute.find(key, nowMillis)"),
    /** New data of an existing task does not reset its attempts. */
    ATTEMPTS_SURVIVE_NEW_DATA("engine/state/Task", "become(put.data(), 0, null)", "become(put.data(), attempt, null)"),
    // ---------------------------------------------------------------- the service over all partitions
    /** A lease over all groups loses the tasks of all partitions but the first that granted any. */
    A_LEASE_OVER_ALL_GROUPS_LOSES_TASKS(
            "rpc/scatter/AllGroupsLease",
            "tasks.addAll(((Reply.Leased) reply).tasks());",
            "if (tasks.isEmpty()) { tasks.addAll(((Reply.Leased) reply).tasks()); }"),
    /** A lease over all groups calls all partitions but one. */
    A_LEASE_OVER_ALL_GROUPS_PASSES_OVER_A_PARTITION(
            "rpc/scatter/AllGroupsLease", "queried < router.partitions()", "queried < router.partitions() - 1"),
    /** A lease over all groups takes as many tasks from each partition as it may take from all together. */
    A_LEASE_TAKES_MORE_THAN_IT_MAY(
            "rpc/scatter/AllGroupsLease", "partition, with(missing,", "partition, with(lease.maxTasks(),"),
    /** A description of all groups leaves out the first partition. */
    A_DESCRIPTION_FORGETS_A_PARTITION(
            "rpc/scatter/FanOut",
            "if (reply != null) {",
            "if (reply != null && (i > 0 || replies.length() == 1 || type != Reply.Described.class)) {"),
    /** A deletion that was applied in one partition and failed in another is reported as refused. */
    A_HALF_DONE_DELETION_IS_CALLED_REFUSED(
            "rpc/scatter/FanOut",
            "type == Reply.Deleted.class && !all.isEmpty()",
            "type == Reply.Deleted.class && all.size() == replies.length()"),
    /** Pages are cut before the queues of all partitions are in order. */
    A_PAGE_PASSES_OVER_QUEUES("rpc/scatter/ReplyMerger", """
            queues.sort(BY_QUEUE);
            Optional<QueueKey> known
            """, """
            Optional<QueueKey> known
            """),
    /** The results of a batch are in the order in which its operations completed. */
    A_BATCH_ANSWERS_OUT_OF_ORDER(
            "rpc/scatter/BatchCall",
            "results.set(index, result);",
            "results.set(results.length() - missing.get(), result);"),
    /** A request that is refused for the bytes in flight counts as in flight for ever. */
    A_REFUSED_REQUEST_STAYS_IN_FLIGHT("rpc/call/InFlightLimiter", """
            release(held, size);
            throw refusal;
            """, "throw refusal;"),
    /** A reply states a longer lease than was granted. */
    A_LEASE_IS_TOLD_TO_LAST_LONGER(
            "rpc/mapping/ReplyMapper",
            ".setLeaseExpires(timestamp(task.expiresMillis()))",
            ".setLeaseExpires(timestamp(task.expiresMillis() + 3_000))"),
    /** The not-before time of an enqueue is not passed on. */
    A_DELAY_IS_NOT_PASSED_ON("rpc/mapping/UpdateMapper", """
            element.hasNotBefore() ? Fields.timeMillis(element.getNotBefore(), "enqueue[#].not_before", index) : 0);
            """, "0);");

    /** The observer that can notice a bug in runs of whole nodes. */
    enum Seen {
        /** The oracle alone finds it, since clients receive impossible replies. */
        BY_CLIENTS,
        /** Clients cannot notice it, or not in any of those runs; the checks of partitions and nodes find it. */
        INSIDE,
        /** It does not show within the runs of a build, but in those of one partition. */
        IN_ONE_PARTITION
    }

    private static final String SERVER = "io/taskmaster/server/";
    private static final String PROXY = "io/taskmaster/proxy/";
    private static final String PORT = "rpc/";

    private final String file;
    private final String was;
    private final String becomes;

    /**
     * Describes a change of a source.
     *
     * @param file the class, below the package of the server; of the port, below that of the proxy
     * @param was the code to replace, which occurs once
     * @param becomes the code that replaces it
     */
    PlantedBug(String file, String was, String becomes) {
        this.file = (file.startsWith(PORT) ? PROXY : SERVER) + file;
        this.was = was;
        this.becomes = becomes;
    }

    /** Returns whether runs of one partition execute the changed class. */
    boolean isInThePartition() {
        return file.startsWith(SERVER) && !isOfTheNode();
    }

    /** Returns whether only runs of whole nodes show it: only they set clocks and use sessions of the store. */
    private boolean isOfTheNode() {
        return file.equals(SERVER + "partition/loop/EngineClock") || file.equals(SERVER + "partition/PartitionNode");
    }

    /** Returns the observer that notices it in runs of whole nodes. */
    Seen seen() {
        return switch (this) {
            // A server that refuses everything for ever breaks no promise to a client, but it does not come to rest
            // without anything in flight.
            case A_REFUSED_REQUEST_STAYS_IN_FLIGHT -> Seen.INSIDE;
            default -> Seen.BY_CLIENTS;
        };
    }

    /** The changed class, as a path without suffix. */
    String file() {
        return file;
    }

    /**
     * Returns the source with the bug in it.
     *
     * @throws IllegalStateException if the bug does not fit the source any more
     */
    String plantedIn(String source) {
        String flat = flatten(source);
        String place = flatten(was);
        int at = flat.indexOf(place);
        if (at < 0 || flat.indexOf(place, at + 1) >= 0) {
            throw new IllegalStateException(this + ": its place is " + (at < 0 ? "not" : "more than once") + " in "
                    + file + " (expected: once; has the code changed?)");
        }
        return flat.substring(0, at) + flatten(becomes) + flat.substring(at + place.length());
    }

    /** Removes line breaks, indentation and line comments, which the formatter may change. */
    private static String flatten(String source) {
        return source.strip().replaceAll("//[^\n]*", "").replaceAll("\\s+", " ");
    }
}
