package io.taskmaster.simulation.planted;

/**
 * A bug that is put into the server on purpose, as a change of one place of its sources, to see whether the simulation finds it. A
 * change whose place is not there any more, or is there twice, fails its test: then it has to follow the code.
 */
enum PlantedBug {
    // ---------------------------------------------------------------- log, fence, recovery
    /** A new owner reads the log of the old one to its end, and does not fence it. */
    A_FENCE_IS_SKIPPED("partition/log/EpochReplay", """
            landed.add(calls.insist(() -> store.putIfAbsent(at.cell(), LogRowCodec.fence(at, fencer)), 1)
                    .handle(StoreCalls::isDone));
            """, """
            landed.add(CompletableFuture.completedFuture(at.equals(next)));
            """),
    /** A reply does not wait until the log is durable. */
    A_REPLY_COMES_BEFORE_THE_LOG(
            "partition/Replies", "if (ticket <= committed && waiting.isEmpty()) {", "if (waiting.isEmpty()) {"),
    /** A row counts as committed though one before it is still on its way. */
    ROWS_ARE_COMMITTED_OUT_OF_ORDER("partition/log/LogWriter", """
            while (first != null && first.durable) {
            """, """
            while (first != null && (first.durable || landed.durable && first.key.sequence() <= landed.key.sequence())) {
            """),
    /** A checkpoint lets one row of the log more go than it has passed. */
    THE_LOG_IS_TRIMMED_TOO_FAR(
            "partition/log/LogTrimmer",
            "ranges.add(from.until(checkpoint));",
            "ranges.add(from.until(checkpoint.next()));"),
    /** The new owner does not learn which request ids were stored. */
    REQUEST_IDS_ARE_NOT_RECOVERED(
            "partition/Opening",
            "cell -> state.requests().restore(QueueRecordCodec.decodeRequests(cell.value()))))",
            "cell -> QueueRecordCodec.decodeRequests(cell.value())))"),
    /** The new owner does not learn which queues are paused or capped. */
    OPTIONS_ARE_NOT_RECOVERED(
            "partition/Opening",
            "state.restore(RowKeys.queueOf(cell.key().row()), QueueRecordCodec.decodeOptions(cell.value()));",
            "QueueRecordCodec.decodeOptions(cell.value());"),
    /** A stored task is read without its lease. */
    A_STORED_LEASE_IS_FORGOTTEN("partition/StoredRows", "known.grant(),", "null,"),
    /** What may have been done is called refused when the log ends. */
    AN_UNKNOWN_OUTCOME_IS_CALLED_REFUSED(
            "partition/Replies",
            "? new TaskMasterException(ErrorCode.OUTCOME_UNKNOWN, reason)",
            "? new TaskMasterException(ErrorCode.READ_FAILED, reason)"),

    // ---------------------------------------------------------------- flush rounds
    /** The checkpoint moves although rows of its round have not landed. */
    A_CHECKPOINT_DOES_NOT_WAIT_FOR_ITS_ROWS("partition/FlushRounds", """
                insist(() -> staged ? store.stage(piece) : store.write(piece), this::written);
            """, """
                var _ = staged ? store.stage(piece) : store.write(piece);
                later(this::written);
            """),
    /** A partition keeps the store instead of a session: a sync of the next handle counts for rows that were staged through a broken one, and lost. */
    A_SYNC_OF_ANOTHER_HANDLE_IS_BELIEVED(
            "partition/PartitionNode",
            "return new Partition(id, claim.owner(), store.session(), loopOf(id), settings, commons, random);",
            "return new Partition(id, claim.owner(), store, loopOf(id), settings, commons, random);"),
    /** Rows are written before the log says what is in them. */
    ROWS_ARE_WRITTEN_BEFORE_THE_LOG(
            "partition/FlushRounds",
            "if (round != null && !round.writing && log.committedTicket() >= round.round.ticket()) {",
            "if (round != null && !round.writing) {"),
    /** A queue's record is written once, and what changes later is forgotten by the checkpoint. */
    A_CHECKPOINT_FORGETS_A_CHANGE(
            "engine/DirtyState", "records.add(queue);", "if (!queue.recordStored) { records.add(queue); }"),
    /** A task that moves to its place leaves its row among the delayed ones. */
    A_MOVED_TASK_IS_LEFT_BEHIND("partition/RoundRows", """
            delete(piece, task, false);
            delete(piece, task, true);
            """, """
            delete(piece, task, false);
            """),
    /** An update with a request id is remembered by the log only. */
    REQUEST_IDS_ARE_NOT_STORED("partition/RoundRows", "} else if (requests.hasNext()) {", """
            } else if (requests.hasNext() && requests.next() != null) {
                continue;
            } else if (requests.hasNext()) {
            """),

    // ---------------------------------------------------------------- windows and reads
    /** A scan that began before a task was dequeued brings it back. */
    A_STALE_SCAN_RESURRECTS("engine/PartitionState", """
            if (task == null) {
                task = new Task(queue, row.pid());
                task.present = true;
            """, """
            if (task == null || !task.present) {
                task = new Task(queue, row.pid());
                task.present = true;
            """),
    /** What says that a task is gone is let go of while an older scan is under way. */
    A_TOMBSTONE_IS_DROPPED_DURING_A_REFILL(
            "engine/Residency",
            "if (task.cleanSinceRead >= oldestRead) {",
            "if (task.present && task.cleanSinceRead >= oldestRead) {"),
    /** A scan that began before its queue was deleted fills the window of the new generation. */
    A_DELETED_GENERATION_COMES_BACK("engine/PartitionState", """
            if (queue.generation != generation
                    || window.isComplete()
                    || !window.scanFrom().equals(from)) {
            """, """
            if (window.isComplete() && queue.generation == generation) {
            """),
    /** A lease takes what is in memory, whatever is stored in front of it. */
    A_LEASE_PASSES_OVER_STORED_TASKS(
            "engine/QueueState",
            "entry != null && (window.covers(entry.getKey()) || ready.size() == leasable()) ? entry.getValue() : null",
            "entry != null ? entry.getValue() : null"),
    /** A task enqueued in front of all stored ones does not lower the mark from which on scans read. */
    THE_LOW_WATER_MARK_STAYS("engine/Window", "if (pid.compareTo(lowWater) < 0) {", "if (pid.isEmpty()) {"),

    // ---------------------------------------------------------------- leases and time
    /** While the wall clock is behind, no lease ends and no delay is over. */
    TIME_STANDS_STILL_WHILE_THE_CLOCK_IS_BEHIND(
            "partition/EngineClock",
            "long micros = jumps ? wallMicros : straight - correction(ahead, passed);",
            "long micros = jumps || wallMicros < last.micros ? Math.max(wallMicros, last.micros)"
                    + " : straight - correction(ahead, passed);"),
    /** A wall clock that is set ahead ends leases that have just begun. */
    TIME_JUMPS_WITH_THE_CLOCK(
            "partition/EngineClock", "boolean jumps = -ahead > FOLLOWED_MICROS;", "boolean jumps = ahead < 0;"),
    /** Who takes over an expired lease gets the same lease id. */
    A_LEASE_ID_IS_USED_AGAIN(
            "engine/LeaseDecision",
            "new Grant( ticket, nowMillis,",
            "new Grant( task.grant == null ? ticket : task.grant.leaseId(), nowMillis,"),
    /** A dequeue or a release is accepted with the id of an earlier lease. */
    AN_OLD_LEASE_ID_IS_ACCEPTED(
            "engine/UpdateDecision",
            "(grant != null && grant.leaseId() == leaseId)",
            "(grant != null && grant.leaseId() >= leaseId)"),
    /** A renewal is accepted whoever holds the lease. */
    A_STRANGER_RENEWS(
            "engine/UpdateDecision",
            "} else if (grant == null || grant.leaseId() != renew.leaseId()) {",
            "} else if (grant == null) {"),
    /** Leases and delays are over a little too early. */
    TIME_RUNS_AHEAD(
            "engine/TimeIndex",
            "if (queue == null || queue.nextFiresMillis > horizon(nowMillis) || queue.timed == null) {",
            "if (queue == null || queue.nextFiresMillis > horizon(nowMillis) + 40 || queue.timed == null) {"),
    /** A delayed task that is given up is not remembered by its instant. */
    AN_EVICTED_DELAY_IS_FORGOTTEN(
            "engine/TimeIndex", "if (isKnown(hint)) {", "if (isKnown(hint) && task.isLeased()) {"),
    /** A delayed task that was dequeued while it was due is moved to its place all the same. */
    A_TASK_IS_ACTIVATED_TWICE("engine/PartitionState", """
            task.counted = false;
            due.remove(task);
            """, """
            task.counted = false;
            """),
    /** The cap of a queue does not count the leases that run. */
    A_CAP_COUNTS_NOTHING("engine/QueueState", "Long.MAX_VALUE : limit - leasedNow()", "Long.MAX_VALUE : limit"),

    /** A paused queue leases as long as none of its leases runs. */
    A_PAUSED_QUEUE_LEASES_ONE("engine/QueueState", """
            if (options.paused()) {
                return 0;
            """, """
            if (options.paused() && leased > 0) {
                return 0;
            """),

    // ---------------------------------------------------------------- updates
    /** Of a refused update, what would have been OK is done. */
    A_REFUSED_UPDATE_IS_HALF_DONE("engine/UpdateDecision", """
            abort(releases);
            draft = new Draft(state, update.group(), ticket);
            judgeRenewals(draft);
            """, """
            abort(releases);
            """),
    /** What is remembered beside a leased task is forgotten when it is released. */
    A_RERUN_IS_LOST_AT_RELEASE("engine/DraftTask", """
            grant = null;
            if (notBefore == 0) {
            """, """
            grant = null;
            remembers = false;
            if (notBefore == 0) {
            """),
    /** Two enqueues of one update get the same PID. */
    TWO_ENQUEUES_GET_ONE_PID(
            "engine/Draft", "maxFifo = maxFifo.next(ticket, index);", "maxFifo = new FifoPid(ticket, 0);"),
    /** An update is remembered for no time at all. */
    A_REPEATED_REQUEST_IS_DONE_AGAIN(
            "engine/dedup/DedupWindow", "minute.find(key, nowMillis - windowMillis)", "minute.find(key, nowMillis)"),
    /** New data of a task that was there do not reset its attempts. */
    ATTEMPTS_SURVIVE_NEW_DATA("engine/Task", "become(put.data(), 0, null)", "become(put.data(), attempt, null)"),
    // ---------------------------------------------------------------- the service over all partitions
    /** Of the tasks that a lease over all groups was given, those of later partitions are not told. */
    A_LEASE_OVER_ALL_GROUPS_LOSES_TASKS(
            "rpc/AllGroupsLease",
            "tasks.addAll(((Reply.Leased) reply).tasks());",
            "if (tasks.isEmpty()) { tasks.addAll(((Reply.Leased) reply).tasks()); }"),
    /** A lease over all groups goes round all partitions but one. */
    A_LEASE_OVER_ALL_GROUPS_PASSES_OVER_A_PARTITION(
            "rpc/AllGroupsLease", "asked < node.partitions()", "asked < node.partitions() - 1"),
    /** A lease over all groups takes as many of each partition as it may take of all. */
    A_LEASE_TAKES_MORE_THAN_IT_MAY(
            "rpc/AllGroupsLease", "partition, with(missing,", "partition, with(lease.maxTasks(),"),
    /** A description of all groups says nothing of the first partition. */
    A_DESCRIPTION_FORGETS_A_PARTITION(
            "rpc/FanOut",
            "if (reply != null) {",
            "if (reply != null && (i > 0 || replies.length() == 1 || type != Reply.Described.class)) {"),
    /** A deletion of which one partition did its part, and another nothing, is called refused. */
    A_HALF_DONE_DELETION_IS_CALLED_REFUSED(
            "rpc/FanOut",
            "type == Reply.Deleted.class && !all.isEmpty()",
            "type == Reply.Deleted.class && all.size() == replies.length()"),
    /** Pages are cut before the queues of all partitions are in order. */
    A_PAGE_PASSES_OVER_QUEUES("rpc/Merge", """
            queues.sort(BY_QUEUE);
            Optional<QueueKey> known
            """, """
            Optional<QueueKey> known
            """),
    /** The results of a batch come in the order in which its operations were done. */
    A_BATCH_ANSWERS_OUT_OF_ORDER(
            "rpc/BatchCall", "results.set(index, result);", "results.set(results.length() - missing.get(), result);"),
    /** A request that is refused for the bytes in flight counts as in flight for good. */
    A_REFUSED_REQUEST_STAYS_IN_FLIGHT("rpc/Admission", """
            leave(held, size);
            throw refusal;
            """, "throw refusal;"),
    /** A reply says that a lease lasts longer than it does. */
    A_LEASE_IS_TOLD_TO_LAST_LONGER(
            "rpc/ReplyMapper",
            ".setLeaseExpires(timestamp(task.expiresMillis()))",
            ".setLeaseExpires(timestamp(task.expiresMillis() + 3_000))"),
    /** The instant before which a task is not to be leased is not passed on. */
    A_DELAY_IS_NOT_PASSED_ON("rpc/UpdateMapper", """
            element.hasNotBefore() ? Fields.timeMillis(element.getNotBefore(), "enqueue[#].not_before", index) : 0);
            """, "0);");

    /** Who can see a bug in worlds of whole nodes. */
    enum Seen {
        /** Clients are told what cannot be: the oracle alone finds it. */
        BY_CLIENTS,
        /** No client can tell, or none of those worlds brings him so far; those who look at partitions and nodes find it. */
        INSIDE,
        /** It does not show there, within the worlds of a build, but in those of one partition. */
        IN_ONE_PARTITION
    }

    private static final String SERVER = "io/taskmaster/server/";

    private final String file;
    private final String was;
    private final String becomes;

    /**
     * @param file the class, below the server's package
     * @param was what is there, once
     * @param becomes what takes its place
     */
    PlantedBug(String file, String was, String becomes) {
        this.file = SERVER + file;
        this.was = was;
        this.becomes = becomes;
    }

    /** Whether worlds of one partition have what it is in. */
    boolean isInThePartition() {
        return !file.startsWith(SERVER + "rpc/") && !isOfTheNode();
    }

    /** Only clocks of whole nodes are set, and only they get sessions of the store. */
    private boolean isOfTheNode() {
        return file.equals(SERVER + "partition/EngineClock") || file.equals(SERVER + "partition/PartitionNode");
    }

    /** Who sees it in worlds of whole nodes. */
    Seen seen() {
        return switch (this) {
            // A server that refuses everything for good breaks no promise to anybody; that it comes to rest empty does.
            case A_REFUSED_REQUEST_STAYS_IN_FLIGHT -> Seen.INSIDE;
            default -> Seen.BY_CLIENTS;
        };
    }

    /** The class with the bug, as a path without its suffix. */
    String file() {
        return file;
    }

    /**
     * The source with the bug in it.
     *
     * @throws IllegalStateException if it does not fit the source any more
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

    /** How lines are indented and broken is the formatter's business. */
    private static String flatten(String source) {
        return source.strip().replaceAll("//[^\n]*", "").replaceAll("\\s+", " ");
    }
}
