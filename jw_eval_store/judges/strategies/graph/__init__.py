"""The judgement as a graph (DeepEval's DAG): small questions, each leading to the next or an end.

The model answers one node at a time and never gives the verdict: the graph does.
"""
