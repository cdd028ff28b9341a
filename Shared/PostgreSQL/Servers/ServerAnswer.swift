/// All that a server says about itself.
struct ServerAnswer {
    let isStandby: Bool
    let timeline: Int64?
    /// The number that `initdb` gave the database, and that its standbys share; nil where it is not told.
    let system: Int64?
    let durability: Durability

    /// Asks for less and less, where rights or the engine forbid the rest; whether it is a standby as long as possible.
    static func ask(_ session: Session, until end: Deadline) throws(SessionFault) -> ServerAnswer {
        for sql in [LogStatements.server, LogStatements.hardenedServer, LogStatements.recovery] {
            do throws(SessionFault) {
                return ServerAnswer(try session.run(Statement(sql), until: end))
            } catch {
                guard case .server(let fault) = error, fault.meaning == .forbidden else { throw error }
            }
        }
        let reply = try session.run(Statement(LogStatements.settings), until: end)
        return ServerAnswer(durability: Durability(reply, from: 0))
    }

    private init(_ reply: Reply) {
        isStandby = reply.text(0) != "false"
        timeline = reply.number(1)
        system = reply.number(2)
        durability = Durability(reply, from: 3)
    }

    /// Of an engine that knows nothing of standbys.
    private init(durability: Durability) {
        (isStandby, timeline, system) = (false, nil, nil)
        self.durability = durability
    }

    func report(expected: Int64?) -> ServerReport {
        if let expected, let system, system != expected {
            return .foreign(
                "its system identifier is \(system), the log's is \(expected); --allow-other takes it"
            )
        }
        return isStandby ? .standby(timeline: timeline ?? 0) : .primary(timeline: timeline, durability)
    }
}
