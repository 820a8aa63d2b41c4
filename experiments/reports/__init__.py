"""What is reported: tables, JSON, Markdown and figures of a run, and two runs compared."""
