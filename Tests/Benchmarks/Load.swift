import Foundation

/// `counterfoil-load` against a group.
struct Load {
    /// What a benchmark reads of its report.
    struct Report: Decodable {
        let purchases: Int
        let granted: Int
        let lost: Int
        let twice: Int
        let wrongBuyer: Int
        let finishTooEarly: Int
        let purchasesPerSecond: Double
        let p50ms: Double
        let p95ms: Double
        let p99ms: Double
        let errors: Int
        let unacknowledged: Int
    }

    private static let program = SiblingProgram("counterfoil-load")

    let group: BenchmarkGroup
    var buyers = 400
    var concurrency = 128
    /// Customers a second; nil is as many as possible.
    var rate: Double?
    var journal: String?

    /// As many seconds, then the check of all ledgers.
    func run(seconds: Double) throws -> Report { try run(["--seconds", String(seconds)]) }

    /// As many purchases, then the check of all ledgers.
    func run(purchases: Int) throws -> Report { try run(["--purchases", String(purchases)]) }

    private func run(_ extent: [String]) throws -> Report {
        // 1: a law was broken, which the report says.
        try read(Self.program.run(arguments + extent, codes: [0, 1]))
    }

    /// Runs beside `body`.
    func run(seconds: Double, beside body: () throws -> Void) throws -> Report {
        let load = try Self.program.start(arguments + ["--seconds", String(seconds)])
        do {
            try body()
        } catch {
            load.terminate()
            _ = try load.finish(codes: Set(0...255))
            throw error
        }
        return try read(load.finish(codes: [0, 1]))
    }

    private var arguments: [String] {
        let always = [
            "--gateway", group.gateway, "--api-key", group.apiKey, "--appstore-state", group.appstoreState,
            "--shares", "none", "--buyers", String(buyers), "--concurrency", String(concurrency),
        ]
        return always + (rate.map { ["--rate", String($0)] } ?? [])
            + (journal.map { ["--journal", $0] } ?? [])
    }

    private func read(_ output: Data) throws -> Report {
        guard let line = output.split(separator: UInt8(ascii: "\n")).last else {
            throw SiblingProgram.Failure(description: "counterfoil-load made no report")
        }
        return try JSONDecoder().decode(Report.self, from: line)
    }
}
