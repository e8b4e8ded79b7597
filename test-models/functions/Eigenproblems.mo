//! run: simulate --class Eigenproblems.Test --format json
//! json: /completed == true
//! approx: /final/worst == 0 +- 1e-10
//! approx: /final/balance == 0 +- 1e-10
//! approx: /final/banded == 0 +- 1e-12
//! approx: /final/reciprocal == 0.5 +- 1e-12
//! approx: /final/largest == 2 +- 1e-9
//! approx: /final/infinite == 0 +- 1e-12
// The functions of LAPACK about eigenvalues and factors are built in. Each result is put into the equation that defines it.
package Eigenproblems
  function hessenberg "A = Q H Q'"
    input Real A[:, size(A, 1)];
    output Real H[size(A, 1), size(A, 1)] = A;
    output Real tau[size(A, 1) - 1];
    output Integer info;
  protected
    Integer n = size(A, 1);
    Real work[3*size(A, 1)];
    external "FORTRAN 77" dgehrd(n, 1, n, H, n, tau, work, size(work, 1), info);
  end hessenberg;

  function turning "Q of a Hessenberg form"
    input Real A[:, size(A, 1)];
    input Real tau[size(A, 1) - 1];
    output Real Q[size(A, 1), size(A, 1)] = A;
    output Integer info;
  protected
    Integer n = size(A, 1);
    Real work[3*size(A, 1)];
    external "FORTRAN 77" dorghr(n, 1, n, Q, n, tau, work, size(work, 1), info);
  end turning;

  function turned "Q*C or C*Q, or with Q'"
    input Real C[:, :];
    input Real A[:, size(A, 1)];
    input Real tau[size(A, 1) - 1];
    input String side;
    input String trans;
    output Real X[size(C, 1), size(C, 2)] = C;
    output Integer info;
  protected
    Integer m = size(C, 1);
    Integer n = size(C, 2);
    Real work[2*size(A, 1)];
    external "FORTRAN 77" dormhr(side, trans, m, n, 1, size(A, 1), A, size(A, 1), tau, X, m, work, size(work, 1), info);
  end turned;

  function schur "A = Z T Z'"
    input Real A[:, size(A, 1)];
    output Real T[size(A, 1), size(A, 1)] = A;
    output Real Z[size(A, 1), size(A, 1)];
    output Real re[size(A, 1)];
    output Real im[size(A, 1)];
    output Integer info;
  protected
    Integer n = size(A, 1);
    constant Integer unused[1] = {0};
    Integer sdim = 0;
    Real work[10*size(A, 1)];
    Boolean bwork[size(A, 1)];
    external "FORTRAN 77" dgees("V", "N", unused, n, T, n, sdim, re, im, Z, n, work, size(work, 1), bwork, info);
  end schur;

  function iterated "A Hessenberg matrix becomes its Schur form; Z is turned with it"
    input Real H[:, size(H, 1)];
    input Real Q[size(H, 1), size(H, 1)];
    output Real T[size(H, 1), size(H, 1)] = H;
    output Real Z[size(H, 1), size(H, 1)] = Q;
    output Real re[size(H, 1)];
    output Real im[size(H, 1)];
    output Integer info;
  protected
    Integer n = size(H, 1);
    Real work[3*size(H, 1)];
    external "FORTRAN 77" dhseqr("S", "V", n, 1, n, T, n, re, im, Z, n, work, size(work, 1), info);
  end iterated;

  function reordered
    input Boolean select[:];
    input Real T[:, size(T, 1)];
    input Real Q[size(T, 1), size(T, 1)];
    output Real To[size(T, 1), size(T, 1)] = T;
    output Real Qo[size(T, 1), size(T, 1)] = Q;
    output Real wr[size(T, 1)];
    output Real wi[size(T, 1)];
    output Integer m;
    output Integer info;
  protected
    Integer n = size(T, 1);
    Real s;
    Real sep;
    Real work[size(T, 1)];
    Integer iwork[1];
    external "FORTRAN 77" dtrsen("N", "V", select, n, To, n, Qo, n, wr, wi, m, s, sep, work, n, iwork, 1, info);
  end reordered;

  function vectors "Eigenvectors of Q T Q', the right ones"
    input Real T[:, size(T, 1)];
    input Real Q[size(T, 1), size(T, 1)];
    output Real L[size(T, 1), size(T, 1)] = Q;
    output Real R[size(T, 1), size(T, 1)] = Q;
    output Integer info;
  protected
    Integer n = size(T, 1);
    Boolean select[size(T, 1)];
    Real work[3*size(T, 1)];
    external "FORTRAN 77" dtrevc("B", "B", select, n, T, n, L, n, R, n, n, n, work, info);
  end vectors;

  function sylvester "A*X + X*B' = C"
    input Real A[:, size(A, 1)];
    input Real B[:, size(B, 1)];
    input Real C[size(A, 1), size(B, 1)];
    output Real X[size(A, 1), size(B, 1)] = C;
    output Real scale;
    output Integer info;
  protected
    Integer m = size(A, 1);
    Integer n = size(B, 1);
    external "FORTRAN 77" dtrsyl("N", "T", 1, m, n, A, m, B, n, X, m, scale, info);
  end sylvester;

  function eigenvectors
    input Real A[:, size(A, 1)];
    output Real re[size(A, 1)];
    output Real im[size(A, 1)];
    output Real L[size(A, 1), size(A, 1)];
    output Real R[size(A, 1), size(A, 1)];
    output Real T[size(A, 1), size(A, 1)] = A;
    output Integer info;
  protected
    Integer n = size(A, 1);
    Integer ilo;
    Integer ihi;
    Real scale[size(A, 1)];
    Real abnrm;
    Real rconde[size(A, 1)];
    Real rcondv[size(A, 1)];
    Real work[size(A, 1)*(size(A, 1) + 6)];
    Integer iwork[1];
    external "FORTRAN 77" dgeevx("N", "V", "V", "N", n, T, n, re, im, L, n, R, n, ilo, ihi, scale, abnrm, rconde, rcondv,
      work, size(work, 1), iwork, info);
  end eigenvectors;

  function generalised "beta*A*v = alpha*B*v"
    input Real A[:, size(A, 1)];
    input Real B[size(A, 1), size(A, 1)];
    output Real re[size(A, 1)];
    output Real im[size(A, 1)];
    output Real beta[size(A, 1)];
    output Real L[size(A, 1), size(A, 1)];
    output Real R[size(A, 1), size(A, 1)];
    output Integer info;
  protected
    Integer n = size(A, 1);
    Real As[size(A, 1), size(A, 1)] = A;
    Real Bs[size(A, 1), size(A, 1)] = B;
    Real work[8*size(A, 1)];
    external "FORTRAN 77" dggev("V", "V", n, As, n, Bs, n, re, im, beta, L, n, R, n, work, size(work, 1), info);
  end generalised;

  function band "A x = b, the diagonals of A by rows"
    input Real A[:, :];
    input Real b[size(A, 2)];
    output Real x[size(A, 2)] = b;
    output Integer info;
  protected
    Real W[size(A, 1), size(A, 2)] = A;
    Integer ipiv[size(A, 2)];
    external "FORTRAN 77" dgbsv(size(A, 2), 1, 1, 1, W, size(A, 1), ipiv, x, size(A, 2), info);
  end band;

  function factored "A'*X = B"
    input Real A[:, size(A, 1)];
    input Real B[size(A, 1), :];
    output Real X[size(A, 1), size(B, 2)];
    output Real rcond;
    output Integer info;
  protected
    Integer n = size(A, 1);
    Real W[size(A, 1), size(A, 1)] = A;
    Real V[size(B, 1), size(B, 2)] = B;
    Real AF[size(A, 1), size(A, 1)];
    Real r[size(A, 1)];
    Real c[size(A, 1)];
    Real ferr[size(B, 2)];
    Real berr[size(B, 2)];
    Real work[4*size(A, 1)];
    Integer ipiv[size(A, 1)];
    Integer iwork[size(A, 1)];
    String equed = " ";
    external "FORTRAN 77" dgesvx("N", "T", n, size(B, 2), W, n, AF, n, ipiv, equed, r, c, V, n, X, n, rcond, ferr, berr,
      work, iwork, info);
  end factored;

  function triangular "X*A = alpha*B"
    input Real A[:, size(A, 1)];
    input Real B[:, size(A, 1)];
    input Real alpha;
    output Real X[size(B, 1), size(B, 2)] = B;
    external "FORTRAN 77" dtrsm("R", "U", "N", "N", size(B, 1), size(B, 2), alpha, A, size(A, 1), X, size(B, 1));
  end triangular;

  function norm "The largest element"
    input Real A[:, :];
    output Real y = max(abs(A));
    annotation(Inline = true);
  end norm;

  function blocks "What eigenvectors are stretched by: pairs as blocks of two rows"
    input Real re[:];
    input Real im[size(re, 1)];
    output Real y[size(re, 1), size(re, 1)] = diagonal(re);
  algorithm
    for i in 1:size(re, 1) loop
      if im[i] > 0 then
        y[i, i + 1] := im[i];
        y[i + 1, i] := -im[i];
      end if;
    end for;
  end blocks;

  model Test
    parameter Real A[4, 4] = [0.5, 2, -1, 3; -2, 0.25, 4, 1; 1, 1, -3, 0.5; 0, 2, 2, 1];
    parameter Real B[4, 4] = [3, 1, 0, 0; 0, 2, 1, 0; 1, 0, 4, 1; 0, 0, 1, 5];
    Real worst;
    Real balance;
    Real banded;
    Real reciprocal;
    Real largest;
    Real infinite;
  protected
    Real H[4, 4];
    Real tau[3];
    Real Q[4, 4];
    Real T[4, 4];
    Real Z[4, 4];
    Real S[4, 4];
    Real U[4, 4];
    Real re[4];
    Real im[4];
    Real L[4, 4];
    Real R[4, 4];
    Real X[4, 4];
    Real beta[4];
    Real x[3];
    Real full[4, 4];
    Real errors[10];
    Real scale;
    Integer m;
    Integer info;
  algorithm
    when initial() then
      (H, tau, info) := hessenberg(A);
      (Q, info) := turning(H, tau);
      full := {{if i > j + 1 then 0 else H[i, j] for j in 1:4} for i in 1:4};
      errors[1] := norm(Q*full*transpose(Q) - A);
      (X, info) := turned(B, H, tau, "R", "T");
      errors[2] := norm(X - B*transpose(Q));
      (T, Z, re, im, info) := schur(A);
      errors[3] := norm(Z*T*transpose(Z) - A) + norm(transpose(Z)*Z - identity(4));
      (S, U, re, im, info) := iterated(full, Q);
      errors[4] := norm(U*S*transpose(U) - A);
      (S, U, re, im, m, info) := reordered({re[i] < 0 for i in 1:4}, S, U);
      errors[5] := norm(U*S*transpose(U) - A) + sum(if (re[i] < 0) == (i <= m) then 0 else 1 for i in 1:4);
      (L, R, info) := vectors(S, U);
      errors[6] := norm(A*R - R*blocks(re, im));
      (X, scale, info) := sylvester(T, T, B);
      balance := norm(T*X + X*transpose(T) - scale*B);
      (re, im, L, R, T, info) := eigenvectors(A);
      errors[7] := norm(A*R - R*blocks(re, im));
      (re, im, beta, L, R, info) := generalised(A, B);
      errors[8] := norm(A*R*diagonal(beta) - B*R*blocks(re, im));
      (X, reciprocal, info) := factored(diagonal({2, 1, 2, 1}), B);
      errors[9] := norm(diagonal({2, 1, 2, 1})*X - B);
      X := triangular([1, 2, 3, 4; 7, 5, 6, 7; 7, 7, 8, 9; 7, 7, 7, 10], B, 2);
      errors[10] := norm(X*[1, 2, 3, 4; 0, 5, 6, 7; 0, 0, 8, 9; 0, 0, 0, 10] - 2*B);
      worst := max(errors);
      // [2, -1, 0; -1, 2, -1; 0, -1, 2]*x = {1, 0, 1}
      (x, info) := band([0, 0, 0; 0, -1, -1; 2, 2, 2; -1, -1, 0], {1, 0, 1});
      banded := norm([x] - [1; 1; 1]);
      // (2 - s)*(0 - 0*s): one eigenvalue is 2, one infinite.
      (re[1:2], im[1:2], beta[1:2], L[1:2, 1:2], R[1:2, 1:2], info) := generalised([2, 1; 0, 3], [1, 0; 0, 0]);
      infinite := min(beta[1:2]);
      largest := if beta[1] > 0 then re[1]/beta[1] else re[2]/beta[2];
    end when;
  end Test;
end Eigenproblems;
