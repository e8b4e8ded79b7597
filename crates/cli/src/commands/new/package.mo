package NAME "What the package is about"
end NAME;
