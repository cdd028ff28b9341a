import Contracts
import Database

@testable import Delivery

/// The two ends of a link.
protocol EngineRole: Sendable {
    static var name: ServiceName { get }
}

/// The end that sends; the link forward may be braked.
enum SendingRole: EngineRole {
    static let name = ServiceName.orders
}

/// The end that receives, and answers.
enum ReceivingRole: EngineRole {
    static let name = ServiceName.entitlements
}

/// The end that has a link to itself.
enum LoopingRole: EngineRole {
    static let name = ServiceName.receipts
}

/// A service that keeps notes; a text in its table `broken` makes its handlers throw.
struct NoteService<Role: EngineRole>: PartitionedService {
    static var name: ServiceName { Role.name }
    static var schema: Schema {
        Schema(
            "notes",
            [
                Migration(
                    1,
                    [
                        "CREATE TABLE note (number INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL) STRICT",
                        "CREATE TABLE broken (text TEXT NOT NULL PRIMARY KEY) STRICT",
                        "CREATE TABLE job (key TEXT NOT NULL PRIMARY KEY, due INTEGER NOT NULL) STRICT",
                    ]
                )
            ]
        )
    }

    static var counters: [String] { ["notes"] }

    /// Whether this is the later program, which knows `NoteV2`.
    var isLater = false
    var worker: (any OutsideWorker)?
    var timers: [any DurableTimer] = []

    /// Why a handler did not do what it was asked.
    struct Broken: Error {
        let text: String
    }

    func register(in table: inout HandlerTable) {
        table.on(NoteV1.self) { event, context in try Self.keep(event.data.text, context) }
        if isLater {
            table.on(NoteV2.self) { event, context in try Self.keep(event.data.text, context) }
        }
        table.on(RelayV1.self) { event, context in
            let relay = event.data
            let (subject, isUrgent) = (event.subject, relay.canWait != true)
            try Self.send(relay.texts, relay.filler, to: relay.to, subject, isUrgent: isUrgent, context)
            return .applied
        }
        table.on(JobsV1.self) { event, context in
            try Self.enqueue(event.data.keys, context)
            return .applied
        }
        table.on(request: WorkV1.self) { event, context in
            try Self.enqueue(event.data.keys, context)
            return .reply(Said(count: event.data.keys.count))
        }
        table.on(request: SayV1.self) { event, context in
            let say = event.data
            try Self.send(say.texts, say.filler, to: say.to, event.subject, context)
            return .reply(Said(count: say.texts.count))
        }
        table.on(request: NotesV1.self, Self.answer)
    }

    static func texts(_ connection: any Connection) throws -> [String] {
        try connection.rows("SELECT text FROM note ORDER BY number").map { try $0[0] as String }
    }

    private static func keep(_ text: String, _ context: HandlerContext) throws -> Outcome {
        if text == "deadLetter" { return .deadLettered("nobody wants it") }
        if text == "alarm" { context.alarm(.purchaseParked, "look") }
        try refuse(text, context.connection)
        try context.connection.execute("INSERT INTO note (text) VALUES (?)", [.text(text)])
        context.count("notes")
        context.wake("notes")
        return .applied
    }

    private static func refuse(_ text: String, _ connection: any Connection) throws {
        guard try connection.row("SELECT 1 FROM broken WHERE text = \(text)") == nil else {
            throw Broken(text: text)
        }
    }

    private static func send(
        _ texts: [String],
        _ filler: Int?,
        to service: ServiceName,
        _ subject: String,
        isUrgent: Bool = true,
        _ context: HandlerContext
    ) throws {
        for text in texts {
            let note = NoteV1(text: text, filler: filler.map { String(repeating: "x", count: $0) })
            try context.send(
                note,
                to: PartitionAddress(service, 0),
                subject: subject,
                isUrgent: isUrgent
            )
        }
    }

    private static func answer(
        _ event: Event<NotesV1>,
        _ context: HandlerContext
    ) throws -> RequestOutcome<Notes> {
        let notes = Notes(texts: try texts(context.connection))
        guard notes.texts.count < event.data.atLeast else {
            try refuse("answer", context.connection)
            return .reply(notes)
        }
        let until = event.data.until ?? context.now.advanced(by: 60_000)
        return .wait(on: "notes", until: until, otherwise: notes)
    }

    private static func enqueue(_ keys: [String], _ context: HandlerContext) throws {
        for key in keys {
            try context.connection.execute(
                "INSERT INTO job (key, due) VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
                [.text(key), .integer(context.now.milliseconds)]
            )
        }
        context.scheduleWork(at: context.now)
    }

    func trace(_ identifiers: Set<String>, in connection: any Connection) throws -> Trace {
        Trace(related: identifiers)
    }

    func gauges(in connection: any Connection, now: Timestamp) throws -> [String: Double] {
        ["notes": Double(try Self.texts(connection).count)]
    }

    /// Notes of one page.
    static var pageRows: Int { 500 }

    /// Says that it begins, then every note that is kept here.
    func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) throws -> RedrivePage {
        let rows = try context.connection.rows(
            "SELECT number, text FROM note WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(key.first.flatMap { Int64($0) } ?? 0), Value(Self.pageRows)]
        )
        let texts = try (key.isEmpty ? ["redriven"] : []) + rows.map { try $0[1] as String }
        for text in texts { try Self.refuse(text, context.connection) }
        try Self.send(texts, nil, to: target.service, "redrive", context)
        return RedrivePage(try rows.map { [String(try $0[0] as Int64)] }, limit: Self.pageRows)
    }
}

/// Does jobs two at a time; a job whose key is in `broken` has a result that cannot be written, which parks it if its
/// key says `poison`.
struct JobWorker: OutsideWorker {
    let concurrency = 2

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        underWay: Set<String>,
        excluding passedOver: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        var items: [WorkItem] = []
        for row in try connection.rows("SELECT key, due FROM job ORDER BY due, key") {
            let due = Timestamp(milliseconds: try row[1])
            if passedOver.contains(try row[0]) { continue }
            if due > now || items.count == limit { return (items, due) }
            items.append(WorkItem(key: try row[0], payload: Array(try (row[0] as String).utf8)))
        }
        return (items, nil)
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] { item.payload }

    func finish(_ item: WorkItem, result: [UInt8], in context: HandlerContext) throws {
        let connection = context.connection
        guard try connection.row("SELECT 1 FROM broken WHERE text = \(item.key)") == nil else {
            throw NoteService<SendingRole>.Broken(text: item.key)
        }
        try connection.execute("DELETE FROM job WHERE key = ?", [.text(item.key)])
        let note = NoteV1(text: String(decoding: result, as: UTF8.self))
        try context.send(note, to: PartitionAddress(.entitlements, 0), subject: item.key)
    }

    func parksFailure(of item: WorkItem) -> Bool { item.key.hasSuffix("poison") }
}
