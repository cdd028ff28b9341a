import FoundationEssentials
import Glibc
import Program

/// Asks `counterfoil up` of a home over its socket.
struct SupervisorClient {
    /// Timeout of an immediate answer, ms.
    static let patience: Int64 = 5_000
    /// Time between two progress reports, ms.
    private static let reportInterval: Int64 = 1_000

    let home: Home

    /// The immediate answer of `up`; nil when none is running.
    func ask(_ request: SupervisorRequest) throws -> SupervisorReply? {
        try ask(request, until: MonotonicClock.now + Self.patience) {}
    }

    /// `meanwhile` is called every second until the answer comes.
    func ask(
        _ request: SupervisorRequest,
        until end: Int64,
        meanwhile: () throws -> Void
    ) throws -> SupervisorReply? {
        guard let connection = try UnixSocket.connect(to: home.upSocket) else { return nil }
        let line = [UInt8](try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
        guard connection.sendAtOnce(line) else { return nil }
        var answer: [UInt8] = []
        while true {
            if connection.isReadable(within: min(Self.reportInterval, end - MonotonicClock.now)) {
                guard let bytes = connection.readAvailable() else { break }
                answer += bytes
            } else if MonotonicClock.now < end {
                try meanwhile()
            } else {
                let problem = "`counterfoil up` in \(home.root) does not answer; is it stopped, or very busy?"
                throw CommandFailure(description: problem, isSilence: true)
            }
        }
        // `up` ended before it answered: only `down` has what it asked for.
        guard !answer.isEmpty else { return request == .down ? SupervisorReply() : nil }
        return try JSONDecoder().decode(SupervisorReply.self, from: Data(answer))
    }
}
