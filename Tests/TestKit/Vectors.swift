package import Contracts
package import Foundation

/// Genuine data of Apple's and data of others, which the project does not hold.
///
/// It is read from the folder that the variable `COUNTERFOIL_VECTORS` names. Tests that need it are skipped without the
/// variable, and `deploy/test` counts them.
package enum Vectors {
    private static let named = ProcessInfo.processInfo.environment["COUNTERFOIL_VECTORS"] ?? ""

    /// Whether a folder is named; one that is named and is not there fails the tests.
    package static var areThere: Bool { !named.isEmpty }

    /// The folder that is named.
    package static let folder = URL(filePath: named, directoryHint: .isDirectory)

    /// The content of a file of the folder.
    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    /// The DER of certificates, leaf first.
    package static func chain(_ names: String...) throws -> [[UInt8]] {
        try names.map { try bytes("apple-mock/chains/\($0).der") }
    }

    /// 2025-11-01T02:09:35Z, when the chains are valid.
    package static let valid = Timestamp(milliseconds: 1_761_962_975_000)
    /// 2042-04-12T04:27:26Z, when they are not.
    package static let expired = Timestamp(milliseconds: 2_280_946_846_000)
}
