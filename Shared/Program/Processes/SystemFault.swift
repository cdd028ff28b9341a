import Glibc

/// A call of the system that failed.
package struct SystemFault: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let path: String?
    /// The `errno`.
    package let code: Int32

    /// The code is that in `errno`, after a failed call.
    package init(_ call: String, _ path: String? = nil, code: Int32 = errno) {
        self.call = call
        self.path = path
        self.code = code
    }

    package var description: String {
        if let path, code == EACCES || code == EPERM, let reason = FileAccess.reason(path) { return reason }
        return [call, path].compactMap(\.self).joined(separator: " ") + ": \(String(cString: strerror(code)))"
    }
}
