"""The offline runner: generated catalogs, the simulated customer, scoring, reports."""
