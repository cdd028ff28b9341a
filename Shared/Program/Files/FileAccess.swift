import Delivery
import FoundationEssentials
import Glibc

/// Explains missing permissions for a file.
package enum FileAccess {
    /// Foundation's `NSFilePathErrorKey`, which its essentials do not name.
    private static let filePathKey = "NSFilePath"

    /// The first folder or file on the path that denies access, with its owner and mode; nil when none does.
    package static func reason(_ path: String) -> String? {
        var way = "/"
        for name in path.split(separator: "/") {
            let next = (way == "/" ? "" : way) + "/\(name)"
            var status = stat()
            guard stat(next, &status) == 0 else { return denial(way, wanted: X_OK | W_OK) }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            if let denial = denial(next, wanted: isFolder ? X_OK : R_OK | W_OK) { return denial }
            way = next
        }
        return nil
    }

    /// The same for an error of ours or of Foundation's; nil when permission is not the problem.
    package static func reason(of error: any Error) -> String? {
        switch error {
        case let fault as FileLock.Fault where fault.code == EACCES: reason(fault.path)
        case let error as CocoaError
        where [.fileReadNoPermission, .fileWriteNoPermission].contains(error.code):
            (error.userInfo[filePathKey] as? String).flatMap { reason($0) }
        default: nil
        }
    }

    /// Why root should not write to a folder: its owner could not read what root wrote; nil when this is not so.
    package static func ownershipProblem(_ folder: String) -> String? {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return nil }
        let owner = name(of: status.st_uid)
        return "belongs to \(owner), and this runs as root; run it as \(owner)"
    }

    /// What is wrong with the mode of a file that holds secrets; nil where only its owner and its group may read it.
    package static func exposure(_ file: String) -> String? {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return "\(file): holds secrets, and every user of this machine may read it (mode \(mode)); "
            + "take that away: chmod o= \(file)"
    }

    private static func denial(_ path: String, wanted: Int32) -> String? {
        var status = stat()
        guard faccessat(AT_FDCWD, path, wanted, AT_EACCESS) != 0, stat(path, &status) == 0 else { return nil }
        return denial(path, owner: status.st_uid, mode: status.st_mode & 0o7777, user: geteuid())
    }

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
