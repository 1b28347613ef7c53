"""Models of the Hugging Face hub that are already on this machine: never fetched from here.

Asking the hub without a network takes 70 s of retries; a missing model is refused at once.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from jw_eval_store.domain.errors import UsageError


class LocalModel(NamedTuple):
    """A folder with a model, and the revision of what is in it."""

    folder: Path
    revision: str


def local_model(name: str) -> LocalModel:
    """The model of a path, or of a hub name in the local cache.

    The revision is the hub's commit, or a digest of the folder's files. Raises UsageError with the
    next step where it is neither.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return LocalModel(folder, _digest(folder))
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        cached = Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise UsageError(
            f"the model {name} is neither a folder nor in the local cache",
            hint=f"fetch it once with a network: hf download {name}",
        ) from error
    return LocalModel(cached, cached.name)


def _digest(folder: Path) -> str:
    """Digest of every file's name and content, in the order of their names."""
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(f"{path.relative_to(folder).as_posix()}\n{content}\n".encode())
    return total.hexdigest()[:16]
