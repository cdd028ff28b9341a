import Foundation
import Glibc

/// The programs that a user runs, built beside the bundle of these tests.
package enum Executables {
    package static let services = ["orders", "receipts", "entitlements", "notifications"]
    package static let group = services + ["gateway"]

    package static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .path(percentEncoded: false)

    /// The path of `counterfoil`, or of `counterfoil-<name>`.
    ///
    /// - Throws: `HarnessFault` that names the command which builds it.
    package static func path(_ name: String? = nil) throws -> String {
        let path = folder + "/counterfoil" + (name.map { "-" + $0 } ?? "")
        guard access(path, X_OK) == 0 else {
            throw HarnessFault("\(path) is missing; `swift build` builds it")
        }
        return path
    }
}
