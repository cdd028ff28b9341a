import Foundation
import Glibc

/// Says on standard error how the run stands, on one line of a terminal or a line now and then.
struct Progress: Sendable {
    private static let terminalInterval = Duration.milliseconds(500)
    private static let lineInterval = Duration.seconds(2)

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let results: LoadResults
    private let start: ContinuousClock.Instant

    init(results: LoadResults, start: ContinuousClock.Instant) {
        self.results = results
        self.start = start
    }

    /// Shows the standing again and again, until cancelled.
    func show() async throws {
        var before = (acknowledged: 0, time: start)
        while true {
            try await Task.sleep(for: isTerminal ? Self.terminalInterval : Self.lineInterval)
            let now = ContinuousClock.now
            let counts = results.counts
            let rate =
                Double(counts.acknowledged - before.acknowledged) / ((now - before.time) / .seconds(1))
            put(line(counts, rate: rate, now: now))
            before = (counts.acknowledged, now)
        }
    }

    /// Leaves the terminal's line.
    func end() {
        put(line(results.counts, rate: nil, now: .now))
        if isTerminal { FileHandle.standardError.write(Data("\n".utf8)) }
    }

    private func line(_ counts: LoadResults.Counts, rate: Double?, now: ContinuousClock.Instant) -> String {
        let seconds = Int((now - start) / .seconds(1))
        let speed = rate.map { ", \(Int($0.rounded())) a second" } ?? ""
        let ledgers = counts.busy == 0 ? ", \(counts.unseen) not seen in a ledger yet" : ""
        return "\(seconds) s: \(counts.paid) paid, \(counts.acknowledged) acknowledged\(speed), "
            + "\(counts.grants) told granted\(ledgers), \(counts.busy) busy, \(counts.errors) errors, "
            + "\(counts.rejections) rejected"
    }

    private func put(_ line: String) {
        let text = isTerminal ? "\r\(line)\u{1B}[K" : line + "\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
