"""What the forgers of one family share: the shape of its submissions, and small edits of it.

Part of the public API: probes import it. Standard library only, since forgers run inside
benchmark environments.
"""
