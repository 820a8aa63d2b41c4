"""The oracle: the best that any agent could do, knowing the customer's rules and how targets are drawn.

It is no reference system: it stands on the customer's side of the wall and knows what no agent may, all but
the target. See docs/oracle.md for the method.
"""

from experiments.oracle.agent import Oracle
from experiments.oracle.plan import Plan, make_plans
from experiments.oracle.shoppers import Population

__all__ = ["Oracle", "Plan", "Population", "make_plans"]
