"""Several machines that play one tournament: Dask hands its blocks to workers, and plays them elsewhere if one dies."""
