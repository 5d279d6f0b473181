"""Statistics of repeated, seeded runs: pure functions on arrays.

No input or output and no type of the rest of the project: arrays, numbers and labels in, numbers
out. Scores are higher-is-better; deviations are population deviations unless the name says
otherwise. NaN, infinities and empty arguments raise ValueError with the argument and the index.

Importing costs numpy and no more; scipy is loaded by the functions that need it.
"""

from benchaudit.statistics._types import Interval, Method
from benchaudit.statistics.betabinomial import (
    BetaBinomial,
    beta_binomial_ml,
    beta_binomial_moments,
)
from benchaudit.statistics.binomial import (
    clopper_pearson,
    demonstrably_stochastic,
    wilson,
    zero_failure_upper,
)
from benchaudit.statistics.bootstrap import (
    bootstrap_interval,
    bootstrap_mean_interval,
    cluster_bootstrap_mean_interval,
)
from benchaudit.statistics.celltable import CellSummary, summarise_cells
from benchaudit.statistics.design import (
    minimum_detectable_difference,
    runs_for_mean,
    runs_for_rate,
    runs_to_separate,
)
from benchaudit.statistics.dose import DegradationCurve, degradation_curve
from benchaudit.statistics.factorial import (
    VarianceShares,
    eta_squared,
    intraclass_correlation,
    variance_shares,
)
from benchaudit.statistics.power import (
    OutcomeModel,
    PowerStudy,
    clipped_scores,
    normal_differences,
    pass_fail,
    pilot_differences,
    power_study,
)
from benchaudit.statistics.published import (
    agentrelbench_cluster_interval,
    paper_mean_interval,
    paper_sign_flip_p,
)
from benchaudit.statistics.repeated import (
    always_fail,
    always_pass,
    audit_miss_rate,
    damage_mass_share,
    draw_all,
    pass_at_k,
    pass_hat_k,
    runs_to_observe,
    safe_hat_k,
    stochastic_share,
)
from benchaudit.statistics.significance import (
    McNemar,
    SignFlip,
    cliffs_delta,
    cliffs_delta_interval,
    fisher_exact,
    holm,
    mcnemar,
    paired_cliffs_delta,
    paired_cliffs_delta_interval,
    sign_flip_test,
    sign_test,
)
from benchaudit.statistics.spread import (
    cvar,
    mean,
    population_deviation,
    quantile,
    reliability_at,
    reliability_gap,
    sample_deviation,
    worst_case,
)

__all__ = [
    "BetaBinomial",
    "CellSummary",
    "DegradationCurve",
    "Interval",
    "McNemar",
    "Method",
    "OutcomeModel",
    "PowerStudy",
    "SignFlip",
    "VarianceShares",
    "agentrelbench_cluster_interval",
    "always_fail",
    "always_pass",
    "audit_miss_rate",
    "beta_binomial_ml",
    "beta_binomial_moments",
    "bootstrap_interval",
    "bootstrap_mean_interval",
    "cliffs_delta",
    "cliffs_delta_interval",
    "clipped_scores",
    "clopper_pearson",
    "cluster_bootstrap_mean_interval",
    "cvar",
    "damage_mass_share",
    "degradation_curve",
    "demonstrably_stochastic",
    "draw_all",
    "eta_squared",
    "fisher_exact",
    "holm",
    "intraclass_correlation",
    "mcnemar",
    "mean",
    "minimum_detectable_difference",
    "normal_differences",
    "paired_cliffs_delta",
    "paired_cliffs_delta_interval",
    "paper_mean_interval",
    "paper_sign_flip_p",
    "pass_at_k",
    "pass_fail",
    "pass_hat_k",
    "pilot_differences",
    "population_deviation",
    "power_study",
    "quantile",
    "reliability_at",
    "reliability_gap",
    "runs_for_mean",
    "runs_for_rate",
    "runs_to_observe",
    "runs_to_separate",
    "safe_hat_k",
    "sample_deviation",
    "sign_flip_test",
    "sign_test",
    "stochastic_share",
    "summarise_cells",
    "variance_shares",
    "wilson",
    "worst_case",
    "zero_failure_upper",
]
