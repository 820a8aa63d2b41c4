"""What ends a command with one line."""


class InputError(ValueError):
    """What a command was given cannot be used; the message says what and why, in one line."""
