"""The store: cells that are read, put if absent, or compared and set, one at a time; and calls that land late, or never."""

from typing import NamedTuple

from rules import Rules


class Stamp(NamedTuple):
    """The version of a row: the epoch and the flush round that wrote it."""

    epoch: int
    round: int


class Record(NamedTuple):
    """The record of the partition, changed only by compare-and-set of the whole value."""

    epoch: int = 0
    owner: str = "none"
    """The incarnation that took over."""
    map_version: int = 0
    """The version of the map under which it did."""
    stage: str = "CLOSED"
    """OPEN, CLOSED or SCRUBBING."""
    checkpoint: tuple[int, int] = (0, 0)
    """The epoch and the sequence from which the log is to be replayed."""
    round: int = 0
    """The last complete flush round of this epoch."""
    unclean: tuple[tuple[int, int], ...] = ()
    """The epochs that did not end clean, each with its last complete round."""
    complete_from: int = 0
    """Epochs from this one on that are not listed ended clean, so all their rows count."""
    swept_to: int = 0
    """Epochs before this one hold only fences."""

    def believes(self, stamp: Stamp) -> bool:
        if stamp.epoch == self.epoch:
            return True
        listed = dict(self.unclean).get(stamp.epoch)
        return stamp.epoch >= self.complete_from if listed is None else stamp.round <= listed


class Map(NamedTuple):
    """The map of the one partition of this world."""

    version: int
    node: str
    incarnation: str


class Store:
    """What is durable. Each method is one atomic operation on one cell or, for deletions, one range."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.record = Record()
        self.map = Map(0, "", "")
        self.log: dict[tuple[int, int], tuple] = {}
        self.rows: dict[str, tuple[object, Stamp]] = {}

    def replace_record(self, expected: Record, record: Record) -> bool:
        if self.record != expected:
            return False
        self.record = record
        return True

    def write_checkpoint(self, checkpoint: tuple[int, int], round: int) -> bool:
        """The plain write that a checkpoint must not be."""
        self.record = self.record._replace(checkpoint=checkpoint, round=round)
        return True

    def replace_map(self, expected: Map, new: Map) -> bool:
        if self.rules.map_by_cas and self.map != expected:
            return False
        self.map = new
        return True

    def put_if_absent(self, position: tuple[int, int], row: tuple) -> bool:
        if position in self.log:
            return False
        self.log[position] = row
        return True

    def write_row(self, key: str, value: object, stamp: Stamp) -> bool:
        """Writes a row, or deletes it. A deletion leaves no tombstone, which is the worst that a store may do."""
        there = self.rows.get(key)
        if self.rules.newer_stamps_win and there and there[1] > stamp:
            return True
        if value is None:
            self.rows.pop(key, None)
        else:
            self.rows[key] = (value, stamp)
        return True

    def trim(self, swept_to: int, checkpoint: tuple[int, int]) -> bool:
        """Deletes what the checkpoint has passed, from the epoch on up to which the log is swept, but no fence."""
        for position in [p for p in self.log if (swept_to, 0) <= p < checkpoint]:
            if not (self.rules.keep_fences and self.log[position][0] == "fence"):
                del self.log[position]
        return True


UNKNOWN = "unknown"
"""The outcome of a call whose reply was lost or is late."""


class Call:
    """A call of the store under way."""

    def __init__(self, issuer, name, effect, on_reply):
        self.issuer, self.name, self.effect, self.on_reply = issuer, name, effect, on_reply
        self.held = False
        """Held back: lands only when little else is under way."""

    def is_read(self) -> bool:
        return self.name.startswith("read")
