import Foundation
import Glibc
import Program

/// Asks the running `counterfoil up` of a home.
struct GroupClient {
    /// How long `up` may take to answer at once, in milliseconds.
    static let patience: Int64 = 5_000
    /// Pause between two looks at what is waited for, in milliseconds.
    private static let glance: Int64 = 1_000

    let home: Home

    /// What `up` answers at once; nil when none is running.
    ///
    /// - Throws: `CommandFailure` when it is silent.
    func ask(_ request: GroupRequest) throws -> GroupReply? {
        try ask(request, until: MonotonicClock.now + Self.patience) {}
    }

    /// What `up` answers when it has done something; nil when none is running.
    ///
    /// What is waited for is told on standard error whenever that changes.
    ///
    /// - Throws: `CommandFailure` when the time is over.
    func ask(
        _ request: GroupRequest,
        for what: String,
        within milliseconds: Int64
    ) throws -> GroupReply? {
        var progress = GroupProgress()
        do {
            return try ask(request, until: MonotonicClock.now + milliseconds) {
                guard let status = try ask(.status), let line = progress.line(of: status) else { return }
                Terminal.warn("waiting for \(line)")
            }
        } catch let failure as CommandFailure where failure.isSilence {
            let rest = progress.last.map { ": still waiting for \($0)" } ?? ""
            throw CommandFailure(
                description:
                    "\(what) is not done after \(milliseconds / 1_000) s\(rest); `counterfoil up` goes on "
                    + "with it, see `counterfoil status` and `counterfoil logs`",
                isSilence: true
            )
        }
    }

    private func ask(
        _ request: GroupRequest,
        until end: Int64,
        meanwhile: () throws -> Void
    ) throws -> GroupReply? {
        guard let descriptor = try UnixSocket.connect(to: home.upSocket, within: Self.patience) else {
            return nil
        }
        defer { close(descriptor) }
        var bytes = [UInt8](try JSONEncoder().encode(request))
        bytes.append(UInt8(ascii: "\n"))
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return nil }
        while !isReadable(descriptor, within: min(Self.glance, end - MonotonicClock.now)) {
            guard MonotonicClock.now < end else { throw silence }
            try meanwhile()
        }
        let answer = readToEnd(descriptor)
        return answer.isEmpty ? GroupReply() : try JSONDecoder().decode(GroupReply.self, from: Data(answer))
    }

    private var silence: CommandFailure {
        CommandFailure(
            description: "`counterfoil up` in \(home.root) does not answer; is it stopped, or very busy?",
            isSilence: true
        )
    }

    private func isReadable(_ descriptor: Int32, within milliseconds: Int64) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, Int32(clamping: max(0, milliseconds))) > 0
    }

    private func readToEnd(_ descriptor: Int32) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { answer += buffer[..<count] }
            if count == 0 || (count < 0 && errno != EINTR) { return answer }
        }
    }
}

/// Says what a group is not done with, each thing once.
struct GroupProgress {
    /// What is waited for when every program is well; nil: nothing is told then.
    var otherwise: String?
    private(set) var last: String?

    /// What is waited for, if that is something else than at the last call.
    mutating func line(of status: GroupReply) -> String? {
        let unwell = status.replicas.filter { !$0.isWell }.map { replica in
            "\(replica.program.rawValue).\(replica.replica) (\(replica.problem ?? replica.state))"
        }
        let line = unwell.isEmpty ? otherwise : unwell.joined(separator: ", ")
        guard let line, line != last else { return nil }
        last = line
        return line
    }
}
