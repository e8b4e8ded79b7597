//! run: simulate
//! exit: 1
//! code: MS6001 line 8
//! stderr: `s` is a String
// Strings that change with time are refused by name.
model StringThatChanges
  String s(start = "idle");
  Boolean busy = s == "busy";
equation
  when time > 0.5 then
    s = "busy";
  end when;
end StringThatChanges;
