import Foundation
import TestKit

/// `counterfoil audit` of a running group, and how long it took.
struct TimedAudit {
    private struct Report: Decodable {
        struct Difference: Decodable { let law: String }
        let entries: Int
        let orders: Int
        let differences: [Difference]
        let problems: [String]
    }

    private static let patience = Duration.seconds(600)

    let seconds: Double
    let orders: Int
    let entries: Int
    let differences: Int

    /// - Throws: `HarnessFault` when a partition did not answer.
    init(_ group: TestGroup) async throws {
        let start = ContinuousClock.now
        let answer = try await group.home.counterfoil(["audit", "--json"], within: Self.patience)
        seconds = ((ContinuousClock.now - start) / .milliseconds(100)).rounded() / 10
        let report = try answer.json(Report.self)
        guard report.problems.isEmpty else { throw HarnessFault("\(report.problems)") }
        if !report.differences.isEmpty {
            FileHandle.standardError.write(Data(answer.output.prefix(4_096).utf8))
        }
        (orders, entries, differences) = (report.orders, report.entries, report.differences.count)
    }
}
