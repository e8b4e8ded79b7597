//! run: simulate --format json
//! json: /completed == true
//! approx: /final/digits == 1239874987 +- 1e-3
//! approx: /final/twice.y == 14 +- 1e-9
//! run: check
// Outputs of two states are connected with one input: it follows the state that is active. `down` is reset whenever it is
// entered, `up` goes on.
model ConnectedStates
  connector In = input Integer;
  connector Out = output Integer;
  block Up
    Out y(start = 0);
  equation
    y = previous(y) + 1;
  end Up;
  block Down
    Out y(start = 10);
  equation
    y = previous(y) - 1;
  end Down;
  block Twice
    In u;
    Out y;
  equation
    y = 2*u;
  end Twice;
  Up up;
  Down down;
  Twice twice;
  Real digits(start = 0);
equation
  initialState(up);
  transition(up, down, up.y >= 3, immediate = false);
  transition(down, up, down.y <= 7, immediate = false, reset = false);
  connect(up.y, twice.u);
  connect(down.y, twice.u);
  digits = 10*previous(digits) + twice.u + sample(0, Clock(1, 10));
  annotation(experiment(StopTime = 0.95));
end ConnectedStates;
