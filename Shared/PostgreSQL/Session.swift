import CPostgreSQL
import Glibc

/// One connection to one server, for statements that are transactions by themselves.
///
/// It sets nothing, and sends by its text what a server process does not know by a name, so that each statement may
/// reach another process behind a pooler. libpq never waits here: `poll` does, until a deadline.
final class Session {
    /// What the server says beside its answers.
    private final class Notices {
        var warnings: [String] = []
    }

    /// An answer that is on its way.
    private final class Pending {
        let statement: Statement
        var reply = Reply()
        var settings = Reply()
        var fault: ServerFault?
        /// How many transactions are without the end of their answer; of two the last one asks for the settings.
        var transactions: Int
        /// What each transaction prepares before it, until the server has said so.
        var preparations: [Preparation?] = []
        /// Whether each transaction's statement was sent by a name.
        var areNamed: [Bool] = []
        /// Whether the server did not do the statement, because of the name by which it was sent.
        var wasUnknown = false

        init(_ statement: Statement) {
            self.statement = statement
            transactions = statement.asksSettings ? 2 : 1
        }

        /// 0 while what comes is said of the statement, 1 of what was asked behind it.
        var part: Int { (statement.asksSettings ? 2 : 1) - transactions }
        var isOfStatement: Bool { part == 0 }
    }

    /// A statement that the server is to keep.
    private struct Preparation {
        let name: String
        let sql: String
        /// How many answers come before that of the statement itself.
        var answers: Int
    }

    private let connection: OpaquePointer
    private let notices = Notices()
    private let pulse: Pulse
    private var pending: Pending?
    private(set) var isLost = false
    /// Whether a part of a statement is still here: the line is slow, or dead, which the system finds out.
    private(set) var isSending = false

    /// Whether a statement was sent and is not answered yet.
    var isWaiting: Bool { pending != nil && !isLost }

    /// How the text of each statement begins, by which the server can be asked for it.
    var mark: String { "/* counterfoil \(own) */" }
    private let own = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    private var prepared: PreparedStatements

    /// Begins to connect; `advance` goes on.
    init(_ parameters: [(keyword: String, value: String)], _ pulse: Pulse) throws(SessionFault) {
        let keywords = parameters.map { strdup($0.keyword) }
        let values = parameters.map { strdup($0.value) }
        defer { for copy in keywords + values { free(copy) } }
        let started = (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keywords in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                PQconnectStartParams(keywords.baseAddress, values.baseAddress, 0)
            }
        }
        guard let started else { throw .silent("libpq has no memory") }
        connection = started
        self.pulse = pulse
        prepared = PreparedStatements(prefix: "counterfoil_\(own)")
        let context = Unmanaged.passUnretained(notices).toOpaque()
        PQsetNoticeReceiver(started, { Session.note($0, $1) }, context)
        // Who is not let in is told the SQLSTATE in the message alone, and only then.
        PQsetErrorVerbosity(started, PQERRORS_VERBOSE)
        guard PQstatus(started) != CONNECTION_BAD else { throw failure("begins no connection") }
    }

    deinit { PQfinish(connection) }

    private static func note(_ context: UnsafeMutableRawPointer?, _ notice: OpaquePointer?) {
        guard let context, let notice, field(cpostgresql_severity, of: notice) == "WARNING" else { return }
        let text = field(cpostgresql_message, of: notice)
        Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().warnings.append(text)
    }

    /// One step of connecting: what to wait for now, or nothing once the connection stands.
    func advance() throws(SessionFault) -> pollfd? {
        switch PQconnectPoll(connection) {
        case PGRES_POLLING_OK:
            guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
                throw failure("does not stop waiting")
            }
            PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
            return nil
        case PGRES_POLLING_READING: return interest(POLLIN)
        case PGRES_POLLING_WRITING: return interest(POLLOUT)
        default:
            isLost = true
            let message = String(cString: PQerrorMessage(connection))
            if let fault = ServerFault(ofLogin: message) { throw .server(fault) }
            let fault = failure("connects to no server")
            // The library says so itself, without asking the server.
            throw PQconnectionNeedsPassword(connection) == 1 ? .foreign(fault.text) : fault
        }
    }

    /// libpq: before its first step, wait as after one that wants to write.
    var firstInterest: pollfd { interest(POLLOUT) }

    /// Does one statement, and takes its whole answer.
    ///
    /// After `silent` the statement may be done or not, also later; unless the connection is lost, it is waited for.
    func run(_ statement: Statement, until deadline: Deadline) throws(SessionFault) -> Reply {
        try begin(statement)
        guard let reply = try answer(until: deadline) else { throw .silent("no answer in time") }
        return reply
    }

    /// Sends one statement, as far as the line takes it; `answer` goes on.
    func begin(_ statement: Statement) throws(SessionFault) {
        guard !isLost, pending == nil else { throw .silent("the connection is lost") }
        notices.warnings = []
        let pending = Pending(statement)
        self.pending = pending
        try send(statement, pending)
        guard statement.asksSettings else { return }
        try send(Statement(LogStatements.settings, isFrequent: statement.isFrequent), pending)
    }

    /// The whole answer; nil if it is not there in time, and then it may be asked for again.
    func answer(until deadline: Deadline) throws(SessionFault) -> Reply? {
        while true {
            guard !isLost, let pending else { throw .silent("the connection is lost") }
            guard try flush(until: deadline), try take(pending, until: deadline) else { return nil }
            self.pending = nil
            guard pending.wasUnknown, pending.transactions == 0, PQstatus(connection) == CONNECTION_OK else {
                return try finish(pending)
            }
            try begin(pending.statement)
        }
    }

    /// Whether all that can come has come in time.
    private func take(_ pending: Pending, until deadline: Deadline) throws(SessionFault) -> Bool {
        var wasNothing = false
        while pending.transactions > 0 {
            guard try arrives(until: deadline) else { return false }
            guard let result = PQgetResult(connection) else {
                // The end of what one statement brings.
                guard !wasNothing, PQstatus(connection) == CONNECTION_OK else { break }
                wasNothing = true
                continue
            }
            defer { PQclear(result) }
            wasNothing = false
            take(result, pending)
            guard PQstatus(connection) == CONNECTION_OK else { break }
        }
        return true
    }

    private func take(_ result: OpaquePointer, _ pending: Pending) {
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC: pending.transactions -= 1
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            if let preparation = pending.preparations[pending.part] {
                note(preparation, pending)
            } else if pending.isOfStatement {
                Self.read(result, into: &pending.reply)
            } else {
                Self.read(result, into: &pending.settings)
            }
        default:
            pending.preparations[pending.part] = nil
            let fault = Self.fault(of: result)
            // The same fault of a text is the statement's own: to send it again would never end.
            let isOfName = pending.areNamed[pending.part] && PreparedStatements.faults.contains(fault.state)
            if isOfName { prepared.giveUp() }
            // A fault behind the statement says nothing of it: its settings stay unknown.
            guard pending.isOfStatement, pending.fault == nil else { return }
            pending.wasUnknown = isOfName
            pending.fault = fault
        }
    }

    private func note(_ preparation: Preparation, _ pending: Pending) {
        var left = preparation
        left.answers -= 1
        pending.preparations[pending.part] = left.answers > 0 ? left : nil
        if left.answers == 0 { prepared.note(left.name, of: left.sql) }
    }

    private func finish(_ pending: Pending) throws(SessionFault) -> Reply {
        let stands = PQstatus(connection) == CONNECTION_OK
        if let fault = pending.fault {
            // A fault of libpq's own, as of a broken connection, has no SQLSTATE.
            isLost = !stands || fault.state.isEmpty || fault.severity != "ERROR"
            throw .server(fault)
        }
        guard pending.transactions == 0 else { throw failure("is lost") }
        isLost = !stands
        var reply = pending.reply
        reply.warnings = notices.warnings
        if pending.statement.asksSettings { reply.durability = Durability(pending.settings, from: 0) }
        return reply
    }

    private func send(_ statement: Statement, _ pending: Pending) throws(SessionFault) {
        // One byte more for the end of a text, and so that no bytes at all have an address, too.
        let copies = statement.parameters.map { parameter in
            switch parameter {
            case .text(let text): Self.copy(text.utf8)
            case .number(let number): Self.copy(String(number).utf8)
            case .bytes(let bytes): Self.copy(bytes)
            }
        }
        defer { for copy in copies { copy.deallocate() } }
        let values = copies.map { UnsafePointer($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
        let formats: [Int32] = statement.parameters.map { $0.isBytes ? 1 : 0 }
        let lengths = copies.map { Int32($0.count - 1) }
        let format: Int32 = statement.wantsBytes ? 1 : 0
        let count = Int32(values.count)
        let text = "\(mark) \(statement.sql)"
        var isSent = true
        var preparation: Preparation?
        let form = statement.isFrequent ? prepared.form(of: statement.sql) : .text
        switch form {
        case .text:
            isSent =
                PQsendQueryParams(connection, text, count, nil, values, lengths, formats, format) == 1
        case .new(let name, let ending):
            if let ending {
                isSent = PQsendQueryParams(connection, "DEALLOCATE \(ending)", 0, nil, nil, nil, nil, 0) == 1
            }
            isSent =
                isSent && PQsendPrepare(connection, name, text, count, nil) == 1
                && PQsendQueryPrepared(connection, name, count, values, lengths, formats, format) == 1
            let answers = ending == nil ? 1 : 2
            preparation = Preparation(name: name, sql: statement.sql, answers: answers)
        case .name(let name):
            isSent = PQsendQueryPrepared(connection, name, count, values, lengths, formats, format) == 1
        }
        pending.preparations.append(preparation)
        pending.areNamed.append(form != .text)
        guard isSent, PQpipelineSync(connection) == 1 else { throw failure("takes no statement") }
    }

    private static func copy(_ bytes: some Collection<UInt8>) -> UnsafeMutableRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        copy.copyBytes(from: bytes)
        copy[bytes.count] = 0
        return copy
    }

    private func flush(until deadline: Deadline) throws(SessionFault) -> Bool {
        isSending = true
        while true {
            switch PQflush(connection) {
            case 0:
                isSending = false
                return true
            case 1:
                guard try wait(interest(POLLIN | POLLOUT), until: deadline) else { return false }
                // A server that wants to be read first would never read what is sent.
                guard PQconsumeInput(connection) == 1 else { throw failure("is lost") }
            default: throw failure("is lost")
            }
        }
    }

    /// Whether the next result is there in time.
    private func arrives(until deadline: Deadline) throws(SessionFault) -> Bool {
        while PQisBusy(connection) != 0 {
            guard try wait(interest(POLLIN), until: deadline) else { return false }
            guard PQconsumeInput(connection) == 1 else { throw failure("is lost") }
        }
        return true
    }

    private func interest(_ events: Int32) -> pollfd {
        pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
    }

    private func wait(_ interest: pollfd, until deadline: Deadline) throws(SessionFault) -> Bool {
        guard interest.fd >= 0 else { throw failure("is lost") }
        var interests = [interest]
        do throws(SessionFault) { return try pulse.wait(for: &interests, until: deadline) } catch {
            isLost = true
            throw error
        }
    }

    /// libpq names no password in its messages.
    private func failure(_ what: String) -> SessionFault {
        isLost = true
        let lines = String(cString: PQerrorMessage(connection)).split(separator: "\n").map(String.init)
        return .silent("the connection \(what): \(lines.joined(separator: "; "))")
    }

    private static func read(_ result: OpaquePointer, into reply: inout Reply) {
        reply.affected = Int(String(cString: PQcmdTuples(result))) ?? 0
        for row in 0..<PQntuples(result) {
            reply.rows.append(
                (0..<PQnfields(result)).map { column in
                    PQgetisnull(result, row, column) == 0 ? bytes(result, row, column) : nil
                }
            )
        }
    }

    private static func bytes(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> [UInt8] {
        guard let value = PQgetvalue(result, row, column) else { return [] }
        let raw = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
        return Array(raw)
    }

    private static func fault(of result: OpaquePointer) -> ServerFault {
        ServerFault(
            severity: field(cpostgresql_severity, of: result),
            state: field(cpostgresql_state, of: result),
            message: field(cpostgresql_message, of: result)
        )
    }

    private static func field(_ code: Int32, of result: OpaquePointer) -> String {
        PQresultErrorField(result, code).map { String(cString: $0) } ?? ""
    }
}
