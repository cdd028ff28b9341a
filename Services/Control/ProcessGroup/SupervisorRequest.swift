import Contracts

/// What a command asks a running `counterfoil up`, one JSON line over its socket.
enum SupervisorRequest: Codable, Equatable {
    /// The longest line that is read, in bytes.
    static let maximumBytes = 64 << 10

    /// Which replicas run; answered at once.
    case status
    /// Answered when as many run as are wanted, and are well.
    case scale(program: GroupProgram, replicas: Int)
    /// One after the other, of a program or of all; answered when all are well again.
    ///
    /// `version` is that of the configuration that was checked. If the group has another, all programs are restarted
    /// with it.
    case restart(program: GroupProgram?, version: String)
    /// Never answered: the connection ends with the group.
    case down
}

/// What `counterfoil up` answers.
struct SupervisorReply: Codable, Equatable {
    struct Replica: Codable, Equatable {
        var program: GroupProgram
        var replica: Int
        /// Nil while it is not running.
        var pid: Int32?
        /// Whether it has answered a heartbeat since it began.
        var isWell: Bool
        /// What it does, for people.
        var state: String
        /// The version of the configuration with which it was started; nil when it never was.
        var configuration: String?
        var problem: String?
    }

    var replicas: [Replica] = []
    var problem: String?
    /// The exit code that goes with the problem; nil for that of a failure.
    var code: Int32?
    /// The version of the configuration with which programs are started.
    var configuration: String?
    var partitions: Int?
    /// Where the gateway listens, once it is ready.
    var gateway: String?

    /// The replicas of one program in one line.
    func list(of program: GroupProgram) -> String {
        let list = replicas.filter { $0.program == program }.map {
            "\(program.rawValue).\($0.replica) (pid \($0.pid.map(String.init) ?? "-"))"
        }
        return list.isEmpty ? "the group has ended" : list.joined(separator: ", ")
    }
}
