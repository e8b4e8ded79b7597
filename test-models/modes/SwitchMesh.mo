//! run: modes --format json --node-limit 20000
//! json: /verdict == "accepted"
//! json: /mode_count == 1099511627776
//! json: /classes == null
//! json: /components/0/classes == null
//! code: MS4009
//! run: modes --node-limit 20000
//! snapshot
//! run: modes --mode "right[1,1]=true,down[2,2]=true" --node-limit 20000
//! stdout: Mesh when right[1,1] and down[2,2] and none of the other 38 conditions
//! stdout: index 1, 23 degrees of freedom
//! run: modes --format json --mode "right[1,1]=true,right[1,2]=true,down[1,1]=true,down[1,2]=true,down[1,3]=true,right[2,1]=true,right[2,2]=true"
//! json: /singular/over/equations len 7
//! json: /singular/over/variables len 6
//! json: /singular/under/variables len 7
//! run: modes --node-limit 20000
//! stdout: 1 part too entangled for all modes at once; `--mode` shows single ones
//! stderr: `modeshift modes --mode "right[1,1]=true,
// Capacitors at 5 by 5 nodes with a switch between neighbours. The sets of modes outgrow any limit, single modes do
// not: every closed switch makes two voltages equal (index 1, one state less). Two closed rings side by
// side make six voltages equal by seven equations, and leave seven currents to six sums.
model Mesh
  parameter Integer n = 5;
  Real v[n, n](each start = 0);
  Real i[n, n];
  Real h[n, n - 1];
  Real d[n - 1, n];
  input Boolean right[n, n - 1];
  input Boolean down[n - 1, n];
equation
  for a in 1:n loop
    for b in 1:n loop
      der(v[a, b]) = i[a, b];
      i[a, b] = (if b > 1 then h[a, max(b - 1, 1)] else sin(time)) - (if b < n then h[a, min(b, n - 1)] else 0)
        + (if a > 1 then d[max(a - 1, 1), b] else 0) - (if a < n then d[min(a, n - 1), b] else 0);
    end for;
    for b in 1:n - 1 loop
      0 = if right[a, b] then v[a, b] - v[a, b + 1] else h[a, b];
    end for;
  end for;
  for a in 1:n - 1 loop
    for b in 1:n loop
      0 = if down[a, b] then v[a, b] - v[a + 1, b] else d[a, b];
    end for;
  end for;
end Mesh;
