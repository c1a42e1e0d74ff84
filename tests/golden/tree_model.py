"""A model as XGBoost saves it, and UBJSON, which it saves it in: an encoder of its own."""

import struct

LEAF = {"left": -1, "right": -1, "feature": 0, "gain": 0.0, "cover": 1.0}


def tree(*splits: tuple[int, float, float]) -> dict:
    """Splits as (feature, gain, cover), each the left child of the one before."""
    count = len(splits)
    nodes = [
        {"left": at + 1, "right": count + 1 + at, "feature": feature, "gain": gain, "cover": cover}
        for at, (feature, gain, cover) in enumerate(splits)
    ] + [LEAF] * (count + 1)
    return {
        "left_children": [node["left"] for node in nodes],
        "loss_changes": [node["gain"] for node in nodes],
        "right_children": [node["right"] for node in nodes],
        "split_indices": [node["feature"] for node in nodes],
        "sum_hessian": [node["cover"] for node in nodes],
        "tree_param": {"num_nodes": str(len(nodes))},
    }


def model(trees: list, names: list, objective: str = "reg:squarederror") -> dict:
    gradient_booster = {
        "model": {
            "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
            "iteration_indptr": list(range(len(trees) + 1)),
            "trees": trees,
        },
        "name": "gbtree",
    }
    return {
        "learner": {
            "attributes": {"best_iteration": str(len(trees) - 1)},
            "feature_names": names,
            "gradient_booster": gradient_booster,
            "learner_model_param": {"num_class": "0", "num_feature": str(len(names))},
            "objective": {"name": objective},
        },
        "version": [3, 2, 0],
    }


def small_model() -> dict:
    return model([tree((0, 4.5, 10.0)), tree((1, 2.0, 8.0), (0, 1.0, 5.0))], ["age", "income"])


def ubjson(value) -> bytes:
    """As XGBoost writes it: lengths of 64 bits, and typed arrays of single floats."""
    if isinstance(value, dict):
        return b"{" + b"".join(ubjson(key)[1:] + ubjson(member) for key, member in value.items()) + b"}"
    if isinstance(value, str):
        return b"SL" + struct.pack(">q", len(value.encode())) + value.encode()
    if isinstance(value, float):
        return b"d" + struct.pack(">f", value)
    if isinstance(value, int):
        return b"l" + struct.pack(">i", value)
    if value and all(isinstance(one, float) for one in value):
        return b"[$d#L" + struct.pack(">q", len(value)) + struct.pack(f">{len(value)}f", *value)
    if value and all(isinstance(one, int) for one in value):
        return b"[$l#L" + struct.pack(">q", len(value)) + struct.pack(f">{len(value)}i", *value)
    return b"[#L" + struct.pack(">q", len(value)) + b"".join(map(ubjson, value))
