"""Fine-tuning, seeded and resumable.

AdamW (Loshchilov & Hutter 2019), bfloat16 autocast, linear warm-up and decay, smaller steps for
lower layers (Howard & Ruder 2018), an exponential mean of the weights (Polyak & Juditsky 1992)
that is what is evaluated and kept, early stopping on development pairs.
"""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from nli_training.batches import Batch, Encoded, batch_of, batches, encode
from nli_training.network import CrossEncoder
from nli_training.pairs import NOT_ENTAILED, Pair
from nli_training.recipe import Recipe
from nli_training.scores import by_source

NEW = ("segments", "dense", "head")
"""What the start does not have."""


def _autocast() -> torch.autocast:
    """bfloat16 where the processor has it; elsewhere it is emulated, twenty times slower."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported())


def groups_of(network: CrossEncoder, recipe: Recipe) -> list[dict[str, Any]]:
    """Parameters with their rates; word vectors and layers below `trained` stay as they are."""
    depth = len(network.layers)
    for name, parameter in network.named_parameters():
        parameter.requires_grad_(_learns(name, depth, recipe))
    groups = []
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            below = depth - 1 - int(name.split(".")[1]) if name.startswith("layers.") else 0
            below = depth if name.startswith(("positions", "norm")) else below
            rate = recipe.rate * recipe.decay_per_layer**below
            rate *= recipe.new_faster if name.startswith(NEW) else 1.0
            decay = recipe.weight_decay if parameter.ndim > 1 else 0.0
            groups.append({"params": [parameter], "lr": rate, "top": rate, "weight_decay": decay})
    return groups


def _learns(name: str, depth: int, recipe: Recipe) -> bool:
    if name.startswith("layers."):
        return int(name.split(".")[1]) >= depth - recipe.trained
    bottom = name.startswith(("positions", "norm"))
    return not name.startswith("words") and (not bottom or recipe.trained >= depth)


def loss_of(logits: Tensor, labels: Tensor, smoothing: float) -> Tensor:
    """Cross entropy; where only "not entailed" is known, of the two other classes together."""
    partly = labels == NOT_ENTAILED
    whole = functional.cross_entropy(
        logits, labels.masked_fill(partly, 0), label_smoothing=smoothing, reduction="none"
    )
    rest = torch.logsumexp(logits, 1) - torch.logsumexp(logits[:, 1:], 1)
    return torch.where(partly, rest, whole).mean()


def lower_states(network: CrossEncoder, batch: Batch) -> Tensor:
    """What the layers that don't learn give; made once per pair and kept, as they don't change."""
    if network.first == 0:
        return network.lower(batch.ids, batch.attention)
    if any(row.state is None for row in batch.rows):
        learning = network.training
        network.eval()
        with torch.no_grad(), _autocast():
            made = network.lower(batch.ids, batch.attention).to(torch.bfloat16)
        network.train(learning)
        for row, state in zip(batch.rows, made, strict=True):
            row.state = state[: len(row.ids)].clone()
    states = [row.state for row in batch.rows if row.state is not None]
    return nn.utils.rnn.pad_sequence(states, batch_first=True).float()


def teach(teacher: CrossEncoder, rows: list[Encoded]) -> None:
    """Note what a teacher says of each row; its states of lower layers are dropped again."""
    said = torch.from_numpy(probabilities(teacher, rows))
    for row, soft in zip(rows, said, strict=True):
        row.soft, row.state = soft, None


def taught_loss(logits: Tensor, batch: Batch) -> Tensor:
    """Cross entropy with the teacher's probabilities."""
    soft = torch.stack([row.soft for row in batch.rows if row.soft is not None])
    return -(soft * torch.log_softmax(logits, 1)).sum(1).mean()


@torch.no_grad()
def probabilities(network: CrossEncoder, rows: list[Encoded]) -> np.ndarray:
    """[pairs, 3], in the order of the rows."""
    network.eval()
    out = np.zeros((len(rows), 3), dtype=np.float32)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i].ids))
    for at in range(0, len(order), 48):
        chosen = order[at : at + 48]
        batch = batch_of([rows[i] for i in chosen])
        states = lower_states(network, batch)
        with _autocast():
            logits = network.upper(states, batch.segments, batch.attention)
        out[chosen] = torch.softmax(logits.float(), 1).numpy()
    return out


class Trainer:
    """One training: the state that a checkpoint holds, and the loop."""

    def __init__(
        self,
        network: CrossEncoder,
        tokenizer: Tokenizer,
        training: list[Pair],
        development: list[Pair],
        recipe: Recipe,
        folder: Path,
    ) -> None:
        self.network, self.recipe, self.folder = network, recipe, folder
        self.rows = encode(tokenizer, training)
        self.held, self.held_rows = development, encode(tokenizer, development)
        self.optimizer = torch.optim.AdamW(groups_of(network, recipe), betas=(0.9, 0.98))
        self.mean = copy.deepcopy(network).eval()
        per_epoch = sum(1 for _ in batches(self.rows, recipe.seed, recipe.per_language))
        self.steps = max(1, round(per_epoch * recipe.epochs))
        self.step, self.epoch, self.place = 0, 0, 0
        self.best, self.since_best, self.seconds = -1.0, 0, 0.0

    def run(self) -> None:
        """To the end, or until nothing gets better; goes on from the checkpoint if there is one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._resume()
        every = math.ceil(self.steps / self.recipe.evaluations)
        while self._goes_on():
            for batch in self._rest_of_epoch():
                started = time.perf_counter()
                loss = self._learn(batch)
                self.seconds += time.perf_counter() - started
                if self.step % 50 == 0:
                    self._log({"step": self.step, "of": self.steps, "loss": round(loss, 4)})
                if self.step % every == 0 or self.step == self.steps:
                    self._evaluate()
                if not self._goes_on():
                    break
            self.epoch, self.place = self.epoch + 1, 0

    def _goes_on(self) -> bool:
        return self.step < self.steps and self.since_best <= self.recipe.patience

    def _rest_of_epoch(self) -> Iterator[Batch]:
        """From where it stands; epochs differ in how many batches they are cut into."""
        made = batches(self.rows, self._seed(self.epoch), self.recipe.per_language)
        return islice(made, self.place, None)

    def _seed(self, epoch: int) -> int:
        return self.recipe.seed * 1000 + epoch

    def _learn(self, batch: Batch) -> float:
        self.network.train()
        share = self.step / self.steps
        factor = min(1.0, share / self.recipe.warmup) if self.recipe.warmup else 1.0
        factor = min(factor, (1 - share) / (1 - self.recipe.warmup))
        for group in self.optimizer.param_groups:
            group["lr"] = group["top"] * max(factor, 0.02)
        with _autocast():
            states = lower_states(self.network, batch)
            logits = self.network.upper(states, batch.segments, batch.attention)
        loss = loss_of(logits.float(), batch.labels, self.recipe.smoothing)
        if self.recipe.teacher:
            loss = (loss + taught_loss(logits.float(), batch)) / 2
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.step, self.place = self.step + 1, self.place + 1
        self._average()
        return float(loss.detach())

    @torch.no_grad()
    def _average(self) -> None:
        keep = min(self.recipe.averaging, (1 + self.step) / (10 + self.step))
        for mean, now in zip(self.mean.parameters(), self.network.parameters(), strict=True):
            if now.requires_grad:
                mean.lerp_(now, 1 - keep)

    def _evaluate(self) -> None:
        scores = by_source(self.held, probabilities(self.mean, self.held_rows))
        value = float(np.nanmean([s.area for s in scores.values()]))
        better = value > self.best
        self.best, self.since_best = max(value, self.best), 0 if better else self.since_best + 1
        _write(self.mean.state_dict(), self.folder / f"at-{self.step}.pt")
        if better:
            _write(self.mean.state_dict(), self.folder / "best.pt")
        self._log(
            {"step": self.step, "seconds": round(self.seconds), "area": round(value, 4)}
            | {name: [round(v, 3) for v in asdict(s).values()] for name, s in scores.items()}
        )
        self._save()

    def _save(self) -> None:
        state = {
            "network": self.network.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "recipe": asdict(self.recipe),
            "at": (self.step, self.epoch, self.place),
            "progress": (self.best, self.since_best, self.seconds),
        }
        _write(state, self.folder / "checkpoint.pt")

    def _resume(self) -> None:
        file = self.folder / "checkpoint.pt"
        if not file.exists():
            torch.manual_seed(self.recipe.seed)
            return
        state = torch.load(file, weights_only=True)
        if state["recipe"] != asdict(self.recipe):
            raise SystemExit(f"{file} is of another recipe; choose another folder or remove it")
        self.network.load_state_dict(state["network"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.step, self.epoch, self.place = state["at"]
        self.best, self.since_best, self.seconds = state["progress"]
        self._log({"resumed": self.step})

    def _log(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, ensure_ascii=False)
        print(line, flush=True)
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")


def _write(state: Any, file: Path) -> None:
    """Whole or not at all."""
    draft = file.with_suffix(".draft")
    torch.save(state, draft)
    draft.replace(file)
