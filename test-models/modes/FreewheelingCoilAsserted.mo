//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 3
//! json: /classes len 2
//! json: /classes/0/when == "closed or conducts"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 2
//! json: /classes/1/when == "not closed and not conducts"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 0
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4004
//! json: /care/1/reason == "assertion"
// The same with an assertion that excludes the short circuit.
model FreewheelingCoilAsserted
  parameter Real E = 12, L = 0.01, R = 2;
  input Boolean closed;
  Boolean reached(start = true, fixed = true) = s >= 0, conducts = pre(reached);
  Real i(start = 0), u, iSwitch, iDiode, s;
equation
  assert(not (closed and conducts), "the diode blocks while the switch conducts");
  L*der(i) = u - R*i;
  i = iSwitch + iDiode;
  0 = if closed then u - E else iSwitch;
  0 = if conducts then u else iDiode;
  s = if conducts then iDiode else -u;
end FreewheelingCoilAsserted;
