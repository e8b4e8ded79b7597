//! run: check --class SubscriptOutOfBounds
//! exit: 1
//! code: MS2026 line 7
// Wrong: a constant subscript outside of the array.
model SubscriptOutOfBounds
  Real v[3] = {1, 2, 3}*time;
  Real y = v[4];
end SubscriptOutOfBounds;
