"""The rules of the protocol. Every one of them can be taken back, to see what it is for."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Rules:
    """True: the rule holds."""

    # The log and its replay.
    replay_every_epoch: bool = True
    """A takeover replays every epoch from the checkpoint's on, not only the last one."""
    fence_every_epoch: bool = True
    """A takeover fences every epoch that it replays, not only the last one."""
    keep_fences: bool = True
    """Trimming and sweeping spare the fences of epochs."""

    # The rows and the record.
    checkpoint_by_cas: bool = True
    """A checkpoint is a compare-and-set of the whole record, not a plain write."""
    newer_stamps_win: bool = True
    """A row never loses its value to a write of an older stamp."""
    believe_complete_rounds: bool = True
    """A row counts only if its round is known to be complete, or its epoch ended clean."""
    stop_at_unknown_flush: bool = True
    """A flush write of unknown outcome ends the epoch; it is not repeated in the same round."""
    sizes_are_absolute: bool = True
    """A log row carries the size after it, not the difference."""
    negative_replies_are_logged: bool = True
    """A reply that changes nothing waits for a log row, too."""

    # The end of an epoch.
    close_when_settled: bool = True
    """An owner closes its epoch only once nothing of it is in flight or dirty."""
    silent_after_close: bool = True
    """An owner answers nothing once it has sent the record that closes its epoch."""
    keep_unclean_ends: bool = True
    """An unclean end stays listed until a scrub, not only until the next complete round."""
    scrub_counts_in_advance: bool = True
    """The round of a scrub counts before it is complete."""
    scrub_before_dropping: bool = True
    """The list of unclean ends is dropped only after every row is rewritten."""

    # Moves between nodes.
    map_by_cas: bool = True
    """The map is replaced by compare-and-set: no version names two owners."""
    map_names_incarnations: bool = True
    """The map names a run of a process, not the node that it belongs to."""
    map_never_goes_back: bool = True
    """A node ignores a map that is older than its copy."""
    refuse_older_map: bool = True
    """(i) A takeover under an older map version than the record's is refused."""
    refuse_other_incarnation: bool = True
    """(i) A takeover under the record's own map version is refused to any other incarnation."""
    deposed_waits_for_larger_map: bool = True
    """(ii) An incarnation that was deposed opens again only under a larger map version."""
    reopen_after_unknown: bool = True
    """(iii) An end of unknown outcome is followed by a new opening under the same map version."""
    linger: bool = True
    """The old owner serves until the new one asks for the partition, or fences it."""
    force_takeover: bool = True
    """A new owner that has waited for the hand-over limit takes the partition over without a clean close."""


ALL = Rules()

LOST, BACK, TWICE, COLLAPSED, SIZE = "lost", "back", "twice", "collapsed", "size"
DOUBLE, DUEL, DARK = "double", "duel", "dark"

BROKEN = frozenset({LOST, BACK, TWICE, COLLAPSED, SIZE})
"""What clients were told is not so."""


def without(*rules: str) -> Rules:
    return replace(ALL, **dict.fromkeys(rules, False))


TAKEN_BACK: dict[str, tuple[Rules, frozenset[str]]] = {
    "replay_last_epoch_only": (without("replay_every_epoch"), BROKEN),
    "fence_last_epoch_only": (without("fence_every_epoch"), BROKEN),
    "trim_fences": (without("keep_fences"), BROKEN),
    "plain_checkpoint": (without("checkpoint_by_cas"), BROKEN),
    "no_stamps": (without("newer_stamps_win", "believe_complete_rounds"), BROKEN),
    "newest_stamp_wins_only": (without("believe_complete_rounds"), BROKEN),
    "complete_rounds_only": (without("newer_stamps_win"), BROKEN),
    "repeat_flush_write": (without("stop_at_unknown_flush"), BROKEN),
    "relative_sizes": (without("sizes_are_absolute"), BROKEN),
    "negative_replies_at_once": (without("negative_replies_are_logged"), BROKEN),
    "close_with_round_in_flight": (without("close_when_settled"), BROKEN),
    "serve_after_close": (without("silent_after_close"), BROKEN),
    "drop_unclean_end_early": (without("keep_unclean_ends"), BROKEN),
    "scrub_counts_late": (without("scrub_counts_in_advance"), BROKEN),
    "drop_list_before_scrub": (without("scrub_before_dropping"), BROKEN),
    "plain_map": (without("map_by_cas"), frozenset({DARK})),
    "map_names_nodes": (without("map_names_incarnations"), frozenset({DARK})),
    "duel_of_incarnations": (
        without("map_names_incarnations", "refuse_other_incarnation", "deposed_waits_for_larger_map"),
        frozenset({DUEL}),
    ),
    "older_map_accepted": (without("refuse_older_map"), frozenset({DARK})),
    "duel_with_an_older_map": (without("refuse_older_map", "deposed_waits_for_larger_map"), frozenset({DUEL})),
    "map_goes_back": (without("map_never_goes_back", "refuse_older_map"), frozenset({DARK})),
    "no_reopen_after_unknown": (without("reopen_after_unknown"), frozenset({DARK})),
    "no_linger": (without("linger"), frozenset({DARK})),
    "no_forced_takeover": (without("force_takeover"), frozenset({DARK})),
}
"""Ways to take rules back, and what that breaks."""
