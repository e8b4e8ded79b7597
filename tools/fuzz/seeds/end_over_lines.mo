model A
equation
  x = ?;
    end if 
; end A;
