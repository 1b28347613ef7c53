"""What can be tried in a training; the defaults are what the shipped model was made with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """`layers` of the start's 12 are kept, the top `trained` of them learn, the segments come in
    below the top `marked`.

    What the start does not have learns `new_faster` times as fast; `smoothing` is of labels
    (Szegedy et al. 2016); `averaging` how slowly the mean of the weights follows; `evaluations` in
    the whole training, `patience` how many of them without progress; `teacher` names an earlier
    training whose probabilities count as much as the labels (Hinton et al. 2015): a distillation
    that knows nothing but the same data; `earlier` is the ONNX file of an earlier export to go on
    from.
    """

    epochs: float = 2.0
    rate: float = 1.2e-4
    decay_per_layer: float = 0.95
    new_faster: float = 5.0
    layers: int = 12
    trained: int = 6
    marked: int = 6
    smoothing: float = 0.05
    per_language: bool = False
    averaging: float = 0.998
    warmup: float = 0.06
    weight_decay: float = 0.01
    seed: int = 1
    evaluations: int = 3
    patience: int = 4
    teacher: str = ""
    earlier: str = ""
