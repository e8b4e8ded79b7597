//! exit: 1
//! code: MS2032 line 10
//! snapshot
//! mend: 14:     stage = 1; since = time;
model WhenBranchesDiffer "Two-stage cooler"
  Real T = 300 + 20*sin(time);
  discrete Integer stage(start = 0, fixed = true);
  discrete Real since(start = 0, fixed = true);
equation
  when T > 315 then
    stage = 2;
    since = time;
  elsewhen T > 305 then
    stage = 1;
  end when;
end WhenBranchesDiffer;
