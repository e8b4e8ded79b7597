//! run: check --class SizeOfThirdWrong
//! exit: 1
//! code: MS2026 line 85
//! run: check --class SizeOfThird
//! run: check --class ScalarOfTwoWrong
//! exit: 1
//! code: MS2023 line 93
//! run: check --class ScalarOfTwo
//! run: check --class VectorOfMatrixWrong
//! exit: 1
//! code: MS2023 line 100
//! run: check --class VectorOfMatrix
//! run: check --class IdentityOfRealWrong
//! exit: 1
//! code: MS2023 line 109
//! run: check --class IdentityOfReal
//! run: check --class DiagonalOfMatrixWrong
//! exit: 1
//! code: MS2023 line 116
//! run: check --class DiagonalOfMatrix
//! run: check --class FillWithoutSizeWrong
//! exit: 1
//! code: MS2022 line 124
//! run: check --class FillWithoutSize
//! run: check --class LinspaceWrong
//! exit: 1
//! code: MS2022 line 131
//! run: check --class Linspace
//! run: check --class TransposeVectorWrong
//! exit: 1
//! code: MS2023 line 138
//! run: check --class TransposeVector
//! run: check --class CrossOfTwoWrong
//! exit: 1
//! code: MS2023 line 146
//! run: check --class CrossOfTwo
//! run: check --class SkewOfTwoWrong
//! exit: 1
//! code: MS2023 line 153
//! run: check --class SkewOfTwo
//! run: check --class MixedArrayWrong
//! exit: 1
//! code: MS2024 line 160
//! run: check --class MixedArray
//! run: check --class RaggedArrayWrong
//! exit: 1
//! code: MS2024 line 167
//! run: check --class RaggedArray
//! run: check --class RaggedMatrixWrong
//! exit: 1
//! code: MS2024 line 174
//! run: check --class RaggedMatrix
//! run: check --class CatSizesWrong
//! exit: 1
//! code: MS2024 line 183
//! run: check --class CatSizes
//! run: check --class RealSubscriptWrong
//! exit: 1
//! code: MS2026 line 191
//! run: check --class RealSubscript
//! run: check --class SubscriptOfScalarWrong
//! exit: 1
//! code: MS2027 line 200
//! run: check --class SubscriptOfScalar
//! run: check --class ZeroSubscriptWrong
//! exit: 1
//! code: MS2026 line 209
//! run: check --class ZeroSubscript
//! run: check --class SliceBoundsWrong
//! exit: 1
//! code: MS2026 line 218
//! run: check --class SliceBounds
//! run: check --class ElementwiseSizesWrong
//! exit: 1
//! code: MS2021 line 226
//! run: check --class ElementwiseSizes
//! run: check --class ScalarProductWrong
//! exit: 1
//! code: MS2021 line 233
//! run: check --class ScalarProduct
// Arrays: sizes, constructors, subscripts. Each rule is shown by a model that breaks it and one that does not.
// §10.3.1 `size` of a dimension that is not there.
model SizeOfThirdWrong
  Real A[2, 2] = fill(1, 2, 2);
  Integer n = size(A, 3);
end SizeOfThirdWrong;
model SizeOfThird
  Real A[2, 2] = fill(1, 2, 2);
  Integer n = size(A, 2);
end SizeOfThird;
// §10.3.2 `scalar` takes arrays of one element.
model ScalarOfTwoWrong
  Real x = scalar({1, 2});
end ScalarOfTwoWrong;
model ScalarOfTwo
  Real x = scalar({1});
end ScalarOfTwo;
// §10.3.2 `vector` takes arrays with one long dimension.
model VectorOfMatrixWrong
  Real x[4] = vector([1, 2;
  3, 4]);
end VectorOfMatrixWrong;
model VectorOfMatrix
  Real x[2] = vector([1;
  2]);
end VectorOfMatrix;
// §10.3.3 `identity` takes an Integer.
model IdentityOfRealWrong
  Real A[2, 2] = identity(2.5);
end IdentityOfRealWrong;
model IdentityOfReal
  Real A[2, 2] = identity(2);
end IdentityOfReal;
// §10.3.3 `diagonal` takes a vector.
model DiagonalOfMatrixWrong
  Real A[2, 2] = diagonal([1, 2;
  3, 4]);
end DiagonalOfMatrixWrong;
model DiagonalOfMatrix
  Real A[2, 2] = diagonal({1, 2});
end DiagonalOfMatrix;
// §10.3.3 `fill` has sizes.
model FillWithoutSizeWrong
  Real A[2] = fill(1);
end FillWithoutSizeWrong;
model FillWithoutSize
  Real A[2] = fill(1, 2);
end FillWithoutSize;
// §10.3.3 `linspace` has at least two points.
model LinspaceWrong
  Real x[3] = linspace(0, 1);
end LinspaceWrong;
model Linspace
  Real x[3] = linspace(0, 1, 3);
end Linspace;
// §10.3.5 `transpose` takes a matrix.
model TransposeVectorWrong
  Real x[2, 1] = transpose({1, 2});
end TransposeVectorWrong;
model TransposeVector
  Real x[1, 2] = transpose([1;
  2]);
end TransposeVector;
// §10.3.5 `cross` takes vectors of three.
model CrossOfTwoWrong
  Real x[3] = cross({1, 2}, {3, 4});
end CrossOfTwoWrong;
model CrossOfTwo
  Real x[3] = cross({1, 2, 3}, {4, 5, 6});
end CrossOfTwo;
// §10.3.5 `skew` takes a vector of three.
model SkewOfTwoWrong
  Real A[3, 3] = skew({1, 2});
end SkewOfTwoWrong;
model SkewOfTwo
  Real A[3, 3] = skew({1, 2, 3});
end SkewOfTwo;
// §10.4 Elements of an array constructor have one type.
model MixedArrayWrong
  Real x[2] = {1, "a"};
end MixedArrayWrong;
model MixedArray
  Real x[2] = {1, 2.5};
end MixedArray;
// §10.4 Elements of an array constructor have one size.
model RaggedArrayWrong
  Real x[2, 2] = {{1, 2}, {3}};
end RaggedArrayWrong;
model RaggedArray
  Real x[2, 2] = {{1, 2}, {3, 4}};
end RaggedArray;
// §10.4.2 Rows of a matrix have one length.
model RaggedMatrixWrong
  Real x[2, 2] = [1, 2;
  3];
end RaggedMatrixWrong;
model RaggedMatrix
  Real x[2, 2] = [1, 2;
  3, 4];
end RaggedMatrix;
// §10.4.2 `cat` joins along a dimension that is there.
model CatSizesWrong
  Real x[2, 2] = cat(1, [1, 2], [3]);
end CatSizesWrong;
model CatSizes
  Real x[2, 2] = cat(1, [1, 2], [3, 4]);
end CatSizes;
// §10.5 A subscript is an Integer, Boolean or enumeration.
model RealSubscriptWrong
  Real v[2] = {1, 2};
  Real x = v[1.5];
end RealSubscriptWrong;
model RealSubscript
  Real v[2] = {1, 2};
  Real x = v[1];
end RealSubscript;
// §10.5 A scalar has no subscripts.
model SubscriptOfScalarWrong
  Real v = 1;
  Real x = v[1];
end SubscriptOfScalarWrong;
model SubscriptOfScalar
  Real v[1] = {1};
  Real x = v[1];
end SubscriptOfScalar;
// §10.5.1 A subscript is not zero.
model ZeroSubscriptWrong
  Real v[2] = {1, 2};
  Real x = v[0];
end ZeroSubscriptWrong;
model ZeroSubscript
  Real v[2] = {1, 2};
  Real x = v[1];
end ZeroSubscript;
// §10.5.2 A slice is in bounds.
model SliceBoundsWrong
  Real v[2] = {1, 2};
  Real x[2] = v[2:3];
end SliceBoundsWrong;
model SliceBounds
  Real v[2] = {1, 2};
  Real x[1] = v[2:2];
end SliceBounds;
// §10.6.3 Elementwise operators take operands of one size.
model ElementwiseSizesWrong
  Real x[2] = {1, 2} .* {1, 2, 3};
end ElementwiseSizesWrong;
model ElementwiseSizes
  Real x[2] = {1, 2} .* {1, 3};
end ElementwiseSizes;
// §10.6.4 Scalar products have operands of one length.
model ScalarProductWrong
  Real x = {1, 2} * {1, 2, 3};
end ScalarProductWrong;
model ScalarProduct
  Real x = {1, 2} * {3, 4};
end ScalarProduct;
