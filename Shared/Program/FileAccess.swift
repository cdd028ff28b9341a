import Glibc

/// Whose a file is that this process may not use, in words.
package enum FileAccess {
    /// Why this process may not use what stands at a path; nil when that is not for want of permission.
    ///
    /// It is the first folder on the way that is closed to this user, or else the file.
    package static func reason(_ path: String) -> String? {
        let user = geteuid()
        var way = ""
        for name in path.split(separator: "/") {
            way += "/" + name
            var status = stat()
            guard stat(way, &status) == 0 else { return nil }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let wanted = way == path && !isFolder ? R_OK | W_OK : isFolder ? X_OK : R_OK
            if faccessat(AT_FDCWD, way, wanted, AT_EACCESS) != 0 {
                return denial(way, owner: status.st_uid, mode: status.st_mode & 0o7777, user: user)
            }
        }
        return nil
    }

    /// The sentence for a path that a user may not use.
    static func denial(_ path: String, owner: uid_t, mode: mode_t, user: uid_t) -> String {
        let (owner, user) = (name(of: owner), name(of: user))
        let digits = String(mode, radix: 8)
        return "permission denied: \(path) belongs to \(owner) (mode \(digits)), and this runs as \(user); "
            + "run it as \(owner)"
    }

    private static func name(of user: uid_t) -> String {
        guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "user \(user)" }
        return String(cString: name)
    }
}
