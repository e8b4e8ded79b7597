//! run: flatten
//! stdout: x := 2.0 * time "twice";
// The description of an assignment stays with it.
model DescribedStatement
  Real x;
algorithm
  x := 2*time "twice";
end DescribedStatement;
