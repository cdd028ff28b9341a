import Contracts

/// How Apple's side was called, and how it answered: counted by second, route and status.
actor RequestLog {
    /// Lines remembered, at most; the oldest are forgotten.
    static let maximumLines = 10_000

    /// Answers of one kind within one second.
    struct Line: Encodable, Hashable, Sendable {
        let second: Int64
        let method: String
        /// The route, with the names of its parameters: `/production/inApps/v1/transactions/{transactionId}`.
        let path: String
        let status: Int
        var count = 1
    }

    private(set) var lines: [Line] = []

    /// Counts an answer; a connection that was reset had none.
    func record(_ method: String, _ path: String, status: Int, at now: Timestamp) {
        let line = Line(second: now.milliseconds / 1_000, method: method, path: path, status: status)
        let ofSecond = lines.indices.reversed().prefix { lines[$0].second == line.second }
        let known = ofSecond.first { index in
            let other = lines[index]
            return (other.method, other.path, other.status) == (method, path, status)
        }
        if let known { lines[known].count += 1 } else { lines.append(line) }
        if lines.count > Self.maximumLines { lines.removeFirst(Self.maximumLines / 10) }
    }
}
