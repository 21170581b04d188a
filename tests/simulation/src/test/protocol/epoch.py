"""One epoch of one owner: takeover, serving, flush rounds, and the end."""

from rules import BACK, COLLAPSED, LOST, SIZE, TWICE
from store import UNKNOWN, Record, Stamp

KEYS = "KL"
"""Two tasks are enough: they come, go and come again."""
COUNT = "size"
"""The row of the queue's size."""
MAX_UNCLEAN = 2
"""The number of listed unclean ends from which on a takeover scrubs."""
EVERYTHING = 10**9


class Violation(Exception):
    """A broken promise: what kind, and how."""

    def __init__(self, kind: str, how: str):
        super().__init__(how)
        self.kind = kind


class Promises:
    """What clients were told."""

    def __init__(self):
        self.tasks = 0
        self.enqueued: set[int] = set()
        """Acknowledged enqueues."""
        self.dequeued: set[int] = set()
        """Acknowledged dequeues."""
        self.dequeues_tried: set[int] = set()

    def acknowledge(self, kind: str, task: int) -> None:
        if kind == "dequeue" and task in self.dequeued:
            raise Violation(TWICE, f"the dequeue of task {task} was acknowledged twice")
        (self.enqueued if kind == "enqueue" else self.dequeued).add(task)

    def check(self, tasks: set[int], size: int) -> None:
        """Compares the final state with the promises."""
        for task in self.enqueued - self.dequeues_tried - tasks:
            raise Violation(LOST, f"the enqueue of task {task} was acknowledged, and no dequeue was tried")
        for task in self.dequeued & tasks:
            raise Violation(BACK, f"the dequeue of task {task} was acknowledged, and the task is there")
        if len(tasks) != size:
            raise Violation(SIZE, f"there are {len(tasks)} tasks, and the size says {size}")


class Epoch:
    """
    An attempt to take the partition over, and what follows.

        opening --recovered--> serving --told to close--> closing --record closed--> ended
           \\_______________________\\________________________\\__________any failure--> ended

    Why it ended is one of: refused (the record's map is newer), outrun (the record changed before it was taken over), deposed, unknown,
    closed, crash.
    """

    def __init__(self, world, incarnation, map_version: int):
        self.world, self.rules, self.incarnation, self.map_version = world, world.rules, incarnation, map_version
        self.owner: str = incarnation.name
        self.ended_by = ""
        self.serving = self.closing = False
        # What is known of the keys: the task of each, which are not in the rows yet, and which may be there.
        self.tasks: dict[str, object] = {}
        self.dirty: set[str] = set()
        self.in_rows: dict[str, bool | None] = {}
        self.size, self.size_at, self.size_dirty = 0, (-1, 0), False
        self.record = Record()
        self.swept = False
        # The log of this epoch.
        self.sequence = self.committed = 0
        self.appended: set[int] = set()
        self.replies: dict[int, tuple] = {}
        # The flush round: its cut, until the log is durable up to there; then its writes.
        self.cut: tuple | None = None
        self.flushing = False
        self.closed_sent = False
        self.recovery = self.recover()
        self.advance(None)

    # ------------------------------------------------------------------ plumbing

    def submit(self, name, effect, on_reply) -> None:
        self.world.submit(self, name, effect, on_reply)

    def advance(self, result) -> None:
        """Goes on with the recovery, which yields its calls one by one."""
        try:
            name, effect = self.recovery.send(result)
        except StopIteration:
            return
        self.submit(name, effect, self.advance)

    def end(self, reason: str) -> None:
        if not self.ended_by:
            self.ended_by = reason
            self.serving = False
            self.world.say(f"{self.owner}: epoch {self.record.epoch} ended ({reason})")
            self.incarnation.on_end(self)

    def is_over(self) -> bool:
        return bool(self.ended_by)

    # ------------------------------------------------------------------ takeover

    def recover(self):
        store = self.world.store
        before = UNKNOWN
        while before == UNKNOWN:
            before = yield "read the record", lambda: store.record
        if self.is_refused(before):
            return self.end("refused")
        record = self.successor(before)
        if not (yield from self.replace(f"take over epoch {before.epoch} as {record.epoch}", before, record)):
            return self.end("outrun")
        self.record = record
        self.world.took_over(self)
        replayed = yield from self.replay(before)
        if replayed is None:
            return
        if record.stage == "SCRUBBING" and not (yield from self.scrub(replayed)):
            return
        # The last look: a later owner may have trimmed what was just read.
        now = UNKNOWN
        while now == UNKNOWN:
            now = yield "read the record again", lambda: store.record
        if self.rules.checkpoint_by_cas and now != self.record:
            return self.end("deposed")
        yield from self.load(replayed)
        self.serving = True
        self.world.say(f"{self.owner}: serves epoch {self.record.epoch} with {self.tasks}")

    def replace(self, name: str, before: Record, after: Record):
        """Replaces the record, again as long as the outcome is not known. Returns whether it is now as wanted."""
        store = self.world.store
        while True:
            done = yield name, lambda: store.replace_record(before, after)
            if done is True:
                return True
            now = UNKNOWN
            while now == UNKNOWN:
                now = yield "read the record back", lambda: store.record
            if now != before:
                return now == after

    def is_refused(self, before: Record) -> bool:
        """Rule (i)."""
        if self.rules.refuse_older_map and before.map_version > self.map_version:
            return True
        return (self.rules.refuse_other_incarnation and before.stage != "CLOSED"
                and before.map_version == self.map_version and before.owner != self.owner)

    def successor(self, before: Record) -> Record:
        unclean = before.unclean if before.stage == "CLOSED" else before.unclean + ((before.epoch, before.round),)
        scrub = before.stage == "SCRUBBING" or len(unclean) > MAX_UNCLEAN
        advance_round = 1 if scrub and self.rules.scrub_counts_in_advance else 0
        return before._replace(
            epoch=before.epoch + 1, owner=self.owner, map_version=self.map_version,
            stage="SCRUBBING" if scrub else "OPEN", round=advance_round, unclean=unclean)

    def replay(self, before: Record):
        """Reads the log from the checkpoint on, and fences it. Returns the rows with their positions."""
        store = self.world.store
        if not self.rules.checkpoint_by_cas:
            before = yield "read the checkpoint again", lambda: store.record
            if before == UNKNOWN:
                return self.end("unknown")
        last = self.record.epoch - 1
        from_epoch, from_sequence = before.checkpoint
        rows = []
        for epoch in range(from_epoch, last + 1) if self.rules.replay_every_epoch else [last]:
            sequence = from_sequence if epoch == from_epoch else 0
            while True:
                row = yield f"read log {epoch}|{sequence}", lambda: store.log.get((epoch, sequence))
                if row == UNKNOWN:
                    continue
                if row is None:
                    if epoch < last and not self.rules.fence_every_epoch:
                        break
                    fenced = yield (f"fence {epoch}|{sequence}",
                                    lambda: store.put_if_absent((epoch, sequence), ("fence", self.owner, None, 0)))
                    if fenced is True:
                        break
                    continue
                if row[0] == "fence":
                    break
                rows.append((row, (epoch, sequence)))
                sequence += 1
        return rows

    def read_row(self, key: str):
        """Returns the row of a key and its stamp; None if it is absent or does not count."""
        store = self.world.store
        row = UNKNOWN
        while row == UNKNOWN:
            row = yield f"read row {key}", lambda: store.rows.get(key)
        if row and self.rules.believe_complete_rounds and not self.record.believes(row[1]):
            return None
        return row

    def scrub(self, replayed):
        """Rewrites all rows that count under the stamp of this epoch, then drops the list of unclean ends."""
        record = self.record
        if self.rules.scrub_before_dropping and not (yield from self.rewrite()):
            return False
        scrubbed = record._replace(stage="OPEN", round=1, unclean=(), complete_from=record.epoch)
        if not (yield from self.replace("drop the list of unclean ends", record, scrubbed)):
            self.end("deposed")
            return False
        self.record = scrubbed
        return self.rules.scrub_before_dropping or (yield from self.rewrite())

    def rewrite(self):
        store = self.world.store
        for key in [*KEYS, COUNT]:
            row = yield from self.read_row(key)
            if row:
                stamp = Stamp(self.record.epoch, 1)
                written = yield f"rewrite row {key}", lambda: store.write_row(key, row[0], stamp)
                if written is not True:
                    self.end("unknown")
                    return False
        return True

    def load(self, replayed):
        """Builds the state: the size from its row, then the log, then the rows of the keys that the log did not touch."""
        row = yield from self.read_row(COUNT)
        if row:
            self.size, self.size_at = row[0]
        for logged, position in replayed:
            self.apply(logged, position)
        for key in KEYS:
            if key not in self.tasks:
                row = yield from self.read_row(key)
                self.tasks[key] = row and row[0]
                self.in_rows[key] = bool(row)

    def apply(self, row: tuple, position: tuple[int, int]) -> None:
        kind, key, task, size = row
        if kind == "nothing":
            return
        if self.rules.sizes_are_absolute:
            self.size, self.size_dirty = size, True
        elif position > self.size_at:
            self.size += 1 if kind == "enqueue" else -1
            self.size_at, self.size_dirty = position, True
        # Replay reads no rows, so it does not know what is there.
        self.in_rows.setdefault(key, None if kind == "enqueue" else True)
        self.tasks[key] = task if kind == "enqueue" else None
        self.dirty.add(key)

    # ------------------------------------------------------------------ serving

    def request(self) -> None:
        """Decides a random request, applies it and logs it."""
        random, promises = self.world.random, self.world.promises
        key = random.choice(KEYS)
        task = self.tasks[key]
        known_dequeued = False
        if task is None:
            promises.tasks += 1
            row = ("enqueue", key, promises.tasks, self.size + 1)
        elif random.random() < 0.7:
            row = ("dequeue", key, task, self.size - 1)
            promises.dequeues_tried.add(task)
        else:
            # An enqueue onto a task that is there: nothing changes, and the reply says so.
            row = ("nothing", key, task, 0)
            known_dequeued = task in promises.dequeued
            if not self.rules.negative_replies_are_logged:
                return self.collapsed(task, known_dequeued)
        sequence = self.sequence
        self.sequence += 1
        self.apply(row, (self.record.epoch, sequence))
        self.replies[sequence] = (row, known_dequeued)
        position, store = (self.record.epoch, sequence), self.world.store
        self.world.say(f"{self.owner}: logs {position} {row}")
        self.submit(f"append {position} {row}", lambda: store.put_if_absent(position, row),
                    lambda done: self.on_appended(position, row, done))

    def on_appended(self, position, row, done) -> None:
        if done == UNKNOWN:
            there = self.world.store.log.get(position)
            if there is None:
                return self.end("unknown")
            done = there == row
        if not done:
            return self.end("deposed")
        if self.closed_sent and self.rules.silent_after_close:
            return
        self.appended.add(position[1])
        while self.committed in self.appended:
            (kind, _, task, _), known_dequeued = self.replies[self.committed]
            self.committed += 1
            if kind == "nothing":
                self.collapsed(task, known_dequeued)
            else:
                self.world.say(f"{self.owner}: acknowledges the {kind} of task {task}")
                self.world.promises.acknowledge(kind, task)

    def collapsed(self, task: int, known_dequeued: bool) -> None:
        self.world.say(f"{self.owner}: answers that task {task} is there")
        if known_dequeued:
            raise Violation(COLLAPSED, f"an enqueue was answered by task {task}, whose dequeue had been acknowledged before")

    # ------------------------------------------------------------------ flush rounds

    def start_round(self) -> None:
        """Cuts the dirty state; it is written once the log is durable up to the cut."""
        self.flushing = True
        rows = []
        for key in sorted(self.dirty):
            task = self.tasks[key]
            if task is None and self.in_rows[key] is False:
                continue  # enqueued and dequeued between two rounds: the rows never had it
            self.in_rows[key] = task is not None
            rows.append((key, task))
        self.dirty.clear()
        if self.size_dirty:
            rows.append((COUNT, (self.size, self.size_at)))
            self.size_dirty = False
        self.cut = (self.sequence, self.record.round + 1, rows)
        self.world.say(f"{self.owner}: round {self.cut[1]} cuts at {self.sequence}: {rows}")

    def write_round(self) -> None:
        assert self.cut is not None
        (sequence, round, rows), self.cut = self.cut, None
        store, stamp = self.world.store, Stamp(self.record.epoch, round)
        left = {key for key, _ in rows}

        def write(key, value):
            self.submit(f"write row {key} = {value} as {tuple(stamp)}", lambda: store.write_row(key, value, stamp),
                        lambda done: on_written(key, value, done))

        def on_written(key, value, done):
            if done == UNKNOWN:
                return self.end("unknown") if self.rules.stop_at_unknown_flush else write(key, value)
            left.remove(key)
            if not left:
                self.checkpoint(sequence, round)

        for key, value in rows:
            write(key, value)
        if not rows:
            self.checkpoint(sequence, round)

    def checkpoint(self, sequence: int, round: int) -> None:
        store, before = self.world.store, self.record
        swept_to = max(before.swept_to, before.checkpoint[0] if self.swept else 0)
        after = before._replace(checkpoint=(before.epoch, sequence), round=round, swept_to=swept_to)
        if not self.rules.keep_unclean_ends:
            after = after._replace(unclean=())
        if self.rules.checkpoint_by_cas:
            effect = lambda: store.replace_record(before, after)
        else:
            effect = lambda: store.write_checkpoint(after.checkpoint, round)
        self.submit(f"checkpoint {after.checkpoint}", effect, lambda done: self.on_checkpoint(before, after, done))

    def on_checkpoint(self, before: Record, after: Record, done) -> None:
        if done is not True:
            now = self.world.store.record
            if now != after:
                return self.end("unknown" if now == before else "deposed")
        self.record, self.flushing = after, False
        store, swept_to = self.world.store, before.swept_to

        def on_trimmed(trimmed):
            self.swept |= trimmed is True

        self.submit(f"trim below {after.checkpoint}", lambda: store.trim(swept_to, after.checkpoint), on_trimmed)

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """One step towards a clean end."""
        if self.committed < self.sequence or self.closed_sent:
            return
        if self.rules.close_when_settled and (self.flushing or self.dirty or self.size_dirty):
            if not self.flushing:
                self.start_round()
            return
        self.closed_sent = True
        store, before = self.world.store, self.record
        # A round may still be under way only where the rule is taken back.
        closed = before._replace(stage="CLOSED")
        self.submit(f"close epoch {before.epoch}", lambda: store.replace_record(before, closed), self.on_closed)

    def on_closed(self, done) -> None:
        if self.rules.silent_after_close:
            self.end({True: "closed", False: "deposed"}.get(done, "unknown"))
