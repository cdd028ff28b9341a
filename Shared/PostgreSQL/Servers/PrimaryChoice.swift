import Database

/// Which server is written to.
///
/// Two servers may both take writes: one that was cut off does not know that another was promoted. A promotion begins
/// a higher timeline, so the highest that any server has ever named counts, be it a standby.
struct PrimaryChoice {
    /// The highest timeline that was seen, by this process or by the one that wrote the store.
    private(set) var highestTimeline: Int64 = 0
    /// The log's database; nil until a server has told it.
    private(set) var system: Int64?

    /// Takes what a store says of the log that it has followed.
    mutating func expect(_ lineage: LogLineage) {
        system = system ?? lineage.system
        highestTimeline = max(highestTimeline, lineage.timeline)
    }

    /// | report | is taken |
    /// |---|---|
    /// | primary, of the highest timeline | the first one |
    /// | primary, of a lower one | never: it was replaced |
    /// | primary without timelines | if no server has them |
    /// | standby, silent, refused, foreign | never |
    ///
    /// - Throws: `SessionFault`, with what each server said.
    mutating func choose(
        among reports: [(host: LogAddress.Host, report: ServerReport)]
    ) throws(SessionFault) -> Int {
        for case (_, .standby(let timeline)) in reports { highestTimeline = max(highestTimeline, timeline) }
        for case (_, .primary(let timeline?, _)) in reports {
            highestTimeline = max(highestTimeline, timeline)
        }
        let chosen = reports.firstIndex { _, report in
            switch report {
            case .primary(let timeline, _): (timeline ?? 0) == highestTimeline
            case .standby, .silent, .refused, .foreign: false
            }
        }
        if let chosen { return chosen }
        let words = reports.map { host, report in
            switch report {
            case .silent(let why), .refused(let why), .foreign(let why): "\(host): \(why)"
            case .standby: "\(host) is a standby"
            case .primary(let timeline, _):
                "\(host) was replaced: its timeline is \(timeline ?? 0), and there is \(highestTimeline)"
            }
        }
        let text = "no primary: " + words.joined(separator: "; ")
        throw Self.isWrong(reports) ? .foreign(text) : .silent(text)
    }

    /// Whether it will be the same the next time: what is away may be the primary, and let this login in.
    ///
    /// A server may have several addresses, at some of which nobody listens.
    private static func isWrong(_ reports: [(host: LogAddress.Host, report: ServerReport)]) -> Bool {
        var (isForeign, isRefused) = (false, false)
        var heard: Set<LogAddress.Host> = []
        for (host, report) in reports {
            switch report {
            case .silent: continue
            case .foreign: isForeign = true
            case .refused: isRefused = true
            case .primary, .standby: break
            }
            heard.insert(host)
        }
        return isForeign || (isRefused && reports.allSatisfy { heard.contains($0.host) })
    }

    /// The chosen server has said of which database it is.
    mutating func note(system: Int64?) { self.system = self.system ?? system }

    /// What is known of the log's history.
    var lineage: LogLineage? {
        guard let system, highestTimeline > 0 else { return nil }
        return LogLineage(system: system, timeline: highestTimeline)
    }
}
