model A // c
/* d */ Real /* e */ x /* f */ ; // g
end A; // h