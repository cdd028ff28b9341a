import Contracts

/// What a command asks a running `counterfoil up`, one JSON line over its socket.
enum GroupRequest: Codable, Equatable {
    /// The longest line that is read, in bytes.
    static let maximumBytes = 64 << 10

    /// Which replicas run; answered at once.
    case status
    /// Answered when as many run as are wanted, and are well.
    case scale(program: GroupProgram, replicas: Int)
    /// One after the other, of a program or of all; answered when all are well again.
    ///
    /// `version` is that of the configuration that was checked. If it is another than the group's, all programs are
    /// restarted with it.
    case restart(program: GroupProgram?, version: String)
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
        /// What it does, in a word.
        var state: String
        /// The version of the configuration with which it was started; nil when it never was.
        var configuration: String?
        /// Why it does not run; nil when there is nothing to say.
        var problem: String?
    }

    var replicas: [Replica] = []
    /// Why nothing was done; nil if it was.
    var problem: String?
    /// The exit code that goes with the problem; nil for that of a failure.
    var code: Int32?
    /// The version of the configuration with which programs are started.
    var configuration: String?
    /// How many partitions each service has.
    var partitions: Int?
    /// Where the gateway listens, once it is ready.
    var gateway: String?
}
