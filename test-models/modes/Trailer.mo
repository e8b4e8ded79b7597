//! run: modes --format json
//! json: /verdict == "accepted"
//! json: /mode_count == 2
//! json: /classes len 2
//! json: /classes/0/when == "not coupled"
//! json: /classes/0/index == 0
//! json: /classes/0/pryce_index == 0
//! json: /classes/0/dof == 2
//! json: /classes/0/count == 1
//! json: /classes/1/when == "coupled"
//! json: /classes/1/index == 0
//! json: /classes/1/pryce_index == 1
//! json: /classes/1/dof == 2
//! json: /classes/1/count == 1
//! json: /fixpoints len 0
//! json: /fixpoints_complete == true
// Two unknowns that exist only while the trailer is coupled: three equations there, two without.
model Trailer
  input Boolean coupled;
  Real x(start = 0), v(start = 1), pull, trailerLoad;
equation
  der(x) = v;
  if coupled then
    1000*der(v) = 500 - pull;
    pull = 0.1*trailerLoad;
    trailerLoad = 2000 + v;
  else
    1000*der(v) = 500;
  end if;
end Trailer;
