import tomllib
from pathlib import Path
VALUES = tomllib.loads((Path(__file__).parents[1] / "components" / "fossilium.toml").read_text())
SHEET = None
