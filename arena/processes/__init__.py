"""Bot processes and builds, started, watched, stopped and ended by a launcher that never loads gRPC."""
