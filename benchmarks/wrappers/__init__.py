"""What wrappers do: sections learnt and read, the paper's Table 2 again, values beside the CIA's own, cost."""
