import Foundation
import Glibc

/// Says on standard error how the run stands, on one line of a terminal or a line now and then.
struct Progress: Sendable {
    private static let terminalInterval = Duration.milliseconds(500)
    private static let lineInterval = Duration.seconds(2)

    private let isTerminal = isatty(STDERR_FILENO) == 1
    let context: LoadContext
    let start: ContinuousClock.Instant

    func show() async throws {
        var before = (acknowledged: 0, time: start)
        while true {
            try await Task.sleep(for: isTerminal ? Self.terminalInterval : Self.lineInterval)
            let now = ContinuousClock.now
            let acknowledged = context.note { $0.acknowledged }
            let rate = Double(acknowledged - before.acknowledged) / ((now - before.time) / .seconds(1))
            put(line(rate: rate, now: now))
            before = (acknowledged, now)
        }
    }

    func end() {
        put(line(rate: nil, now: .now))
        if isTerminal { FileHandle.standardError.write(Data("\n".utf8)) }
    }

    private func line(rate: Double?, now: ContinuousClock.Instant) -> String {
        let seconds = Int((now - start) / .seconds(1))
        let speed = rate.map { ", \(Int($0.rounded())) a second" } ?? ""
        return context.note { audit in
            let ledgers = audit.busy == 0 ? ", \(audit.unseen.count) not seen in a ledger yet" : ""
            return "\(seconds) s: \(audit.paid) paid, \(audit.acknowledged) acknowledged\(speed), "
                + "\(audit.grants) told granted\(ledgers), \(audit.busy) busy, "
                + "\(audit.errorCount) errors, \(audit.rejections) rejected"
        }
    }

    private func put(_ line: String) {
        let text = isTerminal ? "\r\(line)\u{1B}[K" : line + "\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
