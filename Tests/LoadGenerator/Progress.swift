import Foundation
import Glibc

/// Says on standard error how the run stands, on one line of a terminal or a line now and then.
struct Progress: Sendable {
    private static let terminalInterval = Duration.milliseconds(500)
    private static let lineInterval = Duration.seconds(2)

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let book: Book
    private let start: ContinuousClock.Instant

    init(book: Book, start: ContinuousClock.Instant) {
        self.book = book
        self.start = start
    }

    /// Shows the standing again and again, until cancelled.
    func show() async throws {
        var before = (acknowledged: 0, time: start)
        while true {
            try await Task.sleep(for: isTerminal ? Self.terminalInterval : Self.lineInterval)
            let now = ContinuousClock.now
            let standing = book.standing
            let rate =
                Double(standing.acknowledged - before.acknowledged) / ((now - before.time) / .seconds(1))
            put(line(standing, rate: rate, now: now))
            before = (standing.acknowledged, now)
        }
    }

    /// Leaves the terminal's line.
    func end() {
        put(line(book.standing, rate: nil, now: .now))
        if isTerminal { FileHandle.standardError.write(Data("\n".utf8)) }
    }

    private func line(_ standing: Book.Standing, rate: Double?, now: ContinuousClock.Instant) -> String {
        let seconds = Int((now - start) / .seconds(1))
        let speed = rate.map { ", \(Int($0.rounded())) a second" } ?? ""
        let ledgers = standing.busy == 0 ? ", \(standing.unseen) not seen in a ledger yet" : ""
        return "\(seconds) s: \(standing.paid) paid, \(standing.acknowledged) acknowledged\(speed), "
            + "\(standing.grants) told granted\(ledgers), \(standing.busy) busy, \(standing.errors) errors, "
            + "\(standing.rejections) rejected"
    }

    private func put(_ line: String) {
        let text = isTerminal ? "\r\(line)\u{1B}[K" : line + "\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
