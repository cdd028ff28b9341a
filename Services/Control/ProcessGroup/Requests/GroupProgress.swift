/// Reports what a group waits for, each thing once.
struct GroupProgress {
    /// What to report when every program is well; nil for nothing.
    var otherwise: String?
    private(set) var last: String?

    /// Nil when unchanged since the last call.
    mutating func line(of status: SupervisorReply) -> String? {
        let unwell = status.replicas.filter { !$0.isWell }.map { replica in
            "\(replica.program.rawValue).\(replica.replica) (\(replica.problem ?? replica.state))"
        }
        let line = unwell.isEmpty ? otherwise : unwell.joined(separator: ", ")
        guard let line, line != last else { return nil }
        last = line
        return line
    }
}
