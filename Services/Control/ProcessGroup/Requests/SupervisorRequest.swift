/// A command's request to a running `counterfoil up`, one JSON line over its socket.
enum SupervisorRequest: Codable, Equatable {
    /// Maximum bytes of a line.
    static let maximumBytes = 64 << 10

    /// Answered at once.
    case status
    /// Answered when as many replicas as wanted run and are well.
    case scale(program: GroupProgram, replicas: Int)
    /// Restarts one program's replicas, or all, one by one; answered when all are well again.
    ///
    /// `version` is the checked configuration's; if the group has another, all programs restart with it.
    case restart(program: GroupProgram?, version: String)
    /// Never answered: the connection ends with the group.
    case down
}
