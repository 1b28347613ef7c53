"""Small models of the classes that users run, made on the spot with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = ["el", "alma", "muere", "no", "dios", "es", "un", "los", "muertos", "saben", "reino", "."]


def _tokenizer(folder: Path, window: int) -> Any:
    from transformers import BertTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join([*special, *WORDS]), "utf-8")
    return BertTokenizerFast(str(vocabulary), model_max_length=window)


def _config(**options: Any) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(WORDS) + 5,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        **options,
    )


def make_sentence_transformer(folder: Path, window: int = 16) -> Path:
    """A sentence-transformers model: BERT of one layer, mean pooling, a window of few tokens."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertModel

    torch.manual_seed(1)
    base = folder / "base"
    base.mkdir(parents=True)
    BertModel(_config()).save_pretrained(base)
    _tokenizer(base, window).save_pretrained(base)
    transformer = Transformer(str(base), max_seq_length=window)
    model = SentenceTransformer(modules=[transformer, Pooling(32)], device="cpu")
    model.save(str(folder / "model"))
    return folder / "model"


def make_cross_encoder(folder: Path, labels: tuple[str, ...], window: int = 32) -> Path:
    """A sequence classifier of one layer with these labels."""
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(1)
    folder.mkdir(parents=True)
    names = dict(enumerate(labels))
    config = _config(
        num_labels=len(labels), id2label=names, label2id={v: k for k, v in names.items()}
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    _tokenizer(folder, window).save_pretrained(folder)
    return folder
