/// What one server of the address says about itself.
enum ServerReport: Hashable {
    /// It was not reached, or said nothing in time.
    case silent(String)
    /// It takes no writes.
    case standby(timeline: Int64)
    /// It takes writes. The timeline is nil of an engine that has none.
    case primary(timeline: Int64?, Durability)
}

/// Which server is written to.
///
/// Two servers may both take writes: one that was cut off does not know that another was promoted. A promotion begins
/// a higher timeline, so the highest that any server has ever named counts, be it a standby.
struct PrimaryChoice {
    /// The highest timeline that was seen since the process began.
    private(set) var highestTimeline: Int64 = 0

    /// | report | is taken |
    /// |---|---|
    /// | primary, of the highest timeline | the first one |
    /// | primary, of a lower one | never: it was replaced |
    /// | primary without timelines | if no server has them |
    /// | standby, silent | never |
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
            case .standby, .silent: false
            }
        }
        if let chosen { return chosen }
        let words = reports.map { host, report in
            switch report {
            case .silent(let why): "\(host): \(why)"
            case .standby: "\(host) is a standby"
            case .primary(let timeline, _):
                "\(host) was replaced: its timeline is \(timeline ?? 0), and there is \(highestTimeline)"
            }
        }
        throw .silent("no primary: " + words.joined(separator: "; "))
    }
}
