import CPostgreSQL
import Glibc

/// One connection to one server, for statements that are transactions by themselves.
///
/// It sets nothing and prepares nothing by name, so that each statement may reach another server process behind a
/// pooler. libpq never waits here: `poll` does, until a deadline. Names of hosts are the exception, which libpq looks
/// up when the connection begins.
final class Session {
    /// What the server says beside its answers.
    private final class Notices {
        var warnings: [String] = []
    }

    private let connection: OpaquePointer
    private let notices = Notices()
    /// Whether an answer is still to come, or the connection is lost.
    private(set) var isLost = false

    /// Begins to connect; `advance` goes on.
    init(_ parameters: [(keyword: String, value: String)]) throws(SessionFault) {
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
        let context = Unmanaged.passUnretained(notices).toOpaque()
        PQsetNoticeReceiver(started, { Session.note($0, $1) }, context)
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
            guard PQsetnonblocking(connection, 1) == 0 else { throw failure("does not stop waiting") }
            return nil
        case PGRES_POLLING_READING: return interest(POLLIN)
        case PGRES_POLLING_WRITING: return interest(POLLOUT)
        default: throw failure("connects to no server")
        }
    }

    /// libpq: before its first step, wait as after one that wants to write.
    var firstInterest: pollfd { interest(POLLOUT) }

    /// Does one statement, and takes its whole answer.
    ///
    /// With `wantsBytes` its columns come in binary. After `silent` the statement may be done or not, also later.
    func run(
        _ sql: String,
        _ parameters: [Parameter],
        wantsBytes: Bool = false,
        until deadline: Deadline
    ) throws(SessionFault) -> Reply {
        guard !isLost else { throw .silent("the connection is lost") }
        notices.warnings = []
        isLost = true
        try send(sql, parameters, wantsBytes)
        try flush(until: deadline)
        var reply = Reply()
        var fault: ServerFault?
        while let result = try next(until: deadline) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: Self.read(result, into: &reply)
            default: fault = fault ?? Self.fault(of: result)
            }
        }
        if let fault {
            // A fault of libpq's own, as of a broken connection, has no SQLSTATE.
            guard PQstatus(connection) == CONNECTION_OK, !fault.state.isEmpty else { throw .server(fault) }
            isLost = fault.severity != "ERROR"
            throw .server(fault)
        }
        isLost = PQstatus(connection) != CONNECTION_OK
        reply.warnings = notices.warnings
        return reply
    }

    private func send(_ sql: String, _ parameters: [Parameter], _ wantsBytes: Bool) throws(SessionFault) {
        var storage: [[UInt8]] = []
        var formats: [Int32] = []
        for parameter in parameters {
            switch parameter {
            case .text(let text): storage.append(Array(text.utf8) + [0])
            case .number(let number): storage.append(Array(String(number).utf8) + [0])
            // One byte more, so that no bytes at all have an address, too.
            case .bytes(let bytes): storage.append(bytes + [0])
            }
            if case .bytes = parameter { formats.append(1) } else { formats.append(0) }
        }
        let lengths = storage.map { Int32($0.count - 1) }
        let copies = storage.map { bytes in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            memcpy(copy, bytes, bytes.count)
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        let values: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) }
        let format: Int32 = wantsBytes ? 1 : 0
        let sent = PQsendQueryParams(
            connection,
            sql,
            Int32(values.count),
            nil,
            values,
            lengths,
            formats,
            format
        )
        guard sent == 1 else { throw failure("takes no statement") }
    }

    private func flush(until deadline: Deadline) throws(SessionFault) {
        while true {
            switch PQflush(connection) {
            case 0: return
            case 1:
                try wait(interest(POLLIN | POLLOUT), until: deadline)
                // A server that wants to be read first would never read what is sent.
                guard PQconsumeInput(connection) == 1 else { throw failure("is lost") }
            default: throw failure("is lost")
            }
        }
    }

    private func next(until deadline: Deadline) throws(SessionFault) -> OpaquePointer? {
        while PQisBusy(connection) != 0 {
            try wait(interest(POLLIN), until: deadline)
            guard PQconsumeInput(connection) == 1 else { throw failure("is lost") }
        }
        return PQgetResult(connection)
    }

    private func interest(_ events: Int32) -> pollfd {
        pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
    }

    private func wait(_ interest: pollfd, until deadline: Deadline) throws(SessionFault) {
        guard interest.fd >= 0 else { throw failure("is lost") }
        var interest = interest
        while true {
            let code = poll(&interest, 1, Int32(clamping: deadline.remaining))
            if code > 0 { return }
            if code == 0 { throw .silent("no answer in time") }
            guard errno == EINTR else { throw .silent(String(cString: strerror(errno))) }
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
