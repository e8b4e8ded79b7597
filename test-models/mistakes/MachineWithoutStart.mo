//! exit: 1
//! code: MS2076 line 21
//! snapshot
//! mend: 22+:   initialState(up);
// Wrong: no state of the machine is the first.
model MachineWithoutStart
  block Up
    outer output Integer count;
  equation
    count = previous(count) + 1;
  end Up;
  block Down
    outer output Integer count;
  equation
    count = previous(count) - 1;
  end Down;
  inner Integer count(start = 0);
  Up up;
  Down down;
equation
  transition(up, down, count > 5, immediate = false);
  transition(down, up, count < 1, immediate = false);
end MachineWithoutStart;
