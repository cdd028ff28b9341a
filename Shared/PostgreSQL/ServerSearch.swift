import Glibc

/// Connects to all servers of an address at once, and hears what each is.
struct ServerSearch {
    private struct Candidate {
        let host: LogAddress.Host
        var session: Session?
        /// What it waits for while it connects.
        var interest: pollfd?
        var report = ServerReport.silent("no answer in time")
    }

    /// The server that was chosen.
    struct Found {
        let session: Session
        let host: LogAddress.Host
        let timeline: Int64?
        let durability: Durability
    }

    private let limits: LogLimits
    private var candidates: [Candidate] = []

    init(_ login: ServerLogin, _ limits: LogLimits) {
        self.limits = limits
        candidates = login.address.hosts.map { host in
            var candidate = Candidate(host: host)
            do throws(SessionFault) {
                let session = try Session(login.parameters(for: host))
                candidate.session = session
                candidate.interest = session.firstInterest
            } catch { candidate.report = .silent(error.text) }
            return candidate
        }
    }

    /// Finds the primary.
    mutating func run(_ choice: inout PrimaryChoice, until deadline: Deadline) throws(SessionFault) -> Found {
        var end = deadline
        while true {
            let waiting = candidates.indices.filter { candidates[$0].interest != nil }
            if waiting.isEmpty || end.isOver { break }
            var interests = waiting.compactMap { candidates[$0].interest }
            guard poll(&interests, nfds_t(interests.count), Int32(clamping: end.remaining)) > 0 else {
                continue
            }
            for (index, interest) in zip(waiting, interests) where interest.revents != 0 {
                advance(index, until: end)
                if case .primary = candidates[index].report { end = min(end, Deadline(in: limits.grace)) }
            }
        }
        let index = try choice.choose(among: candidates.map { ($0.host, $0.report) })
        let (chosen, report) = (candidates[index], candidates[index].report)
        guard let session = chosen.session, case .primary(let timeline, let durability) = report else {
            throw .silent("no primary")
        }
        return Found(session: session, host: chosen.host, timeline: timeline, durability: durability)
    }

    private mutating func advance(_ index: Int, until end: Deadline) {
        guard let session = candidates[index].session else { return }
        do throws(SessionFault) {
            candidates[index].interest = try session.advance()
            guard candidates[index].interest == nil else { return }
            candidates[index].report = try Self.report(
                of: session,
                until: min(end, Deadline(in: limits.probe))
            )
        } catch {
            candidates[index].interest = nil
            candidates[index].report = .silent(error.text)
        }
    }

    /// An engine that has no timelines does not know the functions, and then is asked for the settings alone.
    private static func report(of session: Session, until end: Deadline) throws(SessionFault) -> ServerReport
    {
        do {
            let reply = try session.run(LogStatements.server, [], until: end)
            let timeline = reply.number(1) ?? 0
            guard reply.text(0) == "false" else { return .standby(timeline: timeline) }
            return .primary(timeline: timeline, durability(of: reply, from: 2))
        } catch .server(let fault) where fault.meaning == .forbidden {
            let reply = try session.run(LogStatements.settings, [], until: end)
            return .primary(timeline: nil, durability(of: reply, from: 0))
        }
    }

    /// Of three columns that `LogStatements.durability` names.
    static func durability(of reply: Reply, from column: Int) -> Durability {
        Durability(
            fsync: reply.text(column),
            synchronousCommit: reply.text(column + 1),
            synchronousStandbyNames: reply.text(column + 2)
        )
    }
}
