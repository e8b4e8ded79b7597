//! run: check
//! run: simulate --format json
//! approx: /final/y == 2 +- 1e-9
//! approx: /final/b == 1 +- 0.1
// An equation between records holds for each field, for those that are not numbers as well, whichever side gives the value.
model RecordsWithFlags
  record Definition
    Real h;
    Boolean split;
  end Definition;
  connector Input = input Definition;
  connector Output = output Definition;
  block Given
    parameter Definition p = Definition(h = 2, split = true);
    parameter Boolean useInput = false;
    Output o;
    Input i if useInput;
  protected
    Input inside;
    Definition v;
  equation
    if not useInput then
      inside = p;
    end if;
    connect(i, inside);
    v = inside;
    o = v;
  end Given;
  Given given;
  Real y = given.o.h;
  Boolean b = given.o.split;
end RecordsWithFlags;
