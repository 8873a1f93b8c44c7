"""Structured logs: JSON lines with correlation ids, or readable ones on a terminal."""

from __future__ import annotations

import logging
import sys

from tidings.kit.settings import LogSettings

# structlog imports rich wherever it is installed, for tracebacks that are not ours to print: a third of the time
# that a process takes to start. It does without where rich cannot be had.
_hides_rich = sys.modules.setdefault("rich", None) is None  # type: ignore[arg-type]
import structlog  # noqa: E402

if _hides_rich:
    del sys.modules["rich"]


def configure(settings: LogSettings) -> None:
    """One format for everything that this process logs, libraries included, on standard error."""
    pretty = settings.format == "console" or (settings.format == "auto" and sys.stderr.isatty())
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if pretty else structlog.processors.JSONRenderer()
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.level.upper())
    for name in ("aio_pika", "aiormq"):  # we say ourselves that a broker is away, once
        logging.getLogger(name).setLevel(logging.CRITICAL)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # every step of a migration is of no interest to users
