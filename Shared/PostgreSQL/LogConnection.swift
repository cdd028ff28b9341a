import Database

/// The connection to the primary, which is found again when it is lost.
///
/// There is one session at most, and a second one while the server is asked what became of a statement: while a
/// standby is away, each session that were left would keep a process of the server waiting for it.
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
    private let allowsOther: Bool
    let limits: LogLimits
    let pulse: Pulse
    private let pace: SearchPace
    private var session: Session?
    private var choice = PrimaryChoice()
    private let names = NameLookup()
    /// Of the primary; a name may have several.
    private var address: String?
    /// Whose statement the session is at work on.
    private var asker: ObjectIdentifier?
    /// The primary of the connection that there is, or was last.
    package private(set) var primary: Primary?
    /// Connections that were made.
    package private(set) var connections = 0

    /// Connects when it is first needed.
    ///
    /// `allowsSingle` takes a server that may lose what it acknowledged with one machine, `allowsOther` a database with
    /// another system identifier than the stores have followed, as `pg_upgrade` makes it of the same log. Connections
    /// with one `pace` do not all search for a primary at once. Once `ending` has begun none waits for long.
    package init(
        _ login: ServerLogin,
        allowsSingle: Bool = false,
        allowsOther: Bool = false,
        limits: LogLimits = LogLimits(),
        pace: SearchPace = SearchPace(),
        ending: LogEnding = LogEnding()
    ) {
        self.login = login
        self.pace = pace
        self.allowsSingle = allowsSingle
        self.allowsOther = allowsOther
        self.limits = limits
        pulse = Pulse(interval: limits.pulse, ending: ending, patience: limits.ending)
    }

    /// Called as a call of this connection begins to wait, and again and again while that lasts, on its thread.
    ///
    /// `isLong` says that the wait has lasted for `LogLimits.pulse`: then heartbeats are answered. It uses another
    /// connection, if it uses any.
    package var whileWaiting: (_ isLong: Bool) -> Void {
        get { pulse.beat }
        set { pulse.beat = newValue }
    }

    // MARK: The primary

    /// What is known of the log's history; nil until a server has told it.
    var lineage: LogLineage? { choice.lineage }

    /// Takes nothing of a log that is another one or has not come so far.
    func expect(_ lineage: LogLineage) {
        if !allowsOther { choice.expect(lineage) }
    }

    /// Forgets the connection: the next statement finds the primary anew.
    package func disconnect() { session = nil }

    /// Connects to the primary, unless a connection stands.
    func connect(until deadline: Deadline) throws(SessionFault) {
        try pulse.assertWanted()
        if let session, session.isWaiting { try awaitAnswer(of: session, until: deadline) }
        if let session, !session.isLost { return }
        session = nil
        try pace.wait(pulse, until: min(deadline, Deadline(in: limits.connect)))
        do throws(SessionFault) {
            try use(try find(until: min(deadline, Deadline(in: limits.connect))))
        } catch {
            pace.note(error)
            throw error
        }
        pace.note(nil)
    }

    private func use(_ found: ServerSearch.Found) throws(SessionFault) {
        let durability = found.answer.durability
        primary = Primary(host: found.host, timeline: found.answer.timeline, weakness: durability.weakness)
        if let weakness = durability.weakness, !allowsSingle { throw .weak(weakness) }
        session = found.session
        address = found.address
        connections += 1
    }

    private func find(until deadline: Deadline) throws(SessionFault) -> ServerSearch.Found {
        var search = ServerSearch(login, names, limits, pulse, until: deadline)
        return try search.run(&choice, until: deadline)
    }

    /// Waits a little for the answer to a statement that nobody asks for any more.
    ///
    /// The machine may be gone without a word; there has to be time for another one.
    private func awaitAnswer(of session: Session, until deadline: Deadline) throws(SessionFault) {
        do throws(SessionFault) {
            if try session.answer(until: min(deadline, Deadline(in: limits.probe))) != nil { return }
        } catch { return }
        guard !isAtWork(until: Deadline(in: limits.probe)) else { throw .busy }
        self.session = nil
    }

    /// Whether the primary is still at work on what the session has sent; also if nobody can be asked.
    ///
    /// False where another server is the primary by now, or the statement or its answer was lost: then it is sent
    /// again on another session.
    func isAtWork(until deadline: Deadline) -> Bool {
        guard let session, session.isWaiting else { return false }
        if session.isSending { return true }
        guard let primary else { return false }
        do throws(SessionFault) {
            let found = try find(until: deadline)
            guard found.host == primary.host, found.address == address,
                found.answer.timeline == primary.timeline
            else { return false }
            let statement = Statement(LogStatements.isAtWork, [.text(session.mark)])
            return try found.session.run(statement, until: deadline).number(0) ?? 0 > 0
        } catch {
            // A server that forbids the question is there, and says nothing.
            if case .server(let fault) = error, fault.meaning == .forbidden { return false }
            return true
        }
    }

    // MARK: Statements

    /// Sends one statement to the primary; `answer` goes on.
    func begin(
        _ statement: Statement,
        for asker: AnyObject? = nil,
        until deadline: Deadline
    ) throws(SessionFault) {
        try connect(until: deadline)
        guard let session else { throw .silent("no connection") }
        self.asker = asker.map(ObjectIdentifier.init)
        try session.begin(statement)
    }

    /// The answer to the statement that was sent last, or nil if it is not there in time.
    func answer(until deadline: Deadline) throws(SessionFault) -> Reply? {
        guard let session else { throw .silent("no connection") }
        defer { if session.isLost { self.session = nil } }
        return try session.answer(until: deadline)
    }

    /// Whether an answer to this object's statement is still to come.
    func isWaiting(for asker: AnyObject) -> Bool {
        session?.isWaiting == true && self.asker == ObjectIdentifier(asker)
    }

    /// Does one statement on the primary.
    func run(_ statement: Statement, until deadline: Deadline) throws(SessionFault) -> Reply {
        try begin(statement, until: deadline)
        guard let reply = try answer(until: deadline) else { throw .silent("no answer in time") }
        return reply
    }

    /// Why an acknowledgement says less than that a second machine has what was written.
    ///
    /// `column` is where the settings from before the COMMIT begin; those from behind it count as well.
    func doubt(of reply: Reply, settings column: Int) -> String? {
        if let warning = reply.warnings.first { return warning }
        if allowsSingle { return nil }
        guard let after = reply.durability else { return "the settings behind the COMMIT are not known" }
        return Durability(reply, from: column).weakness ?? after.weakness
    }

    /// Does one statement that may be done twice, and says its fault in the words of a log.
    ///
    /// It has so many milliseconds, `limits.call` of them unless another number is given. A connection that was lost
    /// while nobody used it is made anew once.
    func call(
        _ sql: String,
        _ parameters: [Parameter],
        wantsBytes: Bool = false,
        asksSettings: Bool = false,
        within milliseconds: Int? = nil
    ) throws(LogFault) -> Reply {
        let statement = Statement(sql, parameters, wantsBytes: wantsBytes, asksSettings: asksSettings)
        let deadline = Deadline(in: milliseconds ?? limits.call)
        pulse.beginCall()
        var mayRepeat = session != nil
        while true {
            do throws(SessionFault) {
                let reply = try run(statement, until: deadline)
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
