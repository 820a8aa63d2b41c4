"""Who shops: sessions, the simulated customer of the protocol, one conversation with it."""
