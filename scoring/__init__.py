"""From evidence to a belief: score terms, priors, the shopper model, the tempered posterior."""
