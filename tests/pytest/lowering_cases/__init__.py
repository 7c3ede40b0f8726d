"""Programs that execute each op of the lowered dialects, and what they compute."""
