//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 4
//! json: /classes len 3
//! json: /classes/0/when == "closed and not conducts or not closed and conducts"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 1
//! json: /classes/0/dof == 1
//! json: /classes/0/count == 2
//! json: /classes/1/when == "not closed and not conducts"
//! json: /classes/1/index == 1
//! json: /classes/1/pryce_index == 2
//! json: /classes/1/dof == 0
//! json: /classes/1/count == 1
//! json: /classes/2/when == "closed and conducts"
//! json: /classes/2/singular != null
//! json: /classes/2/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
//! code: MS4001
// A coil with a switch and a diode across it. Both conducting short the source: `u` is given twice, while the two
// currents have only their sum. A run goes around that mode, since the diode reads the instant before. Both open force the current of the coil to zero: index 1, no freedom.
model FreewheelingCoil
  parameter Real E = 12, L = 0.01, R = 2;
  input Boolean closed;
  Boolean reached(start = true, fixed = true) = s >= 0, conducts = pre(reached);
  Real i(start = 0), u, iSwitch, iDiode, s;
equation
  L*der(i) = u - R*i;
  i = iSwitch + iDiode;
  0 = if closed then u - E else iSwitch;
  0 = if conducts then u else iDiode;
  s = if conducts then iDiode else -u;
end FreewheelingCoil;
