//! Start values that contradict each other, found without a run.
//!
//! A model with more conditions on its start than degrees of freedom, or with initial equations, is started, by the same
//! initial system that a simulation solves; only a contradiction is reported. Models with as many fixed start values as
//! degrees of freedom, which are nearly all, cost nothing.

use crate::modes::{analysis, with_circuit};
use crate::pipeline::{is_component, is_translated};
use crate::plain::outlined;
use crate::simulate::{Engine, Request, run};
use crate::{Db, Session, without_clocks};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_flat::balance::{equation_count, statement_targets};
use modeshift_flat::circuit::Circuit;
use modeshift_flat::model::{FlatExp, FlatModel};
use modeshift_flat::walk::walk;
use modeshift_hir::ClassId;
use modeshift_inst::exp::Callee;
use modeshift_inst::ty::{Type, Variability};
use modeshift_mdae::analysis::Kind;
use modeshift_sim::run::{Options, Solver};
use modeshift_sim::sorted::{self, diagnose};
use modeshift_sim::tape::Functions;
use std::sync::Arc;

/// Models with more variables than this are not started by a check.
const MAX_VARIABLES: usize = 20_000;

/// As many conditions as degrees of freedom may still contradict each other where some are initial equations: smaller models
/// are started to find out.
const MAX_WITH_EQUATIONS: usize = 2_000;

/// What is wrong with the start of a model whose modes are in order.
#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn start_findings(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    let Some((conditions, computed)) = *worth_a_start(db, class) else {
        return Vec::new();
    };
    let model = without_clocks(db, class);
    let by_equations =
        !model.initial_equations.is_empty() && model.variables.len() <= MAX_WITH_EQUATIONS;
    let doubtful = || {
        conditions > 0
            && freedom(db, class).is_some_and(|freedom| conditions > freedom || by_equations)
    };
    if !(doubtful() || computed && model.variables.len() <= MAX_WITH_EQUATIONS) {
        return Vec::new();
    }
    let functions = Functions::new(&model.functions);
    let overrides = FxHashMap::default();
    let options = nothing_but_the_start();
    let Ok(outcome) = sorted::run(model, &functions, &overrides, &options, &mut |_| {}) else {
        return Vec::new();
    };
    if let (Some(trouble), true) = (functions.take_error(), outcome.stop.is_some()) {
        let mut told = with_circuit(db, class, |circuit| {
            diagnose::diagnostics(&outcome, Some(circuit))
        });
        let Some(mut last) = told.pop() else {
            return Vec::new();
        };
        crate::calls::explain(&mut last, &trouble, Some(0.0));
        return vec![last];
    }
    let told = with_circuit(db, class, |circuit| {
        diagnose::contradicting_start(&outcome, Some(circuit))
    });
    // Where the mode at the start may be another one a run goes on from what fits best.
    let severity = match outcome
        .stop
        .as_ref()
        .is_some_and(|stop| stop.kind.may_be_structural())
    {
        true => Severity::Warning,
        false => Severity::Error,
    };
    told.map(|it| it.with_severity(severity))
        .into_iter()
        .collect()
}

fn nothing_but_the_start() -> Options {
    Options {
        start: 0.0,
        stop: 0.0,
        tolerance: 1e-6,
        interval: 1.0,
        solver: Solver::Auto,
        params: FxHashMap::default(),
        inputs: Arc::default(),
        keep_undetermined: false,
        profile: false,
    }
}

impl Session {
    /// A model with modes that are meant for an instant may have start values that lie in one of them: then no run can begin.
    /// Models without a law for an instant cost nothing.
    pub(crate) fn start_in_an_instant(&self, class: ClassId) -> Option<Diagnostic> {
        if is_component(self.db(), class) || !analysis(self.db(), class, false).has_laws() {
            return None;
        }
        let model = without_clocks(self.db(), class);
        let pure = model.functions.iter().all(|function| function.pure);
        if !pure || model.variables.len() > MAX_WITH_EQUATIONS {
            return None;
        }
        let request = Request {
            class: Some(&model.name),
            options: nothing_but_the_start(),
            engine: Engine::Fitting,
            set: &[],
            prepare: &|_| {},
        };
        let run = run(self, &request, &mut |_| {}).ok()?;
        let stops = run.diagnostics.into_iter();
        let mut stops = stops.filter(|it| it.code == Code::MS6012);
        stops.next().map(|it| it.with_severity(Severity::Warning))
    }
}

/// How many conditions there are on the start, and whether a parameter is computed by a function. `None` if the start is not looked
/// at.
#[salsa::tracked(returns(ref))]
fn worth_a_start(db: &dyn Db, class: ClassId) -> Option<(usize, bool)> {
    let outlined = outlined(db, class).filter(|_| !is_translated(db, class));
    let model = match outlined {
        Some(outlined) => outlined,
        None => without_clocks(db, class),
    };
    let pure = model.functions.iter().all(|function| function.pure);
    let conditions = conditions(model);
    let computed = with_circuit(db, class, |circuit| computes_parameters(model, circuit));
    let looked_at = (conditions > 0 || computed) && pure && model.variables.len() <= MAX_VARIABLES;
    looked_at.then_some((conditions, computed))
}

/// Whether a parameter has a value that a function of the modeller computes, which may fail.
fn computes_parameters(model: &FlatModel, circuit: &Circuit<'_>) -> bool {
    let own = model
        .functions
        .iter()
        .filter(|it| (circuit.own)(it.origin.span));
    let own: FxHashSet<&str> = own.map(|it| &*it.name).collect();
    let parameters = model
        .variables
        .iter()
        .filter(|it| it.variability == Variability::Parameter);
    !own.is_empty()
        && parameters
            .filter_map(|it| it.binding.as_ref())
            .any(|binding| {
                let mut found = false;
                walk(binding, &mut |part| {
                    if let FlatExp::Call(call) = part
                        && let Callee::User(name) = &call.function
                    {
                        found |= own.contains(&**name);
                    }
                });
                found
            })
}

/// Fixed start values and initial equations of a model, without those that are needed for parameters which are not fixed.
fn conditions(model: &FlatModel) -> usize {
    let (mut fixed, mut free) = (0, 0);
    for variable in &model.variables {
        let mut attributes = variable.attributes.iter();
        let Some(attribute) = attributes.find(|it| it.name.as_str() == "fixed") else {
            continue;
        };
        match (
            variable.variability <= Variability::Parameter,
            &attribute.value,
        ) {
            (true, FlatExp::Bool(false)) => free += 1,
            (true, _) | (false, FlatExp::Bool(false)) => {}
            (false, _) => fixed += usize::from(variable.ty == Type::Real),
        }
    }
    let equations = model.initial_equations.iter();
    let equations: usize = equations.map(|it| equation_count(model, it)).sum();
    let algorithms = model.initial_algorithms.iter();
    let assigned = algorithms.map(|it| statement_targets(model, &it.statements).len());
    (fixed + equations + assigned.sum::<usize>()).saturating_sub(free)
}

/// The degrees of freedom of a model, in the modes that have most of them. Nothing if they are not known.
fn freedom(db: &dyn Db, class: ClassId) -> Option<usize> {
    let mut sum = 0;
    for part in &analysis(db, class, false).parts {
        let classes = &part.classes.as_ref()?.classes;
        let of_class = |class: &modeshift_mdae::analysis::Class| match &class.kind {
            // Not worked out is negative.
            Kind::Regular(indices) => usize::try_from(indices.degrees_of_freedom).ok(),
            Kind::Transient => Some(0),
            Kind::Singular(_) => None,
        };
        let freedoms: Option<Vec<usize>> = classes.iter().map(of_class).collect();
        sum = freedoms?.into_iter().max().unwrap_or(0).saturating_add(sum);
    }
    Some(sum)
}
