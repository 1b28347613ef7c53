"""The outermost group: turns every error into a message on stderr and the right exit code."""

from __future__ import annotations

import errno
from typing import IO, Any

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_store.domain.errors import JwEvalError

INTERNAL_ERROR = 4
INTERRUPTED = 130
BROKEN_PIPE = 141


class Failure(click.ClickException):
    """An error with its exit code, shown as `jw-eval: message` with the next step."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]  # click declares it per class

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it to stderr."""
        click.echo(f"jw-eval: {self.message}", err=file is None, file=file)


class Application(LazyGroup):
    """Errors are translated here, so that they also hold where another program mounts the group."""

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command; see docs/cli.md for the exit codes."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.UsageError, Failure):
            raise
        except click.ClickException as error:
            raise Failure(error.format_message(), 2) from error
        except (KeyboardInterrupt, click.Abort) as error:
            raise Failure("interrupted", INTERRUPTED) from error
        except JwEvalError as error:
            raise Failure(str(error), error.exit_code) from error
        except Exception as error:
            raise self._unexpected(ctx, error) from error

    @staticmethod
    def _unexpected(ctx: click.Context, error: Exception) -> click.exceptions.Exit | Failure:
        if isinstance(error, OSError) and error.errno == errno.EPIPE:
            return click.exceptions.Exit(BROKEN_PIPE)
        if from_outside := _from_outside(error):
            return from_outside
        if ctx.params.get("debug"):
            import traceback

            click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
        hint = "run it again with `jw-eval --debug ...`, and report the traceback"
        message = f"internal error: {type(error).__name__}: {error}\n  next: {hint}"
        return Failure(message, INTERNAL_ERROR)


_WRONG_PATH = {errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP}


def _from_outside(error: Exception) -> Failure | None:
    """What no code of ours did wrong: a path, a text or a number that the system cannot take."""
    if isinstance(error, OSError) and error.strerror:
        name = str(error.filename or "")
        shown = name if len(name) <= 200 else f"{name[:200]}..."
        said = f"{shown}: {error.strerror}" if name else error.strerror
        return Failure(said, 2 if error.errno in _WRONG_PATH else 3)
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        shown = error.object.encode(errors="backslashreplace").decode()[:200]
        return Failure(f"'{shown}' is not UTF-8\n  next: mend the argument or file name", 2)
    if isinstance(error, ValueError) and str(error).startswith("embedded null"):
        return Failure("a path holds a NUL character\n  next: mend the configuration", 2)
    if isinstance(error, OverflowError):
        return Failure("a number is larger than can be stored\n  next: take a smaller one", 2)
    return None
