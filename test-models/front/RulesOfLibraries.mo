//! run: check --library lib
//! stderr: warning[MS2031]
//! stderr: warning[MS2078]
//! stderr: warning[MS3010]
//! run: check lib/OldHabits
//! exit: 1
//! code: MS2031
// What a library does against rules that a flat model can do without cannot be changed by who uses it: it is a warning. Where the
// library itself is checked, it is an error.
model RulesOfLibraries
  OldHabits.Tank tank;
end RulesOfLibraries;
