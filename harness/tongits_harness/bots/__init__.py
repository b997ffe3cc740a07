"""Bot processes: manifest, sandbox, process, link, lane."""
