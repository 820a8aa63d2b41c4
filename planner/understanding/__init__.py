"""Understanding a message: from its words to evidence, and which of its words gave which."""
