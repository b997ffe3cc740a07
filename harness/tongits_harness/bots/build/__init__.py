"""Builds of bots: fetch and build steps in the sandbox, kept by what they are made from."""

from tongits_harness.bots.build.builder import BuildServices, build, build_all
from tongits_harness.bots.build.values import (
    BuildError,
    BuildLimits,
    BuildReport,
    BuiltBot,
    StepReport,
    build_key,
    needs_build,
)

__all__ = [
    "BuildError",
    "BuildLimits",
    "BuildReport",
    "BuildServices",
    "BuiltBot",
    "StepReport",
    "build",
    "build_all",
    "build_key",
    "needs_build",
]
