//! Pure graph algorithms: matching, Dulmage–Mendelsohn, block triangular form, Sigma-method, for one mode and for all modes at once.
