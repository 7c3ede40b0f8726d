"""A dialect of sensors: a project that uses xDSL, and knows nothing of ours."""
