//- /Again.mo
model Again
  Real x = 1;$0
end Again;
//? tokens
//? edit $0 \n  Real y;
//? tokens-again
//? pull
//? fix-all
