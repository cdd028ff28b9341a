import Foundation
import LoadVerdict

/// `counterfoil-load` against a group.
struct Load {
    private static let program = SiblingProgram("counterfoil-load")

    let group: BenchmarkGroup
    var buyers = 400
    var concurrency = 128
    /// Customers a second; nil is as many as possible.
    var rate: Double?
    var journal: String?

    /// As many seconds, then the check of all ledgers.
    func run(seconds: Double) throws -> LoadReport { try run(["--seconds", String(seconds)]) }

    /// As many purchases, then the check of all ledgers.
    func run(purchases: Int) throws -> LoadReport { try run(["--purchases", String(purchases)]) }

    private func run(_ extent: [String]) throws -> LoadReport {
        // 1: a law was broken, which the report says.
        try read(Self.program.run(arguments + extent, codes: [0, 1]))
    }

    /// Runs beside `body`.
    func run(seconds: Double, beside body: () throws -> Void) throws -> LoadReport {
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

    /// Runs beside `body`, which waits.
    func run(seconds: Double, beside body: () async throws -> Void) async throws -> LoadReport {
        let load = try Self.program.start(arguments + ["--seconds", String(seconds)])
        do {
            try await body()
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

    private func read(_ output: Data) throws -> LoadReport {
        guard let line = output.split(separator: UInt8(ascii: "\n")).last else {
            throw SiblingProgram.Failure(description: "counterfoil-load made no report")
        }
        return try JSONDecoder().decode(LoadReport.self, from: line)
    }
}
