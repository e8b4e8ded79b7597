//! Inputs of the model from a table: numbers straight between the rows, integers and Booleans held.

use std::sync::Arc;

/// Columns over time, as a user gives them. Two rows with the same time make a jump.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    times: Vec<f64>,
    columns: Vec<(String, Vec<f64>)>,
}

/// Why a table is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoTable {
    /// The number of the row, from 1.
    TimeGoesBack(usize),
    Empty,
}

impl Table {
    /// `columns` are names with one value per time.
    pub fn new(times: Vec<f64>, columns: Vec<(String, Vec<f64>)>) -> Result<Self, NoTable> {
        if times.is_empty() || times.iter().any(|t| !t.is_finite()) {
            return Err(NoTable::Empty);
        }
        if let Some(row) = (1..times.len()).find(|&i| times[i] < times[i - 1]) {
            return Err(NoTable::TimeGoesBack(row + 1));
        }
        Ok(Self { times, columns })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }
}

/// What a column drives in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Driven<T> {
    pub target: T,
    /// It keeps its value from row to row.
    pub held: bool,
}

/// The inputs of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Inputs<T> {
    table: Arc<Table>,
    /// What is driven, with the number of its column.
    signals: Vec<(Driven<T>, usize)>,
    /// The row from which the signals come at present; before the first one they are what it says.
    row: Option<usize>,
}

impl<T> Default for Inputs<T> {
    fn default() -> Self {
        Self {
            table: Arc::default(),
            signals: Vec::new(),
            row: None,
        }
    }
}

impl<T: Copy> Inputs<T> {
    /// Columns that drive nothing are left out.
    pub fn new(table: &Arc<Table>, mut find: impl FnMut(&str) -> Option<Driven<T>>) -> Self {
        let columns = table.names().enumerate();
        let signals = columns.filter_map(|(i, name)| Some((find(name)?, i)));
        Self {
            signals: signals.collect(),
            table: table.clone(),
            row: None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.signals.is_empty()
    }

    fn next(&self) -> usize {
        self.row.map_or(0, |row| row + 1)
    }

    /// Where the signals go another way than before, after the present row.
    pub fn next_break(&self) -> Option<f64> {
        (!self.signals.is_empty())
            .then(|| self.table.times.get(self.next()).copied())
            .flatten()
    }

    /// Rows up to `time` are reached. Whether a new one is.
    pub fn pass(&mut self, time: f64) -> bool {
        let before = self.row;
        while self
            .table
            .times
            .get(self.next())
            .is_some_and(|&t| t <= time)
        {
            self.row = Some(self.next());
        }
        self.row != before
    }

    /// The value and the slope of all signals.
    pub fn at(&self, time: f64) -> impl Iterator<Item = (T, f64, f64)> + '_ {
        let Table { times, columns } = &*self.table;
        let (i, j) = (self.row.unwrap_or(0), self.next());
        let begun = self.row.is_some();
        self.signals.iter().map(move |(driven, column)| {
            let values = &columns[*column].1;
            let here = values[i];
            let slope = match (times.get(j), values.get(j)) {
                (Some(&next), Some(there)) if begun && !driven.held && next > times[i] => {
                    (there - here) / (next - times[i])
                }
                _ => 0.0,
            };
            let since = (time - times[i]).max(0.0);
            (driven.target, here + slope * since, slope)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Driven, Inputs, NoTable, Table};
    use std::sync::Arc;

    #[test]
    fn signals_are_flat_before_and_behind_the_table_and_straight_between_its_rows() {
        let columns = vec![("u".to_owned(), vec![1.0, 3.0, 7.0])];
        let table = Arc::new(Table::new(vec![1.0, 2.0, 2.0], columns).unwrap());
        let mut inputs = Inputs::new(&table, |_| {
            Some(Driven {
                target: (),
                held: false,
            })
        });
        let mut at = |time: f64| {
            inputs.pass(time);
            let next = inputs.next_break();
            let (_, value, slope) = inputs.at(time).next().unwrap();
            (value, slope, next)
        };
        assert_eq!(at(0.0), (1.0, 0.0, Some(1.0)));
        assert_eq!(at(1.5), (2.0, 2.0, Some(2.0)));
        assert_eq!(at(2.0), (7.0, 0.0, None));
        let back = Table::new(vec![1.0, 0.0], Vec::new());
        assert_eq!(back, Err(NoTable::TimeGoesBack(2)));
    }
}
