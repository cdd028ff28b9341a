import Glibc

/// Connects to all servers of an address at once, and hears what each is.
struct ServerSearch {
    private struct Candidate {
        let host: LogAddress.Host
        /// Nil of a socket's folder.
        let address: String?
        var session: Session?
        /// What it waits for while it connects.
        var interest: pollfd?
        var report = ServerReport.silent("no answer in time")
        var answer: ServerAnswer?
    }

    /// The server that was chosen.
    struct Found {
        let session: Session
        let host: LogAddress.Host
        let address: String?
        let answer: ServerAnswer
    }

    private let limits: LogLimits
    private let pulse: Pulse
    private var candidates: [Candidate] = []

    /// Begins to connect to each address of each server; one that does not answer delays no other.
    init(
        _ login: ServerLogin,
        _ names: NameLookup,
        _ limits: LogLimits,
        _ pulse: Pulse,
        until deadline: Deadline
    ) {
        self.limits = limits
        self.pulse = pulse
        for host in login.address.hosts {
            let end = min(deadline, Deadline(in: limits.lookup))
            do throws(SessionFault) {
                guard let addresses = try names.addresses(of: host, pulse, until: end) else {
                    candidates.append(Self.candidate(host, nil, login, pulse))
                    continue
                }
                for address in addresses { candidates.append(Self.candidate(host, address, login, pulse)) }
            } catch {
                let report = ServerReport.silent(error.text)
                candidates.append(Candidate(host: host, address: nil, report: report))
            }
        }
    }

    private static func candidate(
        _ host: LogAddress.Host,
        _ address: String?,
        _ login: ServerLogin,
        _ pulse: Pulse
    ) -> Candidate {
        var candidate = Candidate(host: host, address: address)
        do throws(SessionFault) {
            let session = try Session(login.parameters(for: host, at: address), pulse)
            candidate.session = session
            candidate.interest = session.firstInterest
        } catch { candidate.report = .silent(error.text) }
        return candidate
    }

    /// Finds the primary.
    ///
    /// Of a log of which no timeline is known yet every server is heard, as long as there is time: the first one that
    /// answers may be a former primary.
    mutating func run(_ choice: inout PrimaryChoice, until deadline: Deadline) throws(SessionFault) -> Found {
        var end = deadline
        let isKnown = choice.highestTimeline > 0
        while true {
            let waiting = candidates.indices.filter { candidates[$0].interest != nil }
            if waiting.isEmpty || end.isOver { break }
            var interests = waiting.compactMap { candidates[$0].interest }
            guard try pulse.wait(for: &interests, until: end) else { break }
            for (index, interest) in zip(waiting, interests) where interest.revents != 0 {
                advance(index, expected: choice.system, until: end)
                if isKnown, case .primary = candidates[index].report {
                    end = min(end, Deadline(in: limits.grace))
                }
            }
        }
        let index = try choice.choose(among: candidates.map { ($0.host, $0.report) })
        guard let session = candidates[index].session, let answer = candidates[index].answer else {
            throw .silent("no primary")
        }
        choice.note(system: answer.system)
        let (host, address) = (candidates[index].host, candidates[index].address)
        return Found(session: session, host: host, address: address, answer: answer)
    }

    private mutating func advance(_ index: Int, expected: Int64?, until end: Deadline) {
        guard let session = candidates[index].session else { return }
        do throws(SessionFault) {
            candidates[index].interest = try session.advance()
            guard candidates[index].interest == nil else { return }
            let answer = try ServerAnswer.ask(session, until: min(end, Deadline(in: limits.probe)))
            candidates[index].answer = answer
            candidates[index].report = answer.report(expected: expected)
        } catch {
            candidates[index].interest = nil
            candidates[index].report =
                switch error {
                case .foreign(let why): .refused(why)
                case .server(let fault) where fault.refusesLogin: .refused(fault.text)
                case .server, .silent, .busy, .weak: .silent(error.text)
                }
        }
    }
}
