"""A generator of clothing, shoe and jewelry catalogs that are as hard to search as real ones."""

from experiments.generator.catalog import (
    GENERATOR_VERSION,
    generate_products,
    write_catalog,
    write_products,
)

__all__ = ["GENERATOR_VERSION", "generate_products", "write_catalog", "write_products"]
