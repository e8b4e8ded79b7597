//! code: MS4006 line 9
//! snapshot
//! mend: 9:   alarm = x > 5 or x < 3;
model AlarmThatNeverRings "Alarm outside of a range"
  Real x = 10*sin(time);
  Boolean alarm;
  Integer n(start = 0, fixed = true);
equation
  alarm = x > 5 and x < 3;
  when alarm then
    n = pre(n) + 1;
  end when;
end AlarmThatNeverRings;
