//! exit: 1
//! code: MS2034 line 8
//! snapshot
//! mend: 6:   Real km(start = 0, fixed = true);
model OdometerAsInteger "Distance"
  Integer km(start = 0, fixed = true);
equation
  der(km) = 1;
end OdometerAsInteger;
