"""How it is played: systems times sessions on processes or a cluster, and the folder that a run leaves."""
