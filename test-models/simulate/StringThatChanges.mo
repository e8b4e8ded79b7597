//! run: simulate --format json
//! json: /completed == true
//! json: /final/busy == 1.0
//! json: /final/n == 2.0
//! json: /final/late == 1.0
//! json: /diagnostics/0/code == "MS6016"
//! json: /diagnostics/0/message contains "the word is idle>busy, n = 2"
// Strings in `when`, in relations and in messages; `edge` of a relation between them.
model StringThatChanges
  String s(start = "idle", fixed = true);
  String word;
  Boolean busy = s == "idle>busy";
  Boolean late = s < "lazy" and time > 0.75;
  Integer n(start = 0, fixed = true);
equation
  word = if busy then s else "not " + s;
  when time > 0.5 then
    s = pre(s) + ">busy";
  end when;
  when edge(busy) then
    n = if word == "idle>busy" then 2 else 1;
  end when;
  assert(n < 2, "the word is " + word + ", n = " + String(n), AssertionLevel.warning);
end StringThatChanges;
