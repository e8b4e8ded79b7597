//! Writing a file so that it is always either the old one or the new one, never half of it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Replaces the text of the file at `path`: writes a new file beside it, gives it the old one's
/// permissions and moves it into place. A symbolic link stays one; its target is replaced.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    // Moving over a file does not ask whether it may be written to, so we do.
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = tempfile::Builder::new()
        .prefix(".modeshift-")
        .suffix(".tmp")
        .tempfile_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::replace;
    use std::fs;

    #[test]
    fn the_text_is_replaced_and_nothing_is_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("A.mo");
        fs::write(&path, "old").unwrap();
        replace(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("A.mo"), dir.path().join("Link.mo"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_file_that_may_not_be_written_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("A.mo");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(replace(&path, "new").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }
}
