"""From messages to replies: understanding, dialogue state, decisions, the plug-in agent."""
