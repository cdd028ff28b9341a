import Database

/// The connection to the primary, which is found again when it is lost.
package final class LogConnection {
    /// What is known of the primary.
    package struct Primary: Hashable, Sendable {
        package let host: LogAddress.Host
        /// Nil of an engine that has none.
        package let timeline: Int64?
        /// Why what it acknowledges may be lost with one machine; nil if it may not.
        package let weakness: String?
    }

    private let login: ServerLogin
    private let allowsSingle: Bool
    let limits: LogLimits
    private var session: Session?
    private var choice = PrimaryChoice()
    /// The primary of the connection that there is, or was last.
    package private(set) var primary: Primary?
    /// Connections that were made.
    package private(set) var connections = 0

    /// Called while a call of this connection waits, on its thread: the place to answer heartbeats.
    package var whileWaiting: () -> Void = {}

    /// Connects when it is first needed.
    ///
    /// `allowsSingle` takes a server that may lose what it acknowledged with one machine.
    package init(_ login: ServerLogin, allowsSingle: Bool = false, limits: LogLimits = LogLimits()) {
        self.login = login
        self.allowsSingle = allowsSingle
        self.limits = limits
    }

    /// Forgets the connection: the next statement finds the primary anew.
    func disconnect() { session = nil }

    /// Connects to the primary, unless a connection stands.
    func connect(until deadline: Deadline) throws(SessionFault) {
        if let session, !session.isLost { return }
        session = nil
        var search = ServerSearch(login, limits)
        let found = try search.run(&choice, until: min(deadline, Deadline(in: limits.connect)))
        let weakness = found.durability.weakness
        primary = Primary(host: found.host, timeline: found.timeline, weakness: weakness)
        if let weakness, !allowsSingle { throw .weak(weakness) }
        session = found.session
        connections += 1
    }

    /// Does one statement on the primary.
    func run(
        _ sql: String,
        _ parameters: [Parameter],
        wantsBytes: Bool = false,
        until deadline: Deadline
    ) throws(SessionFault) -> Reply {
        whileWaiting()
        try connect(until: deadline)
        guard let session else { throw .silent("no connection") }
        defer { if session.isLost { self.session = nil } }
        return try session.run(sql, parameters, wantsBytes: wantsBytes, until: deadline)
    }

    /// Why an acknowledgement that came with these settings says less than that a second machine has it.
    func doubt(of reply: Reply, settings column: Int) -> String? {
        if let warning = reply.warnings.first { return warning }
        return allowsSingle ? nil : ServerSearch.durability(of: reply, from: column).weakness
    }

    /// Does one statement that may be done twice, and says its fault in the words of a log.
    ///
    /// A connection that was lost while nobody used it is made anew once.
    func call(
        _ sql: String,
        _ parameters: [Parameter],
        wantsBytes: Bool = false
    ) throws(LogFault) -> Reply {
        let deadline = Deadline(in: limits.call)
        var mayRepeat = session != nil
        while true {
            do throws(SessionFault) {
                let reply = try run(sql, parameters, wantsBytes: wantsBytes, until: deadline)
                // What was written is on one machine, perhaps.
                guard let warning = reply.warnings.first else { return reply }
                throw .silent(warning)
            } catch {
                if case .silent = error, mayRepeat, session == nil {
                    mayRepeat = false
                    continue
                }
                throw LogFault(error)
            }
        }
    }
}
