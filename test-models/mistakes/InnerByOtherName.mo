//! exit: 1
//! code: MS2016 line 22
//! snapshot
//! mend: 21:   inner Winter weather;
// Wrong: the inner component has another name than the outer one.
model InnerByOtherName
  partial model Weather
    Real outside;
  end Weather;
  model Winter
    extends Weather;
  equation
    outside = 270 + 5*sin(time);
  end Winter;
  model House
    outer Weather weather;
    Real inside(start = 293, fixed = true);
  equation
    der(inside) = weather.outside - inside;
  end House;
  inner Winter climate;
  House house;
end InnerByOtherName;
