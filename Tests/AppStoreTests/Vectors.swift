import Contracts
import Foundation
import Testing

@testable import AppStore

/// Apple's vectors, read where they lie beside the repository.
enum Vectors {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/vectors")

    /// Tests that need them are skipped where only the repository is.
    static let areThere = FileManager.default.fileExists(atPath: folder.path)

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    static func chain(_ names: String...) throws -> [[UInt8]] {
        try names.map { try bytes("apple-mock/chains/\($0).der") }
    }

    /// 2025-11-01T02:09:35Z, when the vectors' chains are valid.
    static let valid = Timestamp(milliseconds: 1_761_962_975_000)
    /// 2042-04-12T04:27:26Z, when they are not.
    static let expired = Timestamp(milliseconds: 2_280_946_846_000)
}

/// The reason for which `body` fails, nil when it does not.
func reason(_ body: () throws -> some Any) -> VerificationFailure.Reason? { failure(body)?.reason }

/// How `body` fails, nil when it does not.
func failure(_ body: () throws -> some Any) -> VerificationFailure? {
    do {
        _ = try body()
    } catch let failure as VerificationFailure {
        return failure
    } catch {
        Issue.record(error, "not a failure of verification")
    }
    return nil
}

extension Timestamp {
    /// 2026-01-01T00:00:00Z.
    static let newYear2026 = Timestamp(milliseconds: 1_767_225_600_000)
}
