"""Past one machine: `players` gives sessions to a Dask cluster, `task` plays a batch there."""
