import Foundation
import LoadVerdict
import Program
import TestKit

/// `counterfoil-load` against a group.
struct Load {
    private static let patience = Duration.seconds(86_400)

    let group: TestGroup
    var buyers = 400
    var concurrency = 128
    /// Customers a second; nil is as many as possible.
    var rate: Double?
    var journal: String?
    /// Whether phones issue orders and hand proofs in with tokens of their own, rather than with the app's key.
    var usesPhoneTokens = false

    /// As many seconds, then the check of all ledgers; `body` runs beside it.
    func run(seconds: Double, beside body: () async throws -> Void = {}) async throws -> LoadReport {
        try await run(["--seconds", String(seconds)]) { _ in try await body() }
    }

    /// As many purchases, then the check of all ledgers; `body` runs beside the load generator.
    func run(
        purchases: Int,
        beside body: (ChildProcess) async throws -> Void = { _ in }
    ) async throws -> LoadReport {
        try await run(["--purchases", String(purchases)], beside: body)
    }

    private func run(
        _ extent: [String],
        beside body: (ChildProcess) async throws -> Void
    ) async throws -> LoadReport {
        let load = try ChildProcess(
            try Executables.path("load"),
            arguments + extent,
            folder: group.home.folder,
            showsErrors: true
        )
        defer { load.destroy() }
        try await body(load)
        // 1: a law was broken, which the report says.
        guard [.exited(0), .exited(1)].contains(try await load.finish(within: Self.patience)),
            let line = load.output.split(separator: "\n").last
        else { throw HarnessFault("counterfoil-load made no report") }
        return try JSONDecoder().decode(LoadReport.self, from: Data(line.utf8))
    }

    private var arguments: [String] {
        let always = [
            "--gateway", group.gateway.url, "--api-key", group.home.apiKey,
            "--appstore-state", group.home.appStoreState, "--shares", "none",
            "--buyers", String(buyers), "--concurrency", String(concurrency),
        ]
        let key = group.home.phoneKey
        let phones = usesPhoneTokens ? ["--phone-key", "\(key.id):\(key.secret ?? "")"] : []
        return always + phones + (rate.map { ["--rate", String($0)] } ?? [])
            + (journal.map { ["--journal", $0] } ?? [])
    }
}
