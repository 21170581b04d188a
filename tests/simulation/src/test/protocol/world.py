"""A world of a few nodes, a controller or two, and a store that is slow, late and forgetful; all from one seed."""

import random

from epoch import KEYS, Epoch, Promises
from incarnation import Incarnation
from rules import DARK, DOUBLE, DUEL, Rules
from epoch import Violation
from store import UNKNOWN, Call, Map, Store

NODES = "ABC"
HEALED_STEPS = 250
MAX_HEALED_TAKEOVERS = 6
"""Takeovers that a world may need after its last fault: contenders of earlier maps, then the one that the last map names."""


class World:
    def __init__(self, seed: int, rules: Rules, steps: int):
        self.random = random.Random(seed)
        self.rules, self.steps = rules, steps
        self.store = Store(rules)
        self.promises = Promises()
        self.calls: list[Call] = []
        self.incarnations: list[Incarnation] = []
        self.trace: list[str] = []
        self.owners_by_version: dict[int, str] = {}
        self.takeovers = self.closes = self.scrubs = self.forced = 0
        choose = self.random.choice
        self.crash_rate, self.lose_rate, self.flush_rate = choose([0.002, 0.01, 0.03]), choose([0, 0.01, 0.05]), choose([0.15, 0.45])
        self.hold_rate, self.move_rate = choose([0, 0.15, 0.3]), choose([0.02, 0.1, 0.3])
        self.busy_rate = choose([0.3, 0.8])
        self.handover_limit = choose([0, 2, 8, 40])
        """The number of looks at the record after which a new owner does not wait for the old one any more."""
        self.request_rate = 1.0
        self.hold_rows_rate = choose([self.hold_rate, 0.6])
        if self.random.random() < 0.2:
            # A calm world: owners hand over in good order, but rows are written late.
            self.crash_rate = self.lose_rate = 0
            self.hold_rows_rate, self.handover_limit = 0.6, 1000
        self.controllers = [Map(0, "", ""), Map(0, "", "")]
        for node in NODES:
            self.start(node)

    def say(self, what: str) -> None:
        self.trace.append(what)

    # ------------------------------------------------------------------ calls

    def submit(self, issuer, name, effect, on_reply) -> None:
        self.calls.append(Call(issuer, name, effect, on_reply))

    def process_of(self, issuer):
        return issuer.incarnation if isinstance(issuer, Epoch) else issuer

    def land(self, call: Call, lose_reply: bool) -> None:
        self.calls.remove(call)
        result = call.effect()
        if call.on_reply is None:
            self.say(f"{call.name} lands late: {result}")
            return
        self.say(f"{call.name} lands: {result}{', its reply is lost' if lose_reply else ''}")
        self.reply(call, UNKNOWN if lose_reply else result)

    def reply(self, call: Call, result) -> None:
        on_reply, issuer = call.on_reply, call.issuer
        call.on_reply = None

        def deliver():
            if not (isinstance(issuer, Epoch) and issuer.is_over()):
                on_reply(result)

        if issuer is None:
            deliver()
        else:
            self.process_of(issuer).receive(deliver)

    def step_call(self) -> None:
        """Lands a call, or lets it time out."""
        free = [c for c in self.calls if not c.held]
        if not free or self.random.random() < 0.03:
            free = self.calls
        if not free:
            return
        call = self.random.choice(free)
        hold_rate = self.hold_rows_rate if call.name.startswith("write row") else self.hold_rate
        if not call.held and not call.is_read() and self.random.random() < hold_rate:
            call.held = True
        elif call.on_reply and not call.is_read() and self.random.random() < self.lose_rate:
            call.held = True
            self.say(f"{call.name} times out, and may land later")
            self.reply(call, UNKNOWN)
        else:
            self.land(call, self.random.random() < self.lose_rate)

    # ------------------------------------------------------------------ processes

    def start(self, node: str) -> Incarnation:
        number = 1 + sum(1 for i in self.incarnations if i.node == node)
        started = Incarnation(self, node, number)
        self.incarnations.append(started)
        self.say(f"{started.name} starts")
        return started

    def alive(self) -> list[Incarnation]:
        return [i for i in self.incarnations if i.alive]

    def find(self, name: str) -> Incarnation | None:
        return next((i for i in self.incarnations if i.name == name), None)

    def ask(self, asking: Incarnation, owner: str, version: int) -> None:
        """Sends a request to close from one node to another. It may get lost, be late, and come twice."""
        asked = self.find(owner)
        if asked and self.random.random() > self.lose_rate:
            self.submit(None, f"{asking.name} asks {owner} to close for map {version}",
                        lambda: asked.receive(lambda: asked.asked_to_close(version)), lambda _: None)

    def took_over(self, epoch: Epoch) -> None:
        self.takeovers += 1
        self.scrubs += epoch.record.stage == "SCRUBBING"
        self.say(f"{epoch.owner}: takes over as epoch {epoch.record.epoch} under map {epoch.map_version}")
        first = self.owners_by_version.setdefault(epoch.map_version, epoch.owner)
        if first != epoch.owner and self.rules.refuse_other_incarnation:
            raise Violation(DOUBLE, f"{first} and {epoch.owner} both took over under map {epoch.map_version}")
        if epoch.incarnation.depositions[epoch.map_version] > 1:
            raise Violation(DUEL, f"{epoch.owner} was deposed twice under map {epoch.map_version}, and takes over again")

    # ------------------------------------------------------------------ the controller

    def place(self, controller: int, to: Incarnation) -> None:
        """A controller names another owner in the version after the one that it has seen."""
        seen = self.controllers[controller]
        new = Map(seen.version + 1, to.node, to.name)

        def on_placed(done):
            self.controllers[controller] = new if done is True else self.store.map

        self.submit(None, f"controller {controller} places the partition: {tuple(new)}",
                    lambda: self.store.replace_map(seen, new), on_placed)

    def step_controller(self) -> None:
        # The second one was cut off for a while, and has not noticed yet that there is another.
        controller = 0 if self.random.random() < 0.8 else 1
        # What it believes to be alive is, mostly.
        believed = self.alive() if self.random.random() < 0.9 else self.incarnations
        self.place(controller, self.random.choice(believed or self.incarnations))

    # ------------------------------------------------------------------ a run

    def run(self) -> None:
        for _ in range(self.steps):
            self.step()
        self.heal()
        self.settle()
        self.check()

    def step(self) -> None:
        chance, alive = self.random.random(), self.alive()
        if chance < self.crash_rate:
            self.fault(alive)
        elif chance < self.crash_rate + self.move_rate:
            self.step_controller()
        elif chance < 0.45:
            awake = [i for i in alive if not i.frozen]
            busy = [i for i in awake if i.epoch] if self.random.random() < self.busy_rate else []
            if awake:
                self.step_process(self.random.choice(busy or awake))
        else:
            self.step_call()

    def step_process(self, process: Incarnation) -> None:
        if self.random.random() < (0.1 if process.epoch else 0.7):
            process.read_map()
        process.host()

    def fault(self, alive: list[Incarnation]) -> None:
        kind = self.random.random()
        if kind < 0.4 and alive:
            victim = self.random.choice(alive)
            self.say(f"{victim.name} crashes")
            victim.crash()
        elif kind < 0.5 and alive:
            victim = self.random.choice(alive)
            victim.cut = not victim.cut
            self.say(f"{victim.name} {'does not get' if victim.cut else 'gets'} the map")
        elif kind < 0.65 and alive:
            victim = self.random.choice(alive)
            self.say(f"{victim.name} {'wakes up' if victim.frozen else 'freezes'}")
            if victim.frozen:
                victim.thaw()
            else:
                victim.frozen = True
        elif len(self.incarnations) < 9:
            # Also where an earlier run of the node is alive, frozen for example.
            self.start(self.random.choice(NODES))

    def heal(self) -> None:
        """No fault any more: every call lands or is lost, and every process runs."""
        self.crash_rate = self.lose_rate = self.hold_rate = self.hold_rows_rate = 0
        self.request_rate = 0.02
        self.say("the faults end")
        for process in self.alive():
            process.thaw()
            process.cut = False
        while late := [c for c in self.calls if c.on_reply is None]:
            call = self.random.choice(late)
            if self.random.random() < 0.2:
                self.calls.remove(call)
            else:
                self.land(call, False)

    def settle(self) -> None:
        """Runs everything that is alive in turn, with a controller or without one."""
        controlled = self.random.random() < 0.5
        held_open = self.find(self.store.record.owner) if self.store.record.stage != "CLOSED" else None
        takeovers = self.takeovers
        if controlled:
            if not self.alive():
                self.start("A")
            self.settle_map()
        for turn in range(HEALED_STEPS):
            alive = self.alive()
            for process in alive:
                if turn % 5 == 0:
                    process.read_map()
                process.host()
            for _ in range(4 * len(alive)):
                self.step_call()
        if self.takeovers - takeovers > MAX_HEALED_TAKEOVERS:
            raise Violation(DUEL, f"{self.takeovers - takeovers} takeovers after the last fault")
        self.check_served(held_open)

    def settle_map(self) -> None:
        """The controller's last word: an incarnation that is alive, of each node the latest."""
        while self.calls:
            self.land(self.random.choice(self.calls), False)
        owner = self.find(self.store.map.incarnation)
        if not owner or not owner.alive:
            to = self.random.choice(self.alive())
            self.controllers[0] = self.store.map
            self.place(0, to)
            while self.calls:
                self.land(self.calls[0], False)

    def check_served(self, held_open: Incarnation | None) -> None:
        owner = self.find(self.store.map.incarnation)
        serving = [i.name for i in self.alive() if i.epoch and i.epoch.serving]
        if owner and owner.alive:
            if owner.name not in serving:
                raise Violation(DARK, f"map {tuple(self.store.map)} names {owner.name}, which does not serve; {serving or 'nobody'} does")
        elif held_open and held_open.alive and not held_open.was_asked and not serving and self.store.record.owner == held_open.name:
            raise Violation(DARK, f"{held_open.name} gave the partition up before {owner and owner.name} asked for it")

    def check(self) -> None:
        """Kills everything, takes over once more, and compares what is there with the promises."""
        for process in self.alive():
            process.crash()
        self.calls.clear()
        last = self.start("Z")
        last.map = Map(10**9, "Z", last.name)
        last.epoch = Epoch(self, last, 10**9)
        while self.calls:
            self.land(self.calls[0], False)
        assert last.epoch and last.epoch.serving
        tasks = {task for task in (last.epoch.tasks[key] for key in KEYS) if task}
        self.promises.check(tasks, last.epoch.size)
