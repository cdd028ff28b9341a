import Program

struct SupervisorReply: Codable, Equatable {
    struct Replica: Codable, Equatable {
        var program: GroupProgram
        var replica: Int
        /// Nil while it is not running.
        var pid: Int32?
        /// Whether it has answered a heartbeat since its start.
        var isWell: Bool
        var state: String
        /// The configuration version of its last start; nil before that.
        var configuration: String?
        var problem: String?
    }

    var replicas: [Replica] = []
    var problem: String?
    /// The problem's exit code; nil for that of a failure.
    var code: Int32?
    /// The configuration version for the next starts.
    var configuration: String?
    var partitions: Int?
    /// Nil where all programs are on this machine.
    var wire: Configuration.Wire?
    /// The commit log, without its password; nil where there is none.
    var store: Configuration.Store?
    /// Nil until it is ready.
    var gateway: String?

    func list(of program: GroupProgram) -> String {
        let list = replicas.filter { $0.program == program }.map {
            "\(program.rawValue).\($0.replica) (pid \($0.pid.map(String.init) ?? "-"))"
        }
        return list.isEmpty ? "the group has ended" : list.joined(separator: ", ")
    }
}
