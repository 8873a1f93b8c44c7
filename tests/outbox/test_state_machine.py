"""Promises 1 to 5 against a model: whatever workers and users do, in whatever order.

Time passes by moving rows' timestamps back. On a failure Hypothesis prints the steps, and a blob that repeats them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

import asyncpg
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.outbox.engines import Lessee, Owner, kind, now, with_outbox
from tidings.kit import db
from tidings.kit.errors import Conflict
from tidings.kit.settings import Settings
from tidings.spine.outbox.administration import Administration
from tidings.spine.outbox.handlers import KeyPolicy, Kind
from tidings.spine.outbox.intents import Leased
from tidings.spine.outbox.leases import MOST_CRASHES, Settlement
from tidings.spine.outbox.outcomes import Again, Dead, Failed, GivenBack, Outcome, Succeeded
from tidings.spine.outbox.retry import RetryPolicy

T = TypeVar("T")
LATER = timedelta(hours=1)
MOST_ATTEMPTS = 3
MOST_OPEN = 5
KINDS = {
    "thing.once": kind(name="thing.once", keys=KeyPolicy.ONCE),
    "thing.again": kind(name="thing.again", keys=KeyPolicy.REARM),
}
WAITING = ("pending", "failed")
FINISHED = ("succeeded", "dead", "cancelled")
MEANWHILE = ["nothing", "nothing", "moved", "lost", "lost and taken"]
kinds = st.sampled_from(["thing.once", "thing.once", "thing.again"])
keys = st.sampled_from([None, "a", "a", "a", "a_", "a_b", "b%"])
outcomes = st.lists(st.sampled_from(["ok", "ok", "fail", "dead", "again", "back"]), min_size=3, max_size=3)
commits = st.sampled_from([True, True, True, False])
index = st.integers(0, 1_000)


@dataclass
class Model:
    """One intent as it should be."""

    kind: str
    key: str | None
    fact: bool
    due: bool
    status: str = "pending"
    attempts: int = 0
    crashes: int = 0
    generation: int = 0
    suspect: bool = False
    token: UUID | None = None

    @property
    def open(self) -> bool:
        return self.status not in FINISHED

    def leave_hand(self, status: str) -> None:
        self.status, self.token = status, None
        self.suspect = False


@dataclass
class Hand:
    """A lease as a worker remembers it; the lease itself may be gone."""

    intents: list[Leased]
    alone: bool
    expired: bool = False
    doubted: bool = False  # nobody's: it ran out once, and whoever runs it may still renew it

    @property
    def token(self) -> UUID:
        return self.intents[0].token


@dataclass
class World:
    """The connections of a test, and the loop that all steps run on."""

    loop: asyncio.AbstractEventLoop
    settings: Settings
    pool: db.Pool
    owner: Owner
    workers: list[Lessee] = field(default_factory=list)


class Outbox(RuleBasedStateMachine):
    world: World

    def run(self, step: Coroutine[Any, Any, T]) -> T:
        return self.world.loop.run_until_complete(step)

    @initialize()
    def begin(self) -> None:
        self.run(
            self.world.owner.execute(
                "TRUNCATE tidings.outbox, tidings.outbox_finished, tidings.outbox_keys, tidings.leases, tidings.facts"
            )
        )
        self.intents: dict[UUID, Model] = {}
        self.keys: dict[tuple[str, str], tuple[UUID, str]] = {}  # → holder, and open, blocking or expired
        self.hands: list[Hand] = []
        self.leases: dict[UUID, Hand] = {}

    def some(self, condition: Callable[[Model], object]) -> bool:
        return any(condition(model) for model in self.intents.values())

    def has_room(self) -> bool:
        """Few intents to which much happens tell more than many."""
        return sum(model.open for model in self.intents.values()) < MOST_OPEN

    # Users

    @precondition(lambda self: self.has_room())
    @rule(name=kinds, key=keys, commit=commits)
    def emit(self, name: str, key: str | None, commit: bool) -> None:
        given = self.run(self._in_transaction("SELECT tidings.emit($1, key => $2)", commit, name, key))
        if commit and given not in self.intents:
            self.intents[given] = Model(name, key, fact=True, due=True)

    async def _in_transaction(self, statement: str, commit: bool, *arguments: object) -> UUID:
        transaction = self.world.owner.transaction()
        await transaction.start()
        result: UUID = await self.world.owner.fetchval(statement, *arguments)
        await (transaction.commit() if commit else transaction.rollback())
        return result

    @precondition(lambda self: self.has_room())
    @rule(name=kinds, key=keys, due=st.booleans(), commit=commits)
    def schedule(self, name: str, key: str | None, due: bool, commit: bool) -> None:
        statement = "SELECT tidings.schedule($1, key => $2, run_at => now() + $3::interval)"
        ahead = timedelta(0) if due else LATER
        given = self.run(self._in_transaction(statement, commit, name, key, ahead))
        holder, state = self.keys.get((name, key or ""), (None, "free"))
        if state in ("open", "blocking"):
            assert given == holder
        else:
            assert given not in self.intents
            if commit:
                self.intents[given] = Model(name, key, fact=False, due=due)
                if key is not None:
                    self.keys[name, key] = (given, "open")

    def _targets(self, name: str, key: str, prefix: bool) -> list[tuple[UUID, Model]]:
        return [
            (given, model)
            for given, model in self.intents.items()
            if model.open and model.kind == name and model.key is not None
            if model.key == key or (prefix and model.key.startswith(key))
        ]

    @precondition(lambda self: self.some(lambda model: model.open and model.key))
    @rule(name=kinds, key=keys.filter(bool), prefix=st.booleans(), due=st.booleans())
    def move(self, name: str, key: str, prefix: bool, due: bool) -> None:
        self._move(name, key, prefix, due)

    def _move(self, name: str, key: str, prefix: bool, due: bool) -> None:
        way, targets = "prefix" if prefix else "key", self._targets(name, key, prefix)
        statement = f"SELECT tidings.move($1, {way} => $2, run_at => now() + $3::interval)"
        ahead = timedelta(0) if due else LATER
        assert self.run(self.world.owner.fetchval(statement, name, key, ahead)) == len(targets)
        for _, model in targets:
            model.generation += 1
            model.due = due
            model.status = "pending" if model.status == "failed" else model.status

    @precondition(lambda self: self.some(lambda model: model.token and model.key))
    @rule(choice=index, due=st.booleans())
    def move_what_is_being_handled(self, choice: int, due: bool) -> None:
        held = [model for model in self.intents.values() if model.token and model.key]
        model = held[choice % len(held)]
        assert model.key is not None
        self._move(model.kind, model.key, prefix=False, due=due)

    @precondition(lambda self: not self.has_room() and self.some(lambda model: model.open and model.key))
    @rule(name=kinds, key=keys.filter(bool), prefix=st.booleans())
    def cancel(self, name: str, key: str, prefix: bool) -> None:
        way, targets = "prefix" if prefix else "key", self._targets(name, key, prefix)
        statement = f"SELECT tidings.cancel($1, {way} => $2)"
        assert self.run(self.world.owner.fetchval(statement, name, key)) == len(targets)
        for given, model in targets:
            model.leave_hand("cancelled")
            self._free(given, model)

    @precondition(lambda self: self.some(lambda model: model.status != "pending"))
    @rule(choice=index)
    def retry(self, choice: int) -> None:
        given = list(self.intents)[choice % len(self.intents)]
        model = self.intents[given]
        administration = Administration(self.world.owner, "default")
        slot = (model.kind, model.key or "")
        taken = model.key is not None and not model.fact and self.keys.get(slot, (None, ""))[1] == "open"
        if model.status in ("processing", "succeeded") or (not model.open and taken):
            with pytest.raises(Conflict):
                self.run(administration.retry(given))
            return
        self.run(administration.retry(given))
        if not model.open:
            model.attempts = model.crashes = 0
            model.generation += 1
            model.suspect = False
            if model.key is not None and not model.fact:
                self.keys[slot] = (given, "open")
        model.status, model.due = "pending", True

    # Workers

    @precondition(lambda self: self.some(lambda model: model.status in WAITING and not model.suspect))
    @rule(name=kinds, quota=st.integers(1, 3), whats=outcomes, meanwhile=st.sampled_from(MEANWHILE), due=st.booleans())
    def work(self, name: str, quota: int, whats: list[str], meanwhile: str, due: bool) -> None:
        """The whole of it in one step, and what may come between."""
        before = len(self.hands)
        self.lease(0, name, quota)
        if len(self.hands) == before:
            return
        hand = self.hands[-1]
        if meanwhile == "moved":
            self._move(name, "a", prefix=True, due=due)
        elif meanwhile == "lost":
            self.expire_lease(hand.token)
            self.rescue(1)
        elif meanwhile == "lost and taken":
            self.expire_lease(hand.token)
            self.rescue(1)
            self.lease_suspect(2)
        self._settle_hand(hand, whats, forget=due)

    @precondition(lambda self: self.some(lambda model: model.status in WAITING and not model.suspect))
    @rule(worker=st.integers(0, 2), name=kinds, quota=st.integers(1, 3))
    def lease_some(self, worker: int, name: str, quota: int) -> None:
        self.lease(worker, name, quota)

    def lease(self, worker: int, name: str, quota: int) -> None:
        lessee = self._worker(worker, KINDS[name])
        intents = self.run(lessee.lease(quota))
        able = {
            g for g, m in self.intents.items() if m.kind == name and m.status in WAITING and m.due and not m.suspect
        }
        assert {intent.id for intent in intents} <= able
        assert len(intents) == min(quota, len(able))
        if intents:
            self._take(intents, alone=False)

    @precondition(lambda self: self.some(lambda model: model.suspect))
    @rule(worker=st.integers(0, 2))
    def lease_one_alone(self, worker: int) -> None:
        self.lease_suspect(worker)

    def lease_suspect(self, worker: int) -> None:
        intent = self.run(self._worker(worker).leases.lease_suspect(KINDS))
        able = {g for g, m in self.intents.items() if m.status in WAITING and m.due and m.suspect}
        able = {given for given in able if self.intents[given].crashes < MOST_CRASHES}
        assert (intent is None) == (not able)
        if intent is not None:
            assert intent.id in able
            self._take([intent], alone=True)

    def _worker(self, number: int, kind: Kind | None = None) -> Lessee:
        worker = self.world.workers[number]
        return Lessee(worker.leases, kind or worker.kind, RetryPolicy(MOST_ATTEMPTS))

    def _take(self, intents: list[Leased], alone: bool) -> None:
        hand = Hand(intents, alone)
        self.hands.append(hand)
        self.leases[hand.token] = hand
        for intent in intents:
            model = self.intents[intent.id]
            assert (intent.attempt, intent.generation) == (model.attempts + 1, model.generation)
            model.status, model.token = "processing", hand.token

    @precondition(lambda self: self._hands(live=True))
    @rule(choice=index, whats=outcomes, forget=st.booleans())
    def settle(self, choice: int, whats: list[str], forget: bool) -> None:
        """Who does not forget may settle the same again, too late."""
        hands = self._hands(live=True)
        self._settle_hand(hands[choice % len(hands)], whats, forget)

    @precondition(lambda self: self._hands(live=False))
    @rule(choice=index, whats=outcomes, forget=st.booleans())
    def settle_late(self, choice: int, whats: list[str], forget: bool) -> None:
        hands = self._hands(live=False)
        self._settle_hand(hands[choice % len(hands)], whats, forget)

    def _hands(self, live: bool) -> list[Hand]:
        return [hand for hand in self.hands if (hand.token in self.leases) == live]

    def _settle_hand(self, hand: Hand, whats: list[str], forget: bool) -> None:
        at = self.run(now(self.world.owner)) + LATER
        drawn: dict[str, Outcome] = {
            "ok": Succeeded(),
            "fail": Failed("no answer", LATER),
            "dead": Dead("never"),
            "again": Again(at),
            "back": GivenBack(),
        }
        settled = [Settlement(i, drawn[what]) for i, what in zip(hand.intents, whats, strict=False)]
        worker = self._worker(0, KINDS[hand.intents[0].kind])
        assert self.run(self._settle(worker, settled, hand.token)) == []
        for settlement in settled:
            model = self.intents[settlement.intent.id]
            if model.token == hand.token:
                self._apply(settlement, model)
        self.leases.pop(hand.token, None)
        if forget:
            self.hands.remove(hand)

    async def _settle(self, worker: Lessee, settled: list[Settlement], token: UUID) -> list[Settlement]:
        async with self.world.pool.acquire() as connection:
            return await worker.leases.settle(connection, worker.kind, worker.policy, settled, [token])

    def _apply(self, settlement: Settlement, model: Model) -> None:
        outcome: Outcome = settlement.outcome
        moved = settlement.intent.generation != model.generation
        if isinstance(outcome, Failed) and settlement.intent.attempt >= MOST_ATTEMPTS:
            outcome = Dead(outcome.error)
        match outcome:
            case Succeeded() | Dead() if moved:
                model.leave_hand("pending")
            case Succeeded() | Dead():
                model.attempts += 1
                model.leave_hand("succeeded" if isinstance(outcome, Succeeded) else "dead")
                self._finish_key(settlement.intent.id, model)
            case Failed():
                model.attempts += 1
                model.due = model.due if moved else False
                model.leave_hand("pending" if moved else "failed")
            case Again():
                model.attempts = model.crashes = 0
                model.due = model.due if moved else False
                model.leave_hand("pending")
            case GivenBack():
                model.status, model.token = "pending", None
                model.due = model.due if moved else True

    def _finish_key(self, given: UUID, model: Model) -> None:
        if KINDS[model.kind].keys is KeyPolicy.REARM:
            self._free(given, model)
        elif model.key is not None and self.keys.get((model.kind, model.key)) == (given, "open") and not model.fact:
            self.keys[model.kind, model.key] = (given, "blocking")

    def _free(self, given: UUID, model: Model) -> None:
        if model.key is not None and self.keys.get((model.kind, model.key), (None,))[0] == given:
            del self.keys[model.kind, model.key]

    @precondition(lambda self: len(self.hands) > 1)
    @rule(choice=index)
    def crash(self, choice: int) -> None:
        """The worker forgets what it held."""
        self.hands.pop(choice % len(self.hands))

    @precondition(lambda self: self.leases)
    @rule(choice=index, rescue=st.booleans())
    def expire(self, choice: int, rescue: bool) -> None:
        """A worker dies or freezes; sometimes another takes back what it held at once."""
        self.expire_lease(list(self.leases)[choice % len(self.leases)])
        if rescue:
            self.rescue(0)

    def expire_lease(self, token: UUID) -> None:
        statement = "UPDATE tidings.leases SET expires_at = now() - interval '1 second' WHERE token = $1"
        self.run(self.world.owner.execute(statement, token))
        self.leases[token].expired = True

    @precondition(lambda self: self.hands)
    @rule(choice=index)
    def renew(self, choice: int) -> None:
        hand = self.hands[choice % len(self.hands)]
        lost = self.run(self._worker(1).leases.renew([hand.token]))
        assert lost == (set() if hand.token in self.leases else {hand.token})
        hand.expired = hand.doubted = False

    @precondition(lambda self: self.leases)
    @rule(worker=st.integers(0, 2))
    def take_back(self, worker: int) -> None:
        self.rescue(worker)

    def rescue(self, worker: int) -> None:
        expired = {token for token, hand in self.leases.items() if hand.expired}
        doubted = {token for token in expired if self.leases[token].alone and not self.leases[token].doubted}
        held = [model for model in self.intents.values() if model.token in expired - doubted]
        assert self.run(self._worker(worker).leases.rescue()) == len(held)
        for token in doubted:
            self.leases[token].expired, self.leases[token].doubted = False, True
        for model in held:
            assert model.token is not None
            alone = self.leases[model.token].alone
            model.crashes, model.due = model.crashes + alone, model.due and not alone
            model.status, model.token, model.suspect = "pending", None, True
        self.leases = {token: hand for token, hand in self.leases.items() if token not in expired - doubted}

    @precondition(lambda self: self.some(lambda model: model.suspect and model.status in WAITING and model.due))
    @rule(times=st.integers(1, 3), seen=st.booleans())
    def crash_alone(self, times: int, seen: bool) -> None:
        for _ in range(times):
            self.lease_suspect(0)
            if seen:
                self._see_die(0)
            else:
                self._all_run_out()
                self.rescue(1)
                self._all_run_out()
            self.rescue(1)
            self._pass_an_hour()

    def _see_die(self, worker: int) -> None:
        """What is in the hands of a process that was seen to crash is charged with it."""
        leases = self._worker(worker).leases
        tokens = self.run(self.world.owner.fetch("SELECT token FROM tidings.leases WHERE worker = $1", leases.worker))
        assert self.run(leases.expire(leases.worker, crashed=True)) == len(tokens)
        for row in tokens:
            hand = self.leases[row["token"]]
            hand.alone = hand.expired = hand.doubted = True

    def _all_run_out(self) -> None:
        for token in self.leases:
            self.expire_lease(token)

    @precondition(lambda self: self.some(lambda model: model.suspect and model.crashes))
    @rule(worker=st.integers(0, 2))
    def bury(self, worker: int) -> None:
        doomed = {
            given: model
            for given, model in self.intents.items()
            if model.suspect and model.status == "pending" and model.crashes >= MOST_CRASHES
        }
        assert self.run(self._worker(worker).leases.bury(KINDS.values())) == len(doomed)
        for given, model in doomed.items():
            model.leave_hand("dead")
            self._finish_key(given, model)

    # Time

    @precondition(lambda self: self.some(lambda model: model.open and not model.due))
    @rule()
    def an_hour_passes(self) -> None:
        self._pass_an_hour()

    def _pass_an_hour(self) -> None:
        passed = "UPDATE tidings.outbox SET run_at = run_at - interval '2 hours' WHERE run_at > now()"
        self.run(self.world.owner.execute(passed))
        for model in self.intents.values():
            model.due = model.due or model.open

    @precondition(lambda self: any(state == "blocking" for _, state in self.keys.values()))
    @rule()
    def the_dedup_window_passes(self) -> None:
        self.run(
            self.world.owner.execute(
                "UPDATE tidings.outbox_keys SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL"
            )
        )
        self.keys = {k: (g, "expired" if state == "blocking" else state) for k, (g, state) in self.keys.items()}

    # What must always hold

    @invariant()
    def the_database_is_as_the_model(self) -> None:
        if hasattr(self, "intents"):
            self.run(self._compare())

    async def _compare(self) -> None:
        owner = self.world.owner
        rows = await owner.fetch(
            """SELECT id, status, attempts, crashes, generation, suspect, lease_token, run_at <= now() AS due
               FROM tidings.outbox UNION ALL
               SELECT id, status, attempts, crashes, generation, false, NULL, NULL FROM tidings.outbox_finished"""
        )
        assert len(rows) == len({row["id"] for row in rows})
        found = {row["id"]: tuple(row)[1:7] for row in rows}
        expected = {
            g: (m.status, m.attempts, m.crashes, m.generation, m.suspect, m.token) for g, m in self.intents.items()
        }
        assert found == expected
        assert all(row["due"] == self.intents[row["id"]].due for row in rows if row["due"] is not None)
        slots = await owner.fetch("SELECT kind, key, intent_id, expires_at < now() AS past FROM tidings.outbox_keys")
        states = {None: "open", False: "blocking", True: "expired"}
        assert {(s["kind"], s["key"]): (s["intent_id"], states[s["past"]]) for s in slots} == self.keys
        assert {row["token"] for row in await owner.fetch("SELECT token FROM tidings.leases")} == set(self.leases)
        assert await owner.fetchval("SELECT count(*) FROM tidings.facts") == sum(m.fact for m in self.intents.values())


@pytest.mark.timeout(150)
def test_the_outbox_keeps_its_promises_whatever_happens(database_url: str, settings: Settings) -> None:
    loop = asyncio.new_event_loop()
    world = loop.run_until_complete(_open(loop, settings, database_url))

    class InThisWorld(Outbox):
        pass

    InThisWorld.world = world
    try:
        run_state_machine_as_test(InThisWorld, settings=HYPOTHESIS)
    finally:
        loop.run_until_complete(_close(world))
        loop.close()


HYPOTHESIS = hypothesis_settings(
    max_examples=80,
    stateful_step_count=30,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)


async def _open(loop: asyncio.AbstractEventLoop, settings: Settings, url: str) -> World:
    pool = await db.open_pool(settings.database, db.Role.WORKER, name="test")
    workers = [Lessee.of(with_outbox(settings, lease=timedelta(hours=1)), pool) for _ in range(3)]
    return World(loop, settings, pool, await asyncpg.connect(url), workers)


async def _close(world: World) -> None:
    await world.owner.close()
    await world.pool.close()
