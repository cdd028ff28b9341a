import Contracts
import Testing

@testable import AppStore

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
