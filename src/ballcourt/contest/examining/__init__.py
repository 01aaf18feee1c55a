"""How a submission is examined: leases of work, unpacking, the exam of the ladder, and handing over to the ladder."""
