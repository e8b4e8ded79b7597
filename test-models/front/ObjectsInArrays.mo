//! run: check --class Objects.Named
//! run: check --class Objects.Listed
//! run: flatten --class Objects.Named
//! stdout: parameter Objects.Handle handles[2]
// External objects in arrays: a constructor is applied to each element as other functions are (Modelica 3.6 §12.4.6), and
// the array is made once and leaves nothing to the equations (§12.9.7).
package Objects
  class Handle
    extends ExternalObject;
    function constructor
      input String name;
      input Real table[:, 2];
      output Handle handle;
      external "C" handle = open_handle(name, table, size(table, 1));
    end constructor;
    function destructor
      input Handle handle;
      external "C" close_handle(handle);
    end destructor;
  end Handle;

  impure function write
    input Handle handle;
    input Real value;
    external "C" write_value(handle, value);
  end write;

  model Named
    parameter Handle handles[3] = Handle(name = {"a", "b", "c"}, table = fill(fill(0.0, 1, 2), 3));
  end Named;

  model Listed
    parameter Integer n = 2;
    Real u[n] = {time, 2*time};
  protected
    Handle handles[:] = {Handle(String(i), [0, i]) for i in 1:n};
  equation
    for i in 1:n loop
      write(handles[i], u[i]);
    end for;
  end Listed;
end Objects;
