//! External functions that are built in, by what is published about them: those of C's `<math.h>`, and those that the
//! Modelica Standard Library declares.

mod args;
mod combi;
mod complex;
mod curve;
mod eigen;
mod files;
mod lapack;
mod mat_write;
mod matrix;
mod native;
mod pencil;
mod random;
mod schur;
mod spectral;
mod strings;
mod system;
mod tables;

pub use args::Args;
pub use native::{Native, Natives, Passing};
pub(crate) use native::{refusal, run as run_native};
pub use random::Random;

use crate::context::Context;
use crate::error::Trouble;
use crate::ins::{BANKS, Slot};
use crate::machine::Machine;
use crate::num::Num;
use modeshift_inst::builtin::{Binary, Unary};
use std::sync::Arc;

/// Something that a constructor made.
#[derive(Debug)]
pub enum Object {
    Time(tables::TimeTable),
    One(tables::Table1),
    Two(tables::Table2),
    /// A pointer that native code gave, and the class of the object.
    Native(u64, Arc<str>),
}

macro_rules! externals {
    ($($variant:ident = $name:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum External {
            Math1(Unary),
            Math2(Binary),
            $($variant,)*
        }

        impl External {
            /// Whether equal arguments give equal results and nothing else happens.
            pub const fn is_pure(self) -> bool {
                !matches!(
                    self,
                    Self::SetInternalState
                        | Self::WriteRealMatrix
                        | Self::RemoveFile
                        | Self::Rename
                        | Self::CopyFile
                        | Self::MakeDirectory
                        | Self::RemoveDirectory
                        | Self::ChangeDirectory
                        | Self::SetEnvironment
                        | Self::System
                        | Self::Exit
                        | Self::ImpureRandom
                        | Self::AutomaticSeed
                        | Self::Print
                        | Self::CloseFile
                        | Self::GetTime
                        | Self::GetPid
                )
            }

            /// By the name of the function in C.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => return Some(Self::$variant),)*
                    _ => {}
                }
                let binary = match name {
                    "pow" => Some(Binary::Pow),
                    "atan2" => Some(Binary::Atan2),
                    "fmin" => Some(Binary::Min),
                    "fmax" => Some(Binary::Max),
                    "fmod" => Some(Binary::Rem),
                    _ => None,
                };
                if let Some(op) = binary {
                    return Some(Self::Math2(op));
                }
                let unary = match name {
                    "fabs" => Some(Unary::Abs),
                    "cbrt" => Some(Unary::Cbrt),
                    "trunc" => Some(Unary::Trunc),
                    "sqrt" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh"
                    | "tanh" | "exp" | "log" | "log10" | "floor" | "ceil" => Unary::named(name),
                    _ => None,
                };
                unary.map(Self::Math1)
            }
        }
    };
}

externals! {
    StringLength = "ModelicaStrings_length",
    StringSubstring = "ModelicaStrings_substring",
    StringCompare = "ModelicaStrings_compare",
    SkipWhiteSpace = "ModelicaStrings_skipWhiteSpace",
    ScanReal = "ModelicaStrings_scanReal",
    ScanInteger = "ModelicaStrings_scanInteger",
    ScanIdentifier = "ModelicaStrings_scanIdentifier",
    ScanString = "ModelicaStrings_scanString",
    HashString = "ModelicaStrings_hashString",
    TimeTableInit = "ModelicaStandardTables_CombiTimeTable_init3",
    TimeTableClose = "ModelicaStandardTables_CombiTimeTable_close",
    TimeTableValue = "ModelicaStandardTables_CombiTimeTable_getValue",
    TimeTableDer = "ModelicaStandardTables_CombiTimeTable_getDerValue",
    TimeTableDer2 = "ModelicaStandardTables_CombiTimeTable_getDer2Value",
    TimeTableNextEvent = "ModelicaStandardTables_CombiTimeTable_nextTimeEvent",
    TimeTableMin = "ModelicaStandardTables_CombiTimeTable_minimumTime",
    TimeTableMax = "ModelicaStandardTables_CombiTimeTable_maximumTime",
    TimeTableRead = "ModelicaStandardTables_CombiTimeTable_read",
    Table1Init = "ModelicaStandardTables_CombiTable1D_init3",
    Table1Close = "ModelicaStandardTables_CombiTable1D_close",
    Table1Value = "ModelicaStandardTables_CombiTable1D_getValue",
    Table1Der = "ModelicaStandardTables_CombiTable1D_getDerValue",
    Table1Der2 = "ModelicaStandardTables_CombiTable1D_getDer2Value",
    Table1Min = "ModelicaStandardTables_CombiTable1D_minimumAbscissa",
    Table1Max = "ModelicaStandardTables_CombiTable1D_maximumAbscissa",
    Table1Read = "ModelicaStandardTables_CombiTable1D_read",
    Table2Init = "ModelicaStandardTables_CombiTable2D_init3",
    Table2Close = "ModelicaStandardTables_CombiTable2D_close",
    Table2Value = "ModelicaStandardTables_CombiTable2D_getValue",
    Table2Der = "ModelicaStandardTables_CombiTable2D_getDerValue",
    Table2Der2 = "ModelicaStandardTables_CombiTable2D_getDer2Value",
    Table2Min = "ModelicaStandardTables_CombiTable2D_minimumAbscissa",
    Table2Max = "ModelicaStandardTables_CombiTable2D_maximumAbscissa",
    Table2Read = "ModelicaStandardTables_CombiTable2D_read",
    XorShift64Star = "ModelicaRandom_xorshift64star",
    XorShift128Plus = "ModelicaRandom_xorshift128plus",
    XorShift1024Star = "ModelicaRandom_xorshift1024star",
    SetInternalState = "ModelicaRandom_setInternalState_xorshift1024star",
    ImpureRandom = "ModelicaRandom_impureRandom_xorshift1024star",
    AutomaticSeed = "ModelicaRandom_automaticGlobalSeed",
    CountLines = "ModelicaInternal_countLines",
    ReadFile = "ModelicaInternal_readFile",
    ReadLine = "ModelicaInternal_readLine",
    Print = "ModelicaInternal_print",
    CloseFile = "ModelicaStreams_closeFile",
    FullPathName = "ModelicaInternal_fullPathName",
    Stat = "ModelicaInternal_stat",
    GetTime = "ModelicaInternal_getTime",
    GetPid = "ModelicaInternal_getpid",
    GetEnv = "ModelicaInternal_getenv",
    ReadMatrixSizes = "ModelicaIO_readMatrixSizes",
    ReadRealMatrix = "ModelicaIO_readRealMatrix",
    Fft = "ModelicaFFT_kiss_fftr",
    WriteRealMatrix = "ModelicaIO_writeRealMatrix",
    RemoveFile = "ModelicaInternal_removeFile",
    Rename = "ModelicaInternal_rename",
    CopyFile = "ModelicaInternal_copyFile",
    MakeDirectory = "ModelicaInternal_mkdir",
    RemoveDirectory = "ModelicaInternal_rmdir",
    ChangeDirectory = "ModelicaInternal_chdir",
    WorkingDirectory = "ModelicaInternal_getcwd",
    CountFiles = "ModelicaInternal_getNumberOfFiles",
    ReadDirectory = "ModelicaInternal_readDirectory",
    TemporaryFileName = "ModelicaInternal_temporaryFileName",
    SetEnvironment = "ModelicaInternal_setenv",
    System = "system",
    Exit = "exit",
    Dgesv = "dgesv",
    Dgetrf = "dgetrf",
    Dgetri = "dgetri",
    Dgetrs = "dgetrs",
    Dgels = "dgels",
    Dgelsy = "dgelsy",
    Dgglse = "dgglse",
    Dgeqrf = "dgeqrf",
    Dgeqp3 = "dgeqp3",
    Dorgqr = "dorgqr",
    Dpotrf = "dpotrf",
    Dgtsv = "dgtsv",
    Dlange = "dlange",
    Dgesvd = "dgesvd",
    Dgesdd = "dgesdd",
    Dgeev = "dgeev",
    Dgbsv = "dgbsv",
    Dgecon = "dgecon",
    Dgees = "dgees",
    Dgeevx = "dgeevx",
    Dgehrd = "dgehrd",
    Dgesvx = "dgesvx",
    Dggev = "dggev",
    Dggevx = "dggevx",
    Dhgeqz = "dhgeqz",
    Dhseqr = "dhseqr",
    Dorghr = "dorghr",
    Dormhr = "dormhr",
    Dormqr = "dormqr",
    Dtrevc = "dtrevc",
    Dtrsen = "dtrsen",
    Dtrsm = "dtrsm",
    Dtrsyl = "dtrsyl",
}

/// Runs an external function. Arguments stand in the order of the external call; outputs among them are registers
/// that are written.
pub fn call<R: Num>(
    machine: &mut Machine<R>,
    function: External,
    base: [usize; BANKS],
    (args, results): (&[Slot], &[Slot]),
    context: &mut Context,
) -> Result<(), Trouble> {
    let mut args = Args::new(machine, base, args, results);
    match function {
        External::Math1(op) => {
            let value = R::unary(op, args.real(0)?);
            args.give_real(value)
        }
        External::Math2(op) => {
            let value = R::binary(op, args.real(0)?, args.real(1)?);
            args.give_real(value)
        }
        External::StringLength
        | External::StringSubstring
        | External::StringCompare
        | External::SkipWhiteSpace
        | External::ScanReal
        | External::ScanInteger
        | External::ScanIdentifier
        | External::ScanString
        | External::HashString => strings::call(function, &mut args),
        External::XorShift64Star
        | External::XorShift128Plus
        | External::XorShift1024Star
        | External::SetInternalState
        | External::ImpureRandom
        | External::AutomaticSeed => random::call(function, &mut args, context),
        External::CountLines
        | External::ReadFile
        | External::ReadLine
        | External::Print
        | External::CloseFile
        | External::FullPathName
        | External::Stat
        | External::GetTime
        | External::GetPid
        | External::GetEnv
        | External::ReadMatrixSizes
        | External::ReadRealMatrix
        | External::WriteRealMatrix
        | External::Fft => system::call(function, &mut args, context),
        External::RemoveFile
        | External::Rename
        | External::CopyFile
        | External::MakeDirectory
        | External::RemoveDirectory
        | External::ChangeDirectory
        | External::WorkingDirectory
        | External::CountFiles
        | External::ReadDirectory
        | External::TemporaryFileName
        | External::SetEnvironment
        | External::System
        | External::Exit => Err(Trouble::External(
            "a model neither removes files nor looks at or changes the system it runs on".into(),
        )),
        External::Dgesv
        | External::Dgetrf
        | External::Dgetri
        | External::Dgetrs
        | External::Dgels
        | External::Dgelsy
        | External::Dgglse
        | External::Dgeqrf
        | External::Dgeqp3
        | External::Dorgqr
        | External::Dpotrf
        | External::Dgtsv
        | External::Dlange
        | External::Dgesvd
        | External::Dgesdd
        | External::Dgbsv
        | External::Dgecon
        | External::Dgesvx
        | External::Dormhr
        | External::Dormqr
        | External::Dtrsm => lapack::call(function, &mut args),
        External::Dgeev
        | External::Dgees
        | External::Dgeevx
        | External::Dgehrd
        | External::Dggev
        | External::Dggevx
        | External::Dhgeqz
        | External::Dhseqr
        | External::Dorghr
        | External::Dtrevc
        | External::Dtrsen
        | External::Dtrsyl => spectral::call(function, &mut args),
        _ => combi::call(function, &mut args, context),
    }
}
