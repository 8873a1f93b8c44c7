"""One delivery, from its lease to what came of it: still wanted? compose, send, decide."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

import structlog

from tidings.kit.crypto import Locked, Unsealable
from tidings.kit.errors import TidingsError
from tidings.kit.settings import DeliverySettings
from tidings.spine.channels import port
from tidings.spine.channels.port import Blame, Channel, Deferred, Rejected, Sent, Unknown
from tidings.spine.channels.providers import PROVIDERS
from tidings.spine.delivery.adapters import Adapters, UnknownType
from tidings.spine.delivery.composing import Composer
from tidings.spine.delivery.deciding import Finish, GiveUp, Hold, OnUnknown, TryAgain, decide
from tidings.spine.delivery.gone import Addresses
from tidings.spine.delivery.handing_over import CutOff, HandingOver, NotHandedOver
from tidings.spine.delivery.notes import Note
from tidings.spine.delivery.table import Delivery
from tidings.spine.delivery.wanted import Go, Skip, TooLate, Wait, wanted
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.outbox.faults import PASSING
from tidings.spine.outbox.handlers import Kind
from tidings.spine.outbox.outcomes import Dead, Failed, GivenBack, Outcome, Succeeded, describe
from tidings.spine.outbox.settling import BREATH

log = structlog.get_logger("tidings.delivery")

_NOT_UNLOCKED_YET, _NO_KEY = timedelta(seconds=5), timedelta(minutes=5)
_NEXT_TURN = timedelta(seconds=1)
_NEWER_WORKER = timedelta(minutes=1)


@dataclass(frozen=True)
class Sender:
    settings: DeliverySettings
    composer: Composer
    adapters: Adapters
    addresses: Addresses
    handing_over: HandingOver

    def kinds(self) -> list[Kind]:
        """One for each channel: a slow one holds up nobody but itself."""
        return [
            Kind(
                channel.value,
                self.send,
                concurrency=self.settings.concurrency,
                max_attempts=self.settings.max_attempts,
                retry_base=self.settings.retry_base,
                retry_cap=self.settings.retry_cap,
            )
            for channel in Channel
        ]

    async def send(self, delivery: Delivery) -> Outcome:
        """Whatever goes wrong before something may have been sent costs an attempt and is on record; only a database
        that is away costs nothing."""
        try:
            return await self._considered(delivery)
        except NotHandedOver:
            return GivenBack(_NEXT_TURN)
        except PASSING as error:
            log.warning("database is away", delivery=str(delivery.id), error=repr(error))
            return GivenBack(BREATH)
        except Exception as error:
            log.exception("a delivery failed", delivery=str(delivery.id))
            return Failed(describe(error), None, Note("deferred", delivery.provider, describe(error)))

    async def _considered(self, delivery: Delivery) -> Outcome:
        verdict = wanted(delivery)
        match verdict:
            case Go():
                return await self._attempt(delivery)
            case Skip(reason):
                return Succeeded(Note("skipped", delivery.provider, reason))
            case TooLate(reason):
                return Dead(reason, Note("expired", delivery.provider, reason))
            case Wait(delay, reason):
                return GivenBack(delay, Note("quiet", delivery.provider, reason))
            case _:
                assert_never(verdict)

    async def _attempt(self, delivery: Delivery) -> Outcome:
        began = time.monotonic()
        try:
            outcome = await self._sent(delivery)
        except (Unsealable, Locked) as error:
            return _unread(delivery, error)
        except UnknownType as error:
            return GivenBack(_NEWER_WORKER, Note("deferred", delivery.provider, str(error)))
        except CutOff:
            return _cut_off(delivery)
        note = _note(delivery, outcome, timedelta(seconds=time.monotonic() - began))
        await self.addresses.heard(delivery, outcome)
        match decide(outcome, _on_unknown(delivery)):
            case Finish():
                return Succeeded(note)
            case GiveUp(reason):
                return Dead(reason, note)
            case TryAgain(reason, after):
                return Failed(reason, after, note)
            case Hold(reason):
                return Failed(reason, None, _held(note), held=True)
            case decision:
                assert_never(decision)

    async def _sent(self, delivery: Delivery) -> port.Outcome:
        try:
            message = await self.composer.compose(delivery)
        except TemplateError as error:
            return Rejected(f"its template cannot be rendered: {error.placed}")
        way = await self.adapters.of(delivery)
        if delivery.provider_type in self.adapters.own:
            return await way.adapter.send(message)
        once = _on_unknown(delivery) is OnUnknown.HOLD
        return await self.handing_over.send(delivery, way, message, once=once)


def _unread(delivery: Delivery, error: TidingsError) -> GivenBack:
    """Nothing was sent, and neither the provider nor the address is to blame: it waits for the right key."""
    log.error("a delivery waits for its key", delivery=str(delivery.id), tenant=delivery.tenant, error=error.detail)
    reason = f"its address or its provider's configuration is sealed: {error.detail}"
    delay = _NOT_UNLOCKED_YET if isinstance(error, Locked) else _NO_KEY
    return GivenBack(delay, Note("deferred", delivery.provider, reason))


def _cut_off(delivery: Delivery) -> Outcome:
    """It may have arrived. Stopping costs no attempt; but it is on record, and by policy a person has to decide."""
    note = Note("unknown", delivery.provider, "the worker had to stop before an answer came")
    if _on_unknown(delivery) is OnUnknown.HOLD:
        return Failed(str(note.reason), None, _held(note), held=True)
    return GivenBack(note=note)


def _on_unknown(delivery: Delivery) -> OnUnknown:
    """As the provider is set; else by what its type promises. Who settled a matter may be said twice, and no person has
    to decide that."""
    if delivery.on_unknown is not None:
        return OnUnknown(delivery.on_unknown)
    if delivery.filed:
        return OnUnknown.RESEND
    provider = PROVIDERS.get(delivery.provider_type)
    return OnUnknown.RESEND if provider is None or provider.safe_to_resend else OnUnknown.HOLD


def _note(delivery: Delivery, outcome: port.Outcome, took: timedelta) -> Note:
    provider, known = delivery.provider, delivery.provider_failing
    match outcome:
        case Sent(receipt, detail):
            return Note("sent", provider, detail, receipt, took, working=known)
        case Deferred(reason, _, blame):
            failing = blame is Blame.PROVIDER
            return Note("deferred", provider, reason, took=took, failing=failing, working=known and not failing)
        case Rejected(reason):
            return Note("rejected", provider, reason, took=took, working=known)
        case Unknown(reason, blame):
            return Note("unknown", provider, reason, took=took, failing=blame is Blame.PROVIDER)
        case _:
            assert_never(outcome)


def _held(note: Note) -> Note:
    return Note(note.outcome, note.provider, note.reason, took=note.took, held=True, failing=note.failing)
