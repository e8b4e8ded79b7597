//! Statements.

use super::{Compiled, Compiler};
use crate::ins::{Bank, Ins, Of, Rel};
use crate::ty::{Kind, Val};
use modeshift_base::Name;
use modeshift_flat::model::{FlatExp, FlatRef, Statement, StatementKind};
use modeshift_inst::exp::Exp;

impl Compiler<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Compiled<()> {
        for statement in statements {
            let here = self.code.code.len() as u32;
            self.code.places.push((here, statement.origin.span));
            let mark = self.next;
            self.statement(&statement.kind)?;
            self.next = mark;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &StatementKind) -> Compiled<()> {
        match statement {
            StatementKind::Assign { target, value, .. } => self.assignment(target, value),
            StatementKind::If { branches, else_ } => {
                let mut ends = Vec::new();
                for (condition, body) in branches {
                    let mut otherwise = Vec::new();
                    self.jump_unless(condition, &mut otherwise)?;
                    self.statements(body)?;
                    let end = self.emit(Ins::Jmp(0));
                    ends.push(end);
                    for jump in otherwise {
                        self.land(jump);
                    }
                }
                self.statements(else_)?;
                for jump in ends {
                    self.land(jump);
                }
                Ok(())
            }
            StatementKind::For {
                iterator,
                range,
                body,
            } => {
                let range = range.as_ref().ok_or("the range of a loop is not known")?;
                self.breaks.push(Vec::new());
                self.for_each(*iterator, range, &mut |this| this.statements(body))?;
                self.end_loop();
                Ok(())
            }
            StatementKind::While { condition, body } => {
                self.breaks.push(Vec::new());
                let start = self.here();
                let mut out = Vec::new();
                self.jump_unless(condition, &mut out)?;
                self.statements(body)?;
                self.emit(Ins::Back(start));
                for jump in out {
                    self.land(jump);
                }
                self.end_loop();
                Ok(())
            }
            StatementKind::Assert {
                condition,
                message,
                level,
            } => {
                let condition = self.int(condition)?;
                let jump = self.emit(Ins::JmpIf(condition, 0));
                let message = self.string(message)?;
                let level = self.int(level)?;
                self.emit(Ins::Fail(message, level));
                self.land(jump);
                Ok(())
            }
            StatementKind::Terminate { message } => {
                let message = self.string(message)?;
                self.emit(Ins::Terminate(message));
                Ok(())
            }
            StatementKind::Call(call) => {
                if let Exp::Call(call) = call {
                    self.call(call)?;
                    return Ok(());
                }
                Err("something is called that is no function".into())
            }
            StatementKind::Break => {
                let jump = self.emit(Ins::Jmp(0));
                match self.breaks.last_mut() {
                    Some(breaks) => breaks.push(jump),
                    None => return Err("`break` is outside a loop".into()),
                }
                Ok(())
            }
            StatementKind::Return => {
                let jump = self.emit(Ins::Jmp(0));
                self.returns.push(jump);
                Ok(())
            }
            StatementKind::When { .. } => Err("it has a `when`".into()),
            StatementKind::Reinit { .. } => Err("it has a `reinit`".into()),
        }
    }

    fn end_loop(&mut self) {
        for jump in self.breaks.pop().unwrap_or_default() {
            self.land(jump);
        }
    }

    fn assignment(&mut self, target: &FlatExp, value: &FlatExp) -> Compiled<()> {
        if let Exp::Tuple(targets) = target {
            let outputs = match value {
                Exp::Call(call) => self.call(call)?,
                _ => return Err("several values are assigned at once".into()),
            };
            for (target, value) in targets.iter().zip(outputs) {
                if let Some(target) = target {
                    self.store(target, value)?;
                }
            }
            return Ok(());
        }
        let value = self.exp(value)?;
        self.store(target, value)
    }

    fn store(&mut self, target: &FlatExp, value: Val) -> Compiled<()> {
        let Exp::Ref(FlatRef::Local(local)) = target else {
            return Err("something is assigned that is no variable of the function".into());
        };
        let whole = local.parts.len() == 1;
        let name = local.parts.first().map(|(name, _)| *name);
        let fixed = name
            .and_then(|name| self.locals.get(&name))
            .is_some_and(|it| it.fixed);
        // Subscripts are evaluated after the value; none of them can change it.
        let (val, sels) = self.place(local)?;
        self.write(&val, &sels, value, fixed && whole)
    }

    /// A loop over a range or a vector. The body sees the iterator.
    pub(super) fn for_each(
        &mut self,
        iterator: Name,
        range: &FlatExp,
        body: &mut dyn FnMut(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        if let Exp::Range(range) = range {
            let start = self.exp(&range.start)?;
            let is_whole = |val: &Val| matches!(val, Val::Leaf(kind, 0, _) if kind.of() == Of::Int);
            let step = match &range.step {
                Some(step) => Some(self.exp(step)?),
                None => None,
            };
            let stop = self.exp(&range.stop)?;
            if is_whole(&start) && is_whole(&stop) && step.as_ref().is_none_or(is_whole) {
                return self.count_loop(iterator, (start, step, stop), body);
            }
        }
        let list = self.exp(range)?;
        let (kind, rank, reg) = match &list {
            Val::Leaf(kind, rank, reg) if *rank >= 1 => (kind.clone(), *rank, *reg),
            // An array of records: the elements are records.
            Val::Record(rank, _) if *rank >= 1 => {
                let leaf = list.first_leaf().ok_or("a loop over nothing")?;
                (leaf.0.clone(), *rank, leaf.2)
            }
            _ => return Err("a loop over something that is no vector".into()),
        };
        let _ = rank;
        // What is looped over may be assigned in the body.
        let list = match &list {
            Val::Leaf(kind, rank, reg)
                if !self.is_temporary(crate::ty::bank(kind, *rank), *reg) =>
            {
                let copy = self.take(crate::ty::bank(kind, *rank));
                self.emit(Ins::Copy(kind.of(), copy, *reg));
                Val::Leaf(kind.clone(), *rank, copy)
            }
            _ => list,
        };
        let one = self.int_literal(1);
        let limit = self.take(Bank::Int);
        self.emit(Ins::Dim(kind.of(), limit, reg, one));
        let index = self.take(Bank::Int);
        self.emit(Ins::MovI(index, one));
        let out = self.emit(Ins::JmpUnlessI(Rel::LessEq, index, limit, 0));
        let start = self.here();
        let mark = self.next;
        let item = self.read(&list, &[crate::ins::Sel::Index(index)])?;
        self.iterators.push((iterator, item));
        let result = body(self);
        self.iterators.pop();
        self.next = mark;
        result?;
        self.emit(Ins::Loop(index, limit, start));
        self.land(out);
        Ok(())
    }

    fn count_loop(
        &mut self,
        iterator: Name,
        (start, step, stop): (Val, Option<Val>, Val),
        body: &mut dyn FnMut(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        let kind = match &start {
            Val::Leaf(kind, ..) => kind.clone(),
            _ => Kind::Int,
        };
        let (start, stop) = (self.as_int(start)?, self.as_int(stop)?);
        let index = self.take(Bank::Int);
        let limit = self.take(Bank::Int);
        self.emit(Ins::MovI(index, start));
        let Some(step) = step else {
            self.emit(Ins::MovI(limit, stop));
            let out = self.emit(Ins::JmpUnlessI(Rel::LessEq, index, limit, 0));
            let head = self.here();
            let mark = self.next;
            self.iterators.push((iterator, Val::Leaf(kind, 0, index)));
            let result = body(self);
            self.iterators.pop();
            self.next = mark;
            result?;
            self.emit(Ins::Loop(index, limit, head));
            self.land(out);
            return Ok(());
        };
        let step = self.as_int(step)?;
        let pace = self.take(Bank::Int);
        self.emit(Ins::MovI(pace, step));
        self.emit(Ins::Count(limit, start, step, stop));
        let counter = self.take(Bank::Int);
        let one = self.int_literal(1);
        self.emit(Ins::MovI(counter, one));
        let out = self.emit(Ins::JmpUnlessI(Rel::LessEq, counter, limit, 0));
        // The value comes before the step, so that the last one cannot overflow.
        let enter = self.emit(Ins::Jmp(0));
        let head = self.here();
        self.emit(Ins::AddI(index, index, pace));
        self.land(enter);
        let mark = self.next;
        self.iterators.push((iterator, Val::Leaf(kind, 0, index)));
        let result = body(self);
        self.iterators.pop();
        self.next = mark;
        result?;
        self.emit(Ins::Loop(counter, limit, head));
        self.land(out);
        Ok(())
    }
}
