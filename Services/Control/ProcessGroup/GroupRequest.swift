import Contracts

/// What a command asks a running `counterfoil up`, one JSON line over its socket.
enum GroupRequest: Codable, Equatable {
    /// The longest line that is read, in bytes.
    static let maximumBytes = 64 << 10

    /// Which replicas run; answered at once.
    case status
    /// Answered when as many run as are wanted, and are well.
    case scale(program: GroupProgram, replicas: Int)
    /// One after the other; answered when all are well again.
    case restart(program: GroupProgram)
    /// Never answered: the connection ends with the group.
    case down
}

/// What `counterfoil up` answers.
struct GroupReply: Codable, Equatable {
    struct Replica: Codable, Equatable {
        var program: GroupProgram
        var replica: Int
        /// Nil while it is not running.
        var pid: Int32?
        /// Whether it has answered a heartbeat since it began.
        var isWell: Bool
    }

    var replicas: [Replica] = []
    /// Why nothing was done; nil if it was.
    var problem: String?
    /// Where the gateway listens, once it is ready.
    var gateway: String?
}
