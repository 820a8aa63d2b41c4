"""From a catalog file to arrays: readers, spec fingerprints, categories, attributes, lexical search."""
