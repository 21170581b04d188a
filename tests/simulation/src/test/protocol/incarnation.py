"""One run of a node's process: its copy of the map, and what it does with the partition."""

from collections import Counter

from epoch import Epoch
from store import Map

class Incarnation:
    """
    A run of a process.

        idle --the map names it--> waiting --record closed, of nobody alive, or waited long enough--> owning
        owning --asked by the next owner--> closing --closed--> idle
        owning --deposed--> idle, until a larger map names it
        owning --an outcome is unknown--> owning, in another epoch, also where a later map names another
    """

    def __init__(self, world, node: str, number: int):
        self.world, self.rules = world, world.rules
        self.node, self.name = node, f"{node}{number}"
        self.alive, self.frozen, self.cut = True, False, False
        """Frozen: it does nothing, and does not know. Cut: it gets no map."""
        self.inbox: list = []
        """What arrived while the process was frozen."""
        self.map = Map(0, "", "")
        self.epoch: Epoch | None = None
        self.barred_to = -1
        """The map version under which it was deposed or gave the partition away: it opens only under a larger one."""
        self.held_version = -1
        """The map version under which it holds the partition, between two epochs as well; -1: it does not."""
        self.depositions: Counter[int] = Counter()
        """How often it was deposed, by map version."""
        self.was_asked = False
        """It was asked to give the partition away."""
        self.waited = 0
        """The number of looks at the record while it waits for the old owner."""
        self.waits_for_version = -1

    # ------------------------------------------------------------------ the process

    def crash(self) -> None:
        self.alive = False
        self.inbox.clear()
        if self.epoch:
            self.epoch.end("crash")

    def receive(self, deliver) -> None:
        if self.frozen:
            self.inbox.append(deliver)
        elif self.alive:
            deliver()

    def thaw(self) -> None:
        self.frozen = False
        while self.inbox and self.alive:
            self.inbox.pop(0)()

    # ------------------------------------------------------------------ the map

    def read_map(self) -> None:
        """A read is never under way: to read rarely is as good as an answer that is late."""
        seen = self.world.store.map
        if self.cut:
            return
        if seen.version > self.map.version or not self.rules.map_never_goes_back:
            self.map = seen

    def is_named(self) -> bool:
        return self.map.incarnation == self.name if self.rules.map_names_incarnations else self.map.node == self.node

    # ------------------------------------------------------------------ hosting

    def version_to_open(self) -> int:
        """The map version under which it may open the partition; -1: it may not."""
        return self.map.version if self.is_named() and self.map.version > self.barred_to else self.held_version

    def host(self) -> None:
        """One step of the process."""
        epoch = self.epoch
        if epoch is None:
            version = self.version_to_open()
            if version >= 0:
                self.wait_or_open(version)
        elif epoch.serving:
            if not self.rules.linger and not self.is_named() and self.map.version > epoch.map_version:
                epoch.closing = True
            self.serve(epoch)

    def serve(self, epoch: Epoch) -> None:
        random = self.world.random
        if epoch.cut:
            if epoch.committed >= epoch.cut[0]:
                return epoch.write_round()
        elif not epoch.flushing and epoch.dirty and random.random() < self.world.flush_rate:
            return epoch.start_round()
        if epoch.closing:
            epoch.close()
            if not epoch.closed_sent or self.rules.silent_after_close or epoch.is_over():
                return
        if epoch.sequence - epoch.committed < 3 and random.random() < self.world.request_rate:
            epoch.request()

    def wait_or_open(self, version: int) -> None:
        """Looks at the record; then waits for the owner that serves, asks it to close, or opens."""
        if self.waits_for_version != version:
            self.waits_for_version, self.waited = version, 0
        record = self.world.store.record
        if record.stage != "CLOSED" and record.owner != self.name:
            self.waited += 1
            if self.waited < self.world.handover_limit or not self.rules.force_takeover:
                self.world.ask(self, record.owner, version)
                return
        self.held_version = version
        self.epoch = Epoch(self.world, self, version)

    def on_end(self, epoch: Epoch) -> None:
        if self.epoch is epoch:
            self.epoch = None
        self.world.closes += epoch.ended_by == "closed"
        if epoch.ended_by == "unknown" and self.rules.reopen_after_unknown:
            return
        if epoch.ended_by == "outrun" and self.world.store.record.owner == self.name:
            return  # by a late checkpoint of its own
        self.held_version = -1
        self.depositions[epoch.map_version] += epoch.ended_by == "deposed"
        if epoch.ended_by == "outrun":
            return  # perhaps by a checkpoint of the old owner only: the next look tells
        if epoch.ended_by != "closed" and self.rules.deposed_waits_for_larger_map:
            self.barred_to = max(self.barred_to, epoch.map_version)

    def asked_to_close(self, version: int) -> None:
        """The incarnation that a later map names is ready to take the partition over."""
        epoch = self.epoch
        if epoch and epoch.serving and version > epoch.map_version:
            epoch.closing = self.was_asked = True
            # Under the version that made it give the partition away, and any before, it does not come back.
            self.barred_to = max(self.barred_to, version - 1)
