//! exit: 1
//! code: MS2015 line 15
//! code: MS2015 line 23
//! code: MS2012 line 27
// Wrong: base classes that a redeclaration could change, that are inherited themselves, or that contain the class.
package BaseClasses
  model Library
    replaceable model Kind
      model Part
        Real x = time;
      end Part;
    end Kind;
  end Library;
  model ReplaceableOnTheWay
    extends Library.Kind.Part;
  end ReplaceableOnTheWay;
  model Own
    model Own
      Real y = time;
    end Own;
  end Own;
  model NameIsInherited
    extends Own;
  end NameIsInherited;
  model Around
    model Within
      extends Around;
    end Within;
    Within w;
  end Around;
end BaseClasses;
